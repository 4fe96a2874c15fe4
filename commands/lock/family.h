// The lock family: one file a command, each with its row.
#pragma once

#include "commands/command.h"

namespace fencepost::commands {

const Command& lock_command();
const Command& lockmany_command();
const Command& unlock_command();
const Command& extend_command();
const Command& fence_command();
const Command& lockinfo_command();
const Command& lockscan_command();
const Command& lockbreak_command();

}  // namespace fencepost::commands
