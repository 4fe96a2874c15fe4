// The machine around a simulated server: its clocks, its disk, its worker. All of it moves only
// when told to.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/random.h"
#include "server/background.h"
#include "tests/journal/recording_disk.h"

namespace fencepost::sim {

// `real_ms` is what nobody in there can see: the time that passes. The clocks follow it in their
// own ways.
struct Machine {
  std::int64_t real_ms = 1'000'000;
  std::int64_t boot_ms = 5'000;              // CLOCK_BOOTTIME; begins anew with the kernel
  std::int64_t wall_ms = 1'700'000'000'000;  // CLOCK_REALTIME; steps
  std::uint64_t boot = 1;
  std::unique_ptr<tests::RecordingDisk> disk = std::make_unique<tests::RecordingDisk>();

  void pass(std::int64_t ms);
  std::string boot_id() const { return "boot " + std::to_string(boot); }
  // What was not synced may be there, or not, or in parts; the kernel starts anew.
  void lose_power(Random& random);
};

// As server/system_clock.h, on that machine.
class MachineClock final : public server::ContinuedClock {
 public:
  explicit MachineClock(const Machine& machine)
      : machine_{machine}, log_minus_boot_{machine.wall_ms - machine.boot_ms} {}
  void continue_from(Instant last) override {
    log_minus_boot_ = last.time_since_epoch().count() - machine_.boot_ms;
  }
  Now now() override {
    const std::int64_t log = machine_.boot_ms + log_minus_boot_;
    return {.log = Instant{Duration{log}}, .wall_offset = Duration{machine_.wall_ms - log}};
  }
  std::int64_t stopwatch_us() override { return stopwatch_us_ += 40; }

 private:
  const Machine& machine_;
  std::int64_t log_minus_boot_;
  std::int64_t stopwatch_us_ = 0;
};

// Work is begun and is done at moments that chance draws; a kill forgets it.
class MachineWorker final : public server::Worker {
 public:
  MachineWorker(const Machine& machine, Random& random) : machine_{machine}, random_{random} {}
  void run(std::function<void()> work, std::function<void()> done) override;
  // Work that is queued from now on takes at least so long.
  void slow_down(std::int64_t ms) { slowness_ms_ = ms; }
  bool idle() const { return !done_; }
  // When something is to happen next.
  std::int64_t next() const { return !done_ ? INT64_MAX : work_ ? begins_at_ : ends_at_; }
  void go_on();

 private:
  const Machine& machine_;
  Random& random_;
  std::function<void()> work_;
  std::function<void()> done_;
  std::int64_t begins_at_ = 0;
  std::int64_t ends_at_ = 0;
  std::int64_t slowness_ms_ = 0;
};

class MachineBeat final : public server::Beat {
 public:
  explicit MachineBeat(const Machine& machine) : machine_{machine} {}
  void every(std::uint64_t ms) override { ms_ = static_cast<std::int64_t>(ms), begin(); }
  void begin() { next_ = machine_.real_ms + ms_; }
  std::int64_t next() const { return next_; }

 private:
  const Machine& machine_;
  std::int64_t ms_ = 100;
  std::int64_t next_ = INT64_MAX;
};

}  // namespace fencepost::sim
