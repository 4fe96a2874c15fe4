// Names as numbers, for finding them.
#include "state/name_hash.h"

#include <xxhash.h>

namespace fencepost::state {

std::uint64_t name_hash(std::string_view name, std::uint64_t seed) {
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

}  // namespace fencepost::state
