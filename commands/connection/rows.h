// The rows of the connection family, file by file; connection_commands() puts them together.
#pragma once

#include <cstdint>
#include <vector>

#include "commands/arguments.h"
#include "commands/command.h"
#include "commands/session.h"

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

// CLIENT TRACKING, CACHING, GETREDIR, TRACKINGINFO.
std::vector<Command> client_tracking_commands();
// Who gets what the session tracks: 0 itself, -1 when it does not track.
std::int64_t redirection_of(const Session& session);

}  // namespace fencepost::commands
