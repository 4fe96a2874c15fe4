// How many bytes Redis's listpack takes: where a stream's node ends, and so what MAXLEN ~ leaves
// standing, goes by it.
// https://github.com/antirez/listpack/blob/master/listpack.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fencepost::state {

// Of one without members: its length, their count, its end.
constexpr std::size_t kEmptyListpackBytes = 7;

std::size_t listpack_bytes(std::int64_t number);
// A text that is a whole number is kept as one.
std::size_t listpack_bytes(std::string_view text);

}  // namespace fencepost::state
