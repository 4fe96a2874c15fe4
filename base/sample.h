// Different numbers by chance.
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.h"

namespace fencepost {

// `count` different numbers in [0, end), at most `end` of them, each set of them with equal chance;
// in no particular order.  Source: Floyd, in Bentley, "A sample of brilliance", CACM 30 (1987).
std::vector<std::size_t> sample(Random& random, std::size_t count, std::size_t end);

}  // namespace fencepost
