// A run's figures under the names that tables and goals use.
#include "bench/load/measures.h"

namespace fencepost::load {

namespace {

double us(const Histogram& histogram, double share) {
  return histogram.percentile(share) / 1000;
}

}  // namespace

Measure measure_load(const Workload& workload, const Load& load) {
  return [&workload, load](const ServerProcess& server) {
    const Measured measured = run(server, workload, load);
    return Outcome{.figures = {{"ops/s", measured.per_second()},
                               {"CPU us", measured.cpu_us()},
                               {"p50 us", us(measured.latency_ns, 0.5)},
                               {"p99 us", us(measured.latency_ns, 0.99)},
                               {"p99.9 us", us(measured.latency_ns, 0.999)}},
                   .foreign_share = measured.foreign_cpu_seconds / measured.seconds,
                   .errors = measured.errors};
  };
}

Measure measure_hand_over(const Strategy& strategy, std::size_t waiters, double seconds) {
  return [&strategy, waiters, seconds](const ServerProcess& server) {
    const HandOvers measured = run_hand_overs(server, strategy, waiters, seconds);
    const double gap = us(measured.gap_ns, 0.5);
    return Outcome{.figures = {{"gap p50 us", gap},
                               {"gap p99 us", us(measured.gap_ns, 0.99)},
                               {"gap / round trip", gap / us(measured.round_trip_ns, 0.5)},
                               {"CPU us", measured.cpu_us()},
                               {"commands", measured.commands_each()}},
                   .foreign_share = 0,
                   .errors = measured.errors};
  };
}

}  // namespace fencepost::load
