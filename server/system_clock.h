// The moment as the kernel tells it.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace fencepost::server {

// Log time starts at the wall clock's Unix time and then follows CLOCK_BOOTTIME, which never steps
// and counts suspended time. The wall clock's offset from it is taken anew only when it has moved
// by more than a millisecond: by less, the two clocks are merely read at different moments, and
// EXPIRETIME is to give the same answer twice.
class SystemClock final : public Clock {
 public:
  SystemClock();

  // Log time goes on from `last`, where a journal ends: what was left of a lease then is left of it
  // now, however long nothing ran and whatever became of the wall clock.
  void continue_from(Instant last);

  Now now() override;
  std::int64_t stopwatch_us() override;

 private:
  std::int64_t log_minus_boot_ns_ = 0;
  Duration last_log_{};
  Duration wall_offset_{};
};

}  // namespace fencepost::server
