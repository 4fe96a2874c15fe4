// What a request may do to the server, asked before it runs: change something, or take memory.
#pragma once

#include "commands/arguments.h"
#include "commands/command.h"
#include "commands/process.h"
#include "commands/session.h"

namespace fencepost::commands {

// CLIENT PAUSE WRITE holds it back. An EXEC may do what anything in its queue may; a script what
// its first line says, and without one anything.
bool may_write(Process& process, const Session& session, const Command& command,
               Arguments arguments);
// Refused while min-replicas-to-write asks for replicas: writes, and an EXEC of any. Scripts are
// asked when they run.
bool is_write(Process& process, const Session& session, const Command& command,
              Arguments arguments);
// Refused while more than maxmemory is in use: commands that may make things larger, scripts that
// say nothing else of themselves in a first line, and whatever would be queued for EXEC.
bool takes_memory(Process& process, const Session& session, const Command& command,
                  Arguments arguments);

}  // namespace fencepost::commands
