// A run's figures under the names that tables and goals use.
#pragma once

#include "bench/load/comparison.h"
#include "bench/load/hand_over.h"
#include "bench/load/run.h"

namespace fencepost::load {

// "ops/s", "CPU us", "p50 us", "p99 us", "p99.9 us"
Measure measure_load(const Workload& workload, const Load& load);
// "gap p50 us", "gap p99 us", "gap / round trip", "CPU us", "commands"
Measure measure_hand_over(const Strategy& strategy, std::size_t waiters, double seconds);

}  // namespace fencepost::load
