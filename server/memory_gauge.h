// Whether more memory is in use than maxmemory allows, without measuring for every request.
#pragma once

#include <cstdint>
#include <functional>

namespace fencepost::server {

// Measuring walks through the allocator's lists, so it takes the longer the more is free in pieces.
// Below the limit it is done when some time has gone by or some input has come; above it for every
// request, so that what was freed counts at once; and never for more than a small share of the
// time.
class MemoryGauge {
 public:
  struct Moment {
    std::int64_t us = 0;            // on a stopwatch
    std::uint64_t input_bytes = 0;  // received from all clients so far
  };

  // A limit of 0 is none. `measure` may be empty: then nothing is ever full. `stopwatch` says how
  // long it took.
  bool is_full(std::int64_t limit_bytes, Moment now, const std::function<std::uint64_t()>& measure,
               const std::function<std::int64_t()>& stopwatch);

 private:
  bool is_due(std::int64_t limit_bytes, Moment now) const;

  bool full_ = false;
  std::int64_t limit_ = 0;  // that it was held against
  std::int64_t cost_us_ = 0;
  Moment measured_{};
};

}  // namespace fencepost::server
