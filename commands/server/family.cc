// The server family, put together from its files.
#include <vector>

#include "commands/server/config.h"
#include "commands/server/rows.h"
#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> server_commands() {
  static const std::vector<Command> kRows = {
      asking_command(),    background_save_command(),
      cluster_command(),   command_command(),
      config_command(),    debug_command(),
      info_command(),      last_save_command(),
      latency_command(),   lolwut_command(),
      memory_command(),    module_command(),
      monitor_command(),   readonly_command(),
      readwrite_command(), rewrite_log_command(),
      role_command(),      save_command(),
      shutdown_command(),  slow_log_command(),
      time_command(),      wait_command(),
      wait_aof_command(),
  };
  return kRows;
}

}  // namespace fencepost::commands
