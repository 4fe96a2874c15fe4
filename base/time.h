// Points and spans of time, and the clock that is passed in from above.
#pragma once

#include <chrono>
#include <cstdint>

namespace fencepost {

using Duration = std::chrono::milliseconds;

// Log time: milliseconds on a clock that never steps and counts suspended time. It starts near the
// wall clock's Unix time and then only ever rises. Leases, waits and graces are points of log time.
struct LogClock {
  using rep = std::int64_t;
  using period = std::milli;
  using duration = Duration;
  using time_point = std::chrono::time_point<LogClock, Duration>;
  static constexpr bool is_steady = true;
};
using Instant = LogClock::time_point;

// Unix time in milliseconds, as people set it; it may step either way.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

// "No end": a key without a lease.
constexpr Instant kNever = Instant::max();

// The moment of an entry: read once above, carried down, never read again below server/.
struct Now {
  Instant log{};
  Duration wall_offset{};  // wall clock minus log time

  WallTime wall() const { return WallTime{log.time_since_epoch() + wall_offset}; }
};

// a + b, held at the ends of the range instead of wrapping round.
Instant saturating_add(Instant at, Duration span);

// Where a wall-clock moment lies in log time, and back. Both are exact inverses while the offset
// stays.
Instant to_log_time(WallTime wall, Now now);
std::int64_t to_unix_ms(Instant at, Now now);

// Reads the moment. The one in server/ asks the kernel; the one in tests is set by hand.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Now now() = 0;
  // Microseconds on a steady clock, for measuring how long something took; never for deciding
  // anything.
  virtual std::int64_t stopwatch_us() = 0;
};

}  // namespace fencepost
