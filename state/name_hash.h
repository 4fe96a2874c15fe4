// Names as numbers, for finding them.
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost::state {

// XXH3: what names give with a seed that nobody knows cannot be chosen from outside.
std::uint64_t name_hash(std::string_view name, std::uint64_t seed);

// How an index makes hashes of names. Tests have others, under which names collide.
using NameHash = std::uint64_t (*)(std::string_view name, std::uint64_t seed);

}  // namespace fencepost::state
