// How long it takes from one holder's release to the next one's grant, by the way the waiters wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/load/histogram.h"
#include "bench/load/server_process.h"

namespace fencepost::load {

// The templates are a workload's: {key}, {owner}, {sha0} ...
struct Strategy {
  enum class Waits : std::uint8_t {
    in_line,   // the lock command itself is answered when the lock is there
    polling,   // a refused one tries again after 50 to 200 ms, as Redlock clients do
    popping,   // BLPOP on a list that the release pushes to
    listening  // a subscription to a channel that the release publishes on
  };
  std::string name;
  Waits waits = Waits::in_line;
  std::string lock;
  std::string release;
  std::string wait;  // popping: the BLPOP; listening: the SUBSCRIBE
  std::vector<std::string> scripts;
};

struct HandOvers {
  std::uint64_t acquisitions = 0;
  std::uint64_t commands = 0;
  std::uint64_t errors = 0;
  double server_cpu_seconds = 0;
  Histogram gap_ns;         // release sent -> the next holder knows
  Histogram round_trip_ns;  // release sent -> release answered

  double commands_each() const {
    return static_cast<double>(commands) / static_cast<double>(acquisitions);
  }
  double cpu_us() const { return server_cpu_seconds * 1e6 / static_cast<double>(acquisitions); }
};

// All `waiters` want one key, get it one after the other, hold it for `hold_us` and give it back;
// then again, until the time is up.
HandOvers run_hand_overs(const ServerProcess& server, const Strategy& strategy, std::size_t waiters,
                         double seconds, double hold_us = 2000);

}  // namespace fencepost::load
