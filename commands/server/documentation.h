// A row as COMMAND DOCS shows it.
#pragma once

#include "commands/command.h"
#include "resp/writer.h"

namespace fencepost::commands {

// The name, then the map that documents it: two members of the reply's map.
void write_documentation(resp::ReplyWriter& reply, const Command* container,
                         const Command& command);

}  // namespace fencepost::commands
