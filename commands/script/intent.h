// What a request to run a script will do, as far as the script's first line says.
#pragma once

#include <optional>

#include "commands/arguments.h"
#include "commands/command.h"
#include "commands/process.h"

namespace fencepost::commands {

struct ScriptIntent {
  bool writes = true;
  bool grows = true;  // may take memory
};

// Nothing for commands that run no script, and for scripts that are not known or without such a
// line.
std::optional<ScriptIntent> script_intent(Process& process, const Command& command,
                                          Arguments arguments);

}  // namespace fencepost::commands
