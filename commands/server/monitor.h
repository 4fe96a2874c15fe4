// What a MONITOR client is shown of each request.
#pragma once

#include <string>

#include "commands/arguments.h"
#include "commands/context.h"

namespace fencepost::commands {

// Appends a whole simple reply: `+1700000000.123000 [0 127.0.0.1:40112] "set" "k" "v"`. Of what a
// script calls the address is "lua". Secrets are hidden (redaction.h).
void monitor_line(std::string& out, const Context& context, Arguments arguments);

}  // namespace fencepost::commands
