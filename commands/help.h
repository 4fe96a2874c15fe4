// HELP of a container: its subcommands as their rows describe them.
#pragma once

#include "commands/arguments.h"
#include "commands/context.h"

namespace fencepost::commands {

// The handler of every `X HELP` row: an array of simple strings, as Redis lays it out, in the words
// of the rows.
void reply_help(Context& context, Arguments& arguments);

}  // namespace fencepost::commands
