// The handlers of the transaction family that another file needs to know.
#pragma once

#include "commands/arguments.h"
#include "commands/command.h"

namespace fencepost::commands {

// EXEC where no entry is made of it: without MULTI, or with a refused transaction.
void exec(Context& context, Arguments& args);

}  // namespace fencepost::commands
