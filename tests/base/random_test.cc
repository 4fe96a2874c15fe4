// Chance, passed in: the same seed gives the same run, and every number is as likely as the next.
#include "base/random.h"

#include <array>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Random, RepeatsItselfForTheSameSeed) {
  Random one{42};
  Random same{42};
  Random other{43};
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t drawn = one.next();
    EXPECT_EQ(drawn, same.next());
    differs = differs || drawn != other.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, StaysBelowItsEndAndReachesEveryNumber) {
  Random random{1};
  std::array<int, 7> count{};
  for (int i = 0; i < 70'000; ++i) ++count.at(random.below(7));
  for (const int each : count) EXPECT_NEAR(each, 10'000, 500);
  EXPECT_EQ(random.below(0), 0U);
  EXPECT_EQ(random.below(1), 0U);
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(random.below((std::uint64_t{1} << 63) + 1), (std::uint64_t{1} << 63) + 1);
}

}  // namespace
}  // namespace fencepost
