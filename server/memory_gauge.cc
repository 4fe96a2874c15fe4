// Whether more memory is in use than maxmemory allows, without measuring for every request.
#include "server/memory_gauge.h"

namespace fencepost::server {

bool MemoryGauge::is_full(std::int64_t limit_bytes, Moment now,
                          const std::function<std::uint64_t()>& measure,
                          const std::function<std::int64_t()>& stopwatch) {
  if (limit_bytes <= 0 || !measure) return false;
  if (!is_due(limit_bytes, now)) return full_;
  const std::int64_t began_us = stopwatch();
  full_ = measure() > static_cast<std::uint64_t>(limit_bytes);
  cost_us_ = stopwatch() - began_us;
  limit_ = limit_bytes;
  measured_ = now;
  return full_;
}

bool MemoryGauge::is_due(std::int64_t limit_bytes, Moment now) const {
  constexpr std::int64_t kShareOfTime = 20;
  constexpr std::int64_t kEveryUs = 10'000;
  constexpr std::uint64_t kEveryBytes = 256 * 1024;
  if (limit_ != limit_bytes) return true;
  const std::int64_t since_us = now.us - measured_.us;
  if (since_us < kShareOfTime * cost_us_) return false;
  return full_ || since_us >= kEveryUs || now.input_bytes - measured_.input_bytes >= kEveryBytes;
}

}  // namespace fencepost::server
