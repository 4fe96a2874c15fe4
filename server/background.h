// What goes on beside the requests: work off the loop, a beat, and a clock that outlives the
// process. The loop's own are in uv_background.h, the machine's clock in system_clock.h; a
// simulation plays them.
#pragma once

#include <cstdint>
#include <functional>

#include "base/time.h"

namespace fencepost::server {

class Worker {
 public:
  virtual ~Worker() = default;
  // Runs `work` where it may take long, on another thread say, and `done` afterwards in a turn of
  // the loop. One at a time: not again before `done` was called.
  virtual void run(std::function<void()> work, std::function<void()> done) = 0;
};

class Beat {
 public:
  virtual ~Beat() = default;
  // From now on the loop makes a turn at least this often.
  virtual void every(std::uint64_t ms) = 0;
};

// Its log time can be made to go on from where a journal ends.
class ContinuedClock : public Clock {
 public:
  // What was left of a lease at `last` is left of it now, however long nothing ran and whatever
  // became of the wall clock.
  virtual void continue_from(Instant last) = 0;
};

}  // namespace fencepost::server
