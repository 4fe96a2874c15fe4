// The key family, put together from its files.
#include "commands/key/family.h"

#include <vector>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> key_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part : {life_commands(), move_commands(), expire_commands(), ttl_commands(),
                            scan_commands(), sort_commands(), object_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
