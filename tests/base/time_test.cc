// Points and spans of time: what happens at the ends of the range, and that there and back is where
// it was.
#include "base/time.h"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

Instant at(std::int64_t ms) {
  return Instant{Duration{ms}};
}
WallTime wall(std::int64_t ms) {
  return WallTime{Duration{ms}};
}

TEST(Time, IsHeldAtTheEndsOfItsRange) {
  EXPECT_EQ(saturating_add(at(5), Duration{7}), at(12));
  EXPECT_EQ(saturating_add(at(5), Duration{-7}), at(-2));
  EXPECT_EQ(saturating_add(at(INT64_MAX - 1), Duration{1}), kNever);
  EXPECT_EQ(saturating_add(at(INT64_MAX - 1), Duration{2}), kNever);
  EXPECT_EQ(saturating_add(at(1), Duration::max()), kNever);
  EXPECT_EQ(saturating_add(at(INT64_MIN + 1), Duration{-2}), Instant::min());
  EXPECT_EQ(saturating_add(kNever, Duration{-1}), at(INT64_MAX - 1));
}

TEST(Time, GoesFromTheWallClockToTheLogAndBack) {
  const Now now{.log = at(1000), .wall_offset = Duration{250}};
  EXPECT_EQ(now.wall(), wall(1250));
  EXPECT_EQ(to_log_time(now.wall(), now), now.log);
  EXPECT_EQ(to_log_time(wall(2000), now), at(1750));
  EXPECT_EQ(to_unix_ms(at(1750), now), 2000);
}

TEST(Time, GoesThereAndBackWhicheverWayTheWallClockWasSet) {
  for (const std::int64_t offset : {0, -86'400'000, 3'600'000}) {
    const Now now{.log = at(1'700'000'000'000), .wall_offset = Duration{offset}};
    for (const std::int64_t ms : {std::int64_t{0}, std::int64_t{1'800'000'000'123}})
      EXPECT_EQ(to_unix_ms(to_log_time(wall(ms), now), now), ms);
  }
}

TEST(Time, DoesNotWrapRoundAtTheEndsOfTheWallClock) {
  const Now behind{.log = at(0), .wall_offset = Duration{-10}};
  EXPECT_EQ(to_log_time(wall(INT64_MAX), behind), kNever);
  const Now ahead{.log = at(0), .wall_offset = Duration{10}};
  EXPECT_EQ(to_log_time(wall(INT64_MIN), ahead), Instant::min());
  EXPECT_EQ(to_unix_ms(kNever, ahead), INT64_MAX);
}

}  // namespace
}  // namespace fencepost
