// Counters that never go back, and how few of them are kept.
#include "state/fences.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"

namespace fencepost::state {

namespace {

TEST(Fences, a_fresh_key_starts_above_the_floor) {
  Fences fences;
  EXPECT_EQ(fences.first(0, "door"), 1U);
  fences.raise_floor(100);
  EXPECT_EQ(fences.first(0, "gate"), 101U);
  fences.raise_floor(50);  // never goes down
  EXPECT_EQ(fences.floor(), 100U);
}

TEST(Fences, a_key_that_comes_back_goes_on_with_its_own_counter) {
  Fences fences;
  const std::uint64_t releaser = 9;
  fences.retire(0, "door", fences.next(fences.first(0, "door")), {&releaser, 1});
  fences.raise_floor(1);
  EXPECT_EQ(fences.newest(0, "door"), 2U);
  EXPECT_EQ(fences.find(0, "door")->releasers()[0], 9U);
  EXPECT_EQ(fences.first(0, "door"), 3U);
  EXPECT_EQ(fences.find(0, "door"), nullptr);
}

TEST(Fences, a_counter_below_the_floor_counts_as_one_that_was_dropped) {
  Fences fences;
  fences.retire(0, "door", fences.first(0, "door"), {});
  fences.raise_floor(1000);
  EXPECT_EQ(fences.newest(0, "door"), 1000U);
  EXPECT_EQ(fences.first(0, "door"), 1001U);
}

TEST(Fences, databases_count_apart) {
  Fences fences;
  fences.retire(0, "door", fences.first(0, "door"), {});
  EXPECT_EQ(fences.first(1, "door"), 1U);
  fences.forget(0);
  EXPECT_EQ(fences.find(0, "door"), nullptr);
  EXPECT_EQ(fences.floor(), 1U);
}

TEST(Fences, the_oldest_counter_is_dropped_first_and_the_floor_covers_it) {
  Fences fences;
  fences.set_capacity(2);
  for (const char* key : {"a", "b", "c"}) {
    fences.retire(0, key, fences.first(0, key), {});
  }
  EXPECT_EQ(fences.find(0, "a"), nullptr);
  EXPECT_EQ(fences.floor(), 1U);
  EXPECT_EQ(fences.first(0, "a"), 2U);
}

TEST(Fences, no_number_of_a_key_ever_repeats_or_falls_whatever_is_dropped) {
  Random random{11};
  Fences fences;
  std::map<std::string, std::uint64_t> newest;
  for (int step = 0; step < 200'000; ++step) {
    const std::string key = std::to_string(random.below(500));
    const std::uint64_t fence = fences.first(0, key);
    ASSERT_GT(fence, newest[key]);
    newest[key] = fence;
    ASSERT_GE(fences.highest(), fence);
    fences.retire(0, key, fence, {});
    if (random.below(1000) == 0) fences.set_capacity(random.below(400));
    if (random.below(5000) == 0) fences.forget(0);
  }
}

}  // namespace

}  // namespace fencepost::state
