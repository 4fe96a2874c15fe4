// The scripting family, put together from its files.
#include <vector>

#include "commands/script/rows.h"
#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> script_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows{eval_rows().begin(), eval_rows().end()};
    rows.push_back(script_command());
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
