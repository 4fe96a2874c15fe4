// The name of a stream's entry: a moment in milliseconds and a number among those of that moment.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace fencepost::state {

struct StreamId {
  std::uint64_t ms = 0;
  std::uint64_t number = 0;

  auto operator<=>(const StreamId&) const = default;
};

constexpr std::uint64_t kGreatestNumber = std::numeric_limits<std::uint64_t>::max();
constexpr StreamId kLeastId{0, 0};
constexpr StreamId kGreatestId{kGreatestNumber, kGreatestNumber};

// The one right behind, and right before; null at the end of the range.
std::optional<StreamId> next_id(StreamId id);
std::optional<StreamId> previous_id(StreamId id);
// "1526919030474-55"
std::string to_text(StreamId id);

}  // namespace fencepost::state
