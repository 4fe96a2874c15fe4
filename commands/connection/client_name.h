// The names a client gives itself: CLIENT SETNAME, HELLO SETNAME, CLIENT SETINFO.
#pragma once

#include <string_view>

#include "commands/context.h"

namespace fencepost::commands {

// Printable ASCII without spaces, so that a line of CLIENT LIST stays a line.
bool is_client_name(std::string_view name);

// Checks it, answering the error itself when it will not do. Nothing is set yet.
bool check_client_name_or_reply(Context& context, std::string_view name);

}  // namespace fencepost::commands
