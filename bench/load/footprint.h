// What one lock and one idle connection cost in memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/load/server_process.h"

namespace fencepost::load {

// Bytes for each of `count` keys that `steps` make; "{number}" in them is the key's. The server is
// fresh.
double bytes_per_key(const ServerProcess& server, const std::vector<std::string>& steps,
                     std::size_t count);

// Bytes for each of `count` connections that have said PING once and stay.
double bytes_per_connection(const ServerProcess& server, std::size_t count);

}  // namespace fencepost::load
