// How many nodes the radix tree has that Redis keeps a stream's nodes in: XINFO tells it.
#pragma once

#include <cstddef>
#include <span>

#include "state/stream_id.h"

namespace fencepost::commands {

// Of a tree with these keys, which rise: sixteen bytes each, the greatest first.
std::size_t radix_tree_nodes(std::span<const state::StreamId> keys);

}  // namespace fencepost::commands
