// The files of the list family: each one's rows.
#pragma once

#include <span>

#include "commands/command.h"

namespace fencepost::commands {

std::span<const Command> push_commands();          // LPUSH, RPUSH and their X forms
std::span<const Command> pop_commands();           // LPOP, RPOP, LMPOP
std::span<const Command> blocking_pop_commands();  // BLPOP, BRPOP, BLMPOP
std::span<const Command> list_move_commands();     // LMOVE, RPOPLPUSH, and those that wait
std::span<const Command> list_read_commands();     // LLEN, LRANGE, LINDEX, LPOS
std::span<const Command> list_edit_commands();     // LSET, LINSERT, LREM, LTRIM

}  // namespace fencepost::commands
