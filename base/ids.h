// Small names that several rooms share: which client, which database.
#pragma once

#include <compare>
#include <cstdint>

namespace fencepost {

// A connection, for as long as the server runs; never used twice. 0 is nobody.
enum class ClientId : std::uint64_t { nobody = 0 };

// Which of the databases 0..15.
using DatabaseIndex = std::uint8_t;
constexpr DatabaseIndex kDatabaseCount = 16;

}  // namespace fencepost
