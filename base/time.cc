// Points and spans of time, and the clock that is passed in from above.
#include "base/time.h"

namespace fencepost {

namespace {

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

}  // namespace

Instant saturating_add(Instant at, Duration span) {
  return Instant{Duration{saturating_sum(at.time_since_epoch().count(), span.count())}};
}

Instant to_log_time(WallTime wall, Now now) {
  return Instant{
      Duration{saturating_sum(wall.time_since_epoch().count(), -now.wall_offset.count())}};
}

std::int64_t to_unix_ms(Instant at, Now now) {
  return saturating_sum(at.time_since_epoch().count(), now.wall_offset.count());
}

}  // namespace fencepost
