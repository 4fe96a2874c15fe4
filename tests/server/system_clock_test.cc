// The moment as the kernel tells it.
#include "server/system_clock.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace fencepost::server {

namespace {

using namespace std::chrono_literals;

TEST(SystemClock, LogTimeStartsAtTheWallClocksTime) {
  const auto before = std::chrono::floor<Duration>(std::chrono::system_clock::now());
  SystemClock clock;
  const Now now = clock.now();
  EXPECT_LE(now.wall() - before, 1s);
  EXPECT_GE(now.wall() - before, -1ms);
  EXPECT_LE(now.wall_offset, 1ms);
  EXPECT_GE(now.wall_offset, -1ms);
}

TEST(SystemClock, TimeRisesAndTheOffsetStays) {
  SystemClock clock;
  const Now first = clock.now();
  const std::int64_t began_us = clock.stopwatch_us();
  std::this_thread::sleep_for(20ms);
  const Now second = clock.now();
  EXPECT_GE(second.log - first.log, 19ms);
  EXPECT_GE(clock.stopwatch_us() - began_us, 20'000);
  EXPECT_EQ(first.wall_offset, second.wall_offset);
}

}  // namespace

}  // namespace fencepost::server
