// A stretch of a list, as LRANGE and LTRIM name it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fencepost::commands {

struct Stretch {
  std::size_t first = 0;
  std::size_t count = 0;
};

// The elements from `first` to `last`, both counted from the end when negative, both included, of a
// list that has `size`.
inline Stretch stretch_of(std::size_t size, std::int64_t first, std::int64_t last) {
  const auto length = static_cast<std::int64_t>(size);
  const auto from_start = [length](std::int64_t at) {
    return at < 0 ? std::max<std::int64_t>(at + length, 0) : at;
  };
  const std::int64_t begin = from_start(first);
  const std::int64_t end = last < 0 ? last + length : std::min(last, length - 1);
  if (begin > end || begin >= length) return {};
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin + 1)};
}

}  // namespace fencepost::commands
