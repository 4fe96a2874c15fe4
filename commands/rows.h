// Pieces that the rows of several families are put together from.
#pragma once

#include "commands/command.h"

namespace fencepost::commands {

constexpr KeyPositions kFirstKey{.first = 1, .last = 1, .step = 1};
constexpr KeyPositions kTwoKeys{.first = 1, .last = 2, .step = 1};
constexpr KeyPositions kAllKeys{.first = 1, .last = -1, .step = 1};
constexpr KeyPositions kKeysWithValues{.first = 1, .last = -1, .step = 2};
constexpr KeyPositions kKeyOfSubcommand{.first = 2, .last = 2, .step = 1};

// The same keys, and what the command does with them (with the last one, where that differs).
constexpr KeyPositions used(KeyPositions keys, KeyUse use, KeyUse last_use = KeyUse::derived) {
  keys.use = use;
  keys.last_use = last_use;
  return keys;
}

constexpr CompatNote kSame{Compat::same, ""};

}  // namespace fencepost::commands
