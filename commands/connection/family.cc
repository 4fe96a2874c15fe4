// The connection family, put together from its files.
#include <vector>

#include "commands/connection/rows.h"
#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> connection_commands() {
  static const std::vector<Command> kRows = {
      hello_command(), auth_command(), select_command(), ping_command(),
      echo_command(),  quit_command(), reset_command(),  client_command(),
  };
  return kRows;
}

}  // namespace fencepost::commands
