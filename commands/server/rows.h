// The rows of the server family, one noun a file; server_commands.cc lists them.
#pragma once

#include "commands/command.h"

namespace fencepost::commands {

Command command_command();          // introspection.cc
Command info_command();             // info.cc
Command time_command();             // clock.cc
Command last_save_command();        // files.cc
Command save_command();             // files.cc
Command background_save_command();  // files.cc
Command rewrite_log_command();      // files.cc
Command wait_command();             // replication.cc
Command wait_aof_command();         // replication.cc
Command role_command();             // replication.cc
Command memory_command();           // memory.cc
Command monitor_command();          // monitor.cc
Command slow_log_command();         // slow_log_command.cc
Command latency_command();          // latency_command.cc
Command lolwut_command();           // lolwut.cc
Command module_command();           // modules.cc
Command debug_command();            // debug.cc
Command shutdown_command();         // shutdown.cc
Command cluster_command();          // cluster.cc
Command readonly_command();         // cluster.cc
Command readwrite_command();        // cluster.cc
Command asking_command();           // cluster.cc

}  // namespace fencepost::commands
