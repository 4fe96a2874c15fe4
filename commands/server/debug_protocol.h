// DEBUG PROTOCOL: one reply of each type, for those who write clients.
#pragma once

#include "commands/arguments.h"
#include "commands/context.h"

namespace fencepost::commands {

// DEBUG PROTOCOL type: the sample that Redis answers, in the protocol of the connection.
void reply_sample(Context& context, Arguments& arguments);

}  // namespace fencepost::commands
