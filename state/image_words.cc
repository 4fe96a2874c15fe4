// The words that images of keys are made of.
#include "state/image_words.h"

namespace fencepost::state {

void write_hashes(ByteWriter& writer, std::span<const std::uint64_t> hashes) {
  writer.number(hashes.size());
  for (const std::uint64_t hash : hashes) writer.u64(hash);
}

std::vector<std::uint64_t> read_hashes(ByteReader& reader) {
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t left = reader.number(); left > 0 && !reader.failed(); --left) {
    hashes.push_back(reader.u64());
  }
  return hashes;
}

}  // namespace fencepost::state
