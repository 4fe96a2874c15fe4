// What HRANDFIELD, SRANDMEMBER, ZRANDMEMBER and SPOP have in common: how many, and which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "commands/context.h"

namespace fencepost::commands {

// Reads a count, where a negative one allows for repetitions; null when it is none: then the
// command is answered.
std::optional<std::int64_t> random_count_or_reply(Context& context, std::string_view text);

// `count` (at most `size`) different positions below `size`, ascending.
std::vector<std::size_t> choose(Random& random, std::size_t size, std::size_t count);

// The positions that a count asks for: all of them when there are no more, else different ones; for
// a negative count see() is called -count times with any.
template <typename See>
void for_random_positions(Context& context, std::size_t size, std::int64_t count, const See& see) {
  for (; count < 0 && !context.reply.was_cut(); ++count)
    see(static_cast<std::size_t>(context.random.below(size)));
  if (count <= 0) return;
  const auto wanted = std::min(static_cast<std::uint64_t>(count), std::uint64_t{size});
  for (const std::size_t at : choose(context.random, size, wanted)) see(at);
}

// How many that will be. More than fit into any reply cut it short.
std::size_t results_or_cut(Context& context, std::size_t size, std::int64_t count);

}  // namespace fencepost::commands
