// The moment as the kernel tells it.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"
#include "server/background.h"

namespace fencepost::server {

// Log time starts at the wall clock's Unix time and then follows CLOCK_BOOTTIME, which never steps
// and counts suspended time. The wall clock's offset from it is taken anew only when it has moved
// by more than a millisecond: by less, the two clocks are merely read at different moments, and
// EXPIRETIME is to give the same answer twice.
class SystemClock final : public ContinuedClock {
 public:
  SystemClock();

  void continue_from(Instant last) override;
  Now now() override;
  std::int64_t stopwatch_us() override;  // from any thread

 private:
  std::int64_t log_minus_boot_ns_ = 0;
  Duration last_log_{};
  Duration wall_offset_{};
};

// Changes with every start of the kernel (Linux, random(4)).
std::string boot_id();

}  // namespace fencepost::server
