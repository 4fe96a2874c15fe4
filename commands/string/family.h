// The files of the string family: each one's rows.
#pragma once

#include <span>

#include "commands/command.h"

namespace fencepost::commands {

std::span<const Command> put_commands();      // SET and whatever else gives a key a value
std::span<const Command> get_commands();      // GET and whatever else reads one
std::span<const Command> number_commands();   // INCR and its kin
std::span<const Command> edit_commands();     // APPEND, SETRANGE
std::span<const Command> compare_commands();  // DELEX, DELIFEQ, DIGEST
std::span<const Command> lcs_commands();      // LCS

}  // namespace fencepost::commands
