// The moment as the kernel tells it.
#include "server/system_clock.h"

#include <ctime>
#include <fstream>
#include <random>

#include <fmt/format.h>

namespace fencepost::server {

namespace {

constexpr std::int64_t kNanosPerMilli = 1'000'000;

std::int64_t read_ns(clockid_t clock) {
  timespec at{};
  clock_gettime(clock, &at);
  return at.tv_sec * 1'000'000'000 + at.tv_nsec;
}

}  // namespace

SystemClock::SystemClock()
    : log_minus_boot_ns_{read_ns(CLOCK_REALTIME) - read_ns(CLOCK_BOOTTIME)} {}

void SystemClock::continue_from(Instant last) {
  log_minus_boot_ns_ = last.time_since_epoch().count() * kNanosPerMilli - read_ns(CLOCK_BOOTTIME);
}

Now SystemClock::now() {
  const Duration log{(read_ns(CLOCK_BOOTTIME) + log_minus_boot_ns_) / kNanosPerMilli};
  if (log != last_log_) {
    last_log_ = log;
    const Duration wall{read_ns(CLOCK_REALTIME) / kNanosPerMilli};
    const Duration moved = wall - log - wall_offset_;
    if (moved > Duration{1} || moved < Duration{-1}) wall_offset_ = wall - log;
  }
  return {.log = Instant{log}, .wall_offset = wall_offset_};
}

std::int64_t SystemClock::stopwatch_us() {
  return read_ns(CLOCK_MONOTONIC) / 1000;
}

std::string boot_id() {
  std::ifstream file{"/proc/sys/kernel/random/boot_id"};
  std::string id;
  std::getline(file, id);
  if (!id.empty()) return id;
  // Where it is not told, every start counts as one of the kernel's too.
  std::random_device device;
  return fmt::format("unknown-{:08x}{:08x}", device(), device());
}

}  // namespace fencepost::server
