// The workloads and the ways to wait that are measured, by name.
#pragma once

#include <span>
#include <string_view>

#include "bench/load/hand_over.h"
#include "bench/load/workload.h"

namespace fencepost::load {

std::span<const Workload> workloads();
const Workload& workload(std::string_view name);  // throws Failed when there is none

std::span<const Strategy> strategies();
const Strategy& strategy(std::string_view name);

}  // namespace fencepost::load
