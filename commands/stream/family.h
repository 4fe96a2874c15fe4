// The files of the stream family: each one's rows.
#pragma once

#include <span>

#include "commands/command.h"

namespace fencepost::commands {

std::span<const Command> stream_add_commands();    // XADD
std::span<const Command> stream_read_commands();   // XREAD
std::span<const Command> stream_range_commands();  // XLEN, XRANGE, XREVRANGE
std::span<const Command> stream_edit_commands();   // XTRIM, XDEL, XSETID
std::span<const Command> stream_info_commands();   // XINFO

}  // namespace fencepost::commands
