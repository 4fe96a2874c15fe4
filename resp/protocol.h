// Which version of the protocol a connection speaks.
#pragma once

#include <cstdint>

namespace fencepost::resp {

enum class Protocol : std::uint8_t { resp2 = 2, resp3 = 3 };

}  // namespace fencepost::resp
