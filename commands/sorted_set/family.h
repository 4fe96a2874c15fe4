// The files of the sorted-set family: each one's rows.
#pragma once

#include <span>

#include "commands/command.h"

namespace fencepost::commands {

std::span<const Command> sorted_set_add_commands();      // ZADD, ZINCRBY
std::span<const Command> sorted_set_member_commands();   // ZREM, ZSCORE, ZRANK ...
std::span<const Command> sorted_set_range_commands();    // ZRANGE and its kin
std::span<const Command> sorted_set_extent_commands();   // ZCOUNT, ZREMRANGEBYSCORE ...
std::span<const Command> sorted_set_pop_commands();      // ZPOPMIN, BZMPOP ...
std::span<const Command> sorted_set_look_commands();     // ZRANDMEMBER, ZSCAN
std::span<const Command> sorted_set_combine_commands();  // ZUNION, ZINTERSTORE ...

}  // namespace fencepost::commands
