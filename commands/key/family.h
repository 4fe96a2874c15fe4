// The files of the key family: each one's rows.
#pragma once

#include <span>

#include "commands/command.h"

namespace fencepost::commands {

std::span<const Command> life_commands();    // DEL, EXISTS, TYPE, TOUCH ...
std::span<const Command> move_commands();    // RENAME, COPY, MOVE, SWAPDB
std::span<const Command> expire_commands();  // EXPIRE and its kin, PERSIST
std::span<const Command> ttl_commands();     // TTL and its kin
std::span<const Command> scan_commands();    // KEYS, SCAN, RANDOMKEY, DBSIZE, FLUSHALL ...
std::span<const Command> sort_commands();    // SORT
std::span<const Command> object_commands();  // OBJECT

}  // namespace fencepost::commands
