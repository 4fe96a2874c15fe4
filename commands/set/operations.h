// Intersection, union and difference of sets.
#pragma once

#include <cstddef>
#include <vector>

#include "state/set.h"

namespace fencepost::commands {

// Null stands for an empty set; one may be named several times.
using Operands = std::vector<const state::Set*>;

// Each puts its result into `made`, which is empty, and gives it back. No one takes more than a
// few steps for each member of the sets, however often they are named.
state::Set intersection(const Operands& sets, state::Set made, std::size_t most_numbers);
state::Set union_of(const Operands& sets, state::Set made, std::size_t most_numbers);
// What the first has and none of the others.
state::Set difference(const Operands& sets, state::Set made, std::size_t most_numbers);

// How many members the intersection has, counted up to `limit` (0: to the end).
std::size_t intersection_size(const Operands& sets, std::size_t limit);

}  // namespace fencepost::commands
