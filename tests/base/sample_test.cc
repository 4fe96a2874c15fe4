// Different numbers by chance.
#include "base/sample.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Sample, HasDifferentNumbersBelowTheEnd) {
  Random random{1};
  for (std::size_t count = 0; count <= 20; ++count) {
    auto drawn = sample(random, count, 20);
    std::sort(drawn.begin(), drawn.end());
    ASSERT_EQ(drawn.size(), count);
    ASSERT_EQ(std::unique(drawn.begin(), drawn.end()), drawn.end());
    ASSERT_TRUE(drawn.empty() || drawn.back() < 20);
  }
}

TEST(Sample, HasAsManyAsThereAre) {
  Random random{1};
  EXPECT_EQ(sample(random, 5, 3).size(), 3U);
  EXPECT_TRUE(sample(random, 5, 0).empty());
}

TEST(Sample, HasEachPairAsOften) {
  Random random{1};
  std::map<std::vector<std::size_t>, int> times;
  constexpr int kDraws = 10'000;
  for (int i = 0; i < kDraws; ++i) {
    auto drawn = sample(random, 2, 5);
    std::sort(drawn.begin(), drawn.end());
    ++times[drawn];
  }
  EXPECT_EQ(times.size(), 10U);
  for (const auto& [pair, count] : times) {
    EXPECT_GT(count, kDraws / 10 - 150);
    EXPECT_LT(count, kDraws / 10 + 150);
  }
}

}  // namespace
}  // namespace fencepost
