// How many nodes the radix tree has that Redis keeps a stream's nodes in.
//
// A node is a run of bytes that all keys below share, or a branch of one byte each, or a key's end.
#include "commands/stream/radix_tree.h"

namespace fencepost::commands {

namespace {

using state::StreamId;
using Keys = std::span<const StreamId>;

constexpr std::size_t kKeyBytes = 16;

unsigned byte_of(StreamId key, std::size_t at) {
  const std::uint64_t half = at < 8 ? key.ms : key.number;
  return static_cast<unsigned>(half >> (56 - 8 * (at % 8)) & 0xff);
}

// How many bytes all of them share: as many as the least and the greatest.
std::size_t shared_bytes(Keys keys) {
  std::size_t at = 0;
  while (at < kKeyBytes && byte_of(keys.front(), at) == byte_of(keys.back(), at)) ++at;
  return at;
}

// Of the part of the tree where the first `depth` bytes of these keys lead.
std::size_t nodes_below(Keys keys, std::size_t depth) {
  if (depth == kKeyBytes) return 1;
  const std::size_t shared = shared_bytes(keys);
  if (shared > depth) return 1 + nodes_below(keys, shared);
  std::size_t nodes = 1;
  while (!keys.empty()) {
    std::size_t end = 1;
    while (end < keys.size() && byte_of(keys[end], depth) == byte_of(keys.front(), depth)) ++end;
    nodes += nodes_below(keys.first(end), depth + 1);
    keys = keys.subspan(end);
  }
  return nodes;
}

}  // namespace

std::size_t radix_tree_nodes(std::span<const StreamId> keys) {
  return keys.empty() ? 1 : nodes_below(keys, 0);
}

}  // namespace fencepost::commands
