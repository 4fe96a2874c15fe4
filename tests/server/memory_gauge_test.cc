// Memory is measured when it may have changed, and not for every request.
#include "server/memory_gauge.h"

#include <gtest/gtest.h>

namespace fencepost::server {

namespace {

class Gauge : public testing::Test {
 protected:
  bool is_full(std::int64_t limit = 1000) {
    return gauge_.is_full(
        limit, {.us = now_us, .input_bytes = input},
        [this] {
          ++measured;
          now_us += cost_us;
          return used;
        },
        [this] { return now_us; });
  }

  std::uint64_t used = 0;
  std::uint64_t input = 0;
  std::int64_t now_us = 1'000'000;
  std::int64_t cost_us = 0;
  int measured = 0;

 private:
  MemoryGauge gauge_;
};

TEST_F(Gauge, MeasuresNothingWithoutALimit) {
  used = 5000;
  EXPECT_FALSE(is_full(0));
  EXPECT_EQ(measured, 0);
  EXPECT_FALSE(MemoryGauge{}.is_full(1000, {}, {}, [] { return std::int64_t{0}; }));
}

TEST_F(Gauge, MeasuresAgainWhenTimeHasGoneBy) {
  EXPECT_FALSE(is_full());
  used = 1001;
  EXPECT_FALSE(is_full());
  now_us += 9'999;
  EXPECT_FALSE(is_full());
  EXPECT_EQ(measured, 1);
  now_us += 1;
  EXPECT_TRUE(is_full());
  EXPECT_EQ(measured, 2);
}

TEST_F(Gauge, MeasuresAgainWhenInputHasCome) {
  EXPECT_FALSE(is_full());
  used = 1001;
  input += 256 * 1024;
  EXPECT_TRUE(is_full());
}

TEST_F(Gauge, MeasuresEachTimeWhileFullSoThatRoomCountsAtOnce) {
  used = 1001;
  EXPECT_TRUE(is_full());
  EXPECT_TRUE(is_full());
  used = 1000;
  EXPECT_FALSE(is_full());
  EXPECT_EQ(measured, 3);
}

TEST_F(Gauge, MeasuresAnewForAnotherLimit) {
  used = 1001;
  EXPECT_FALSE(is_full(2000));
  EXPECT_TRUE(is_full(1000));
  EXPECT_FALSE(is_full(2000));
}

TEST_F(Gauge, TakesASmallShareOfTheTime) {
  cost_us = 1000;
  used = 1001;
  for (int request = 0; request < 10'000; ++request) {
    EXPECT_TRUE(is_full());
    now_us += 10;
  }
  EXPECT_LE(measured, 6);  // of 100 ms
  EXPECT_GE(measured, 4);
}

}  // namespace

}  // namespace fencepost::server
