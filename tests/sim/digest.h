// The whole state as texts that can be compared: before a crash and after it.
#pragma once

#include <map>
#include <string>

#include "state/state.h"

namespace fencepost::sim {

// Key by key what a journal keeps of it; under "" what it keeps besides. When a key was used last
// is left out: reading alone moves it, and is not written down.
using Digest = std::map<std::string, std::string>;

Digest digest_of(const state::State& state);
// The first difference in words; empty: none.
std::string difference(const Digest& before, const Digest& after);

}  // namespace fencepost::sim
