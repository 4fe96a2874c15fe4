// What is worth telling the operator, with Redis's four levels. Where the lines go is decided in
// log.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace fencepost::server {

enum class LogLevel : std::uint8_t { debug, verbose, notice, warning };

// Takes one line. An empty one drops it: tests and simulations are silent.
using Log = std::function<void(LogLevel, std::string_view)>;

}  // namespace fencepost::server
