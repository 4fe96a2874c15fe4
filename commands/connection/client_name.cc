// The names a client gives itself.
#include "commands/connection/client_name.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.h"

namespace fencepost::commands {

bool is_client_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; });
}

bool check_client_name_or_reply(Context& context, std::string_view name) {
  if (!is_client_name(name)) {
    context.reply.error("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
  }
  if (name.size() > kMaxClientNameBytes) {
    context.reply.error(
        fmt::format("ERR Client names cannot be longer than {} bytes.", kMaxClientNameBytes));
    return false;
  }
  return true;
}

}  // namespace fencepost::commands
