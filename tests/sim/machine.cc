// The machine around a simulated server.
#include "machine.h"

#include <utility>

namespace fencepost::sim {

void Machine::pass(std::int64_t ms) {
  real_ms += ms;
  boot_ms += ms;
  wall_ms += ms;
}

void Machine::lose_power(Random& random) {
  constexpr tests::Loss kLosses[] = {tests::Loss::nothing, tests::Loss::unsynced, tests::Loss::torn,
                                     tests::Loss::reordered};
  disk = disk->after(disk->steps(), kLosses[random.below(4)], random);
  ++boot;
  boot_ms = static_cast<std::int64_t>(random.below(20'000));
}

void MachineWorker::run(std::function<void()> work, std::function<void()> done) {
  work_ = std::move(work);
  done_ = std::move(done);
  begins_at_ = machine_.real_ms + static_cast<std::int64_t>(random_.below(4));
  ends_at_ = begins_at_ + slowness_ms_ + static_cast<std::int64_t>(random_.below(8));
  slowness_ms_ = 0;
}

void MachineWorker::go_on() {
  if (work_ && machine_.real_ms >= begins_at_) std::exchange(work_, nullptr)();
  if (!work_ && done_ && machine_.real_ms >= ends_at_) std::exchange(done_, nullptr)();
}

}  // namespace fencepost::sim
