// The rows of the connection family, file by file; connection_commands() puts them together.
#pragma once

#include "commands/arguments.h"
#include "commands/command.h"

namespace fencepost::commands {

Command hello_command();
Command auth_command();
Command select_command();
Command ping_command();
Command echo_command();
Command quit_command();
Command reset_command();
Command client_command();

// Parts of CLIENT that have a file of their own.
Command client_list_command();
Command client_info_command();
Command client_kill_command();
Command client_pause_command();
Command client_unpause_command();

}  // namespace fencepost::commands
