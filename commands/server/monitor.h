// What a MONITOR client is shown of each request.
#pragma once

#include <string>

#include "base/time.h"
#include "commands/arguments.h"
#include "commands/session.h"

namespace fencepost::commands {

// Appends a whole simple reply: `+1700000000.123000 [0 127.0.0.1:40112] "set" "k" "v"`. `session`
// is whose request it was. Secrets are hidden (redaction.h).
void monitor_line(std::string& out, Now now, const Session& session, Arguments arguments);

}  // namespace fencepost::commands
