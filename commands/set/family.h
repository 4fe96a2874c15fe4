// The files of the set family: each one's rows.
#pragma once

#include <span>

#include "commands/command.h"
#include "commands/context.h"
#include "state/set.h"

namespace fencepost::commands {

std::span<const Command> set_member_commands();   // SADD, SREM, SMOVE, and what asks for members
std::span<const Command> set_sample_commands();   // SPOP, SRANDMEMBER, SSCAN
std::span<const Command> set_algebra_commands();  // SINTER, SUNION, SDIFF and their kin

// What the settings say of sets that are kept as numbers.
inline std::size_t most_numbers(const Context& context) {
  return static_cast<std::size_t>(context.process.settings.values.set_max_intset_entries);
}

}  // namespace fencepost::commands
