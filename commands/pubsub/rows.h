// Pub/sub: the rows of each file of the family, and what other rooms of commands need of it.
#pragma once

#include <span>
#include <string_view>

#include "commands/arguments.h"
#include "commands/command.h"
#include "commands/context.h"

namespace fencepost::commands {

std::span<const Command> subscribe_commands();
std::span<const Command> publish_commands();
Command pubsub_command();

// False when no channel may have that name; then the command is answered.
bool channel_fits_or_reply(Context& context, std::string_view channel);

// What a client that listens may still send in RESP2.
bool is_for_subscribers(const Command& command);

// The client listens to nothing any more, and is not told so: RESET, a connection that closed.
void leave_all_channels(Process& process, Session& session);

}  // namespace fencepost::commands
