// The list family, put together from its files.
#include "commands/list/family.h"

#include <vector>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> list_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part : {push_commands(), pop_commands(), blocking_pop_commands(),
                            list_move_commands(), list_read_commands(), list_edit_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
