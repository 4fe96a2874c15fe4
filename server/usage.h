// What this process takes of the machine: memory and processor time.
#pragma once

#include "commands/process.h"

namespace fencepost::server {

// Lets the commands ask for it (INFO, MEMORY), and MEMORY PURGE give unused memory back.
void provide_usage(commands::Process& process);

}  // namespace fencepost::server
