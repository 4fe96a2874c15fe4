// CONFIG, for the table of the server family.
#pragma once

#include "commands/command.h"

namespace fencepost::commands {

const Command& config_command();

}  // namespace fencepost::commands
