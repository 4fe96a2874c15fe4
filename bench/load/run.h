// One run of a workload against one server: closed loop (the next request when the reply is there)
// or open loop (a fixed rate, whatever the server does).
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/load/histogram.h"
#include "bench/load/server_process.h"
#include "bench/load/workload.h"

namespace fencepost::load {

struct Load {
  std::size_t connections = 50;
  std::size_t pipeline = 1;
  double rate = 0;  // operations a second in all; 0 is the closed loop
  double seconds = 3;
  double warm_up_seconds = 0.5;
};

struct Measured {
  double seconds = 0;
  std::uint64_t operations = 0;
  std::uint64_t errors = 0;
  std::uint64_t nils = 0;
  double server_cpu_seconds = 0;
  double foreign_cpu_seconds = 0;  // what others than server and generator used meanwhile
  // Of a whole operation, all its steps. In the open loop it counts from when the request was due,
  // not from when it could be sent: a server that stalls is charged for all that should have come
  // meanwhile.
  Histogram latency_ns;

  double per_second() const { return static_cast<double>(operations) / seconds; }
  double cpu_us() const { return server_cpu_seconds * 1e6 / static_cast<double>(operations); }
};

Measured run(const ServerProcess& server, const Workload& workload, const Load& load);

// The time, the server's and everybody's CPU between begin and end.
class Meter {
 public:
  explicit Meter(const ServerProcess& server);
  void stop(Measured& into) const;

 private:
  const ServerProcess& server_;
  std::uint64_t begin_ns_;
  double server_cpu_;
  double machine_cpu_;
  double own_cpu_;
};

}  // namespace fencepost::load
