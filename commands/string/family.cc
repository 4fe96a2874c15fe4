// The string family, put together from its files.
#include "commands/string/family.h"

#include <vector>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> string_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part : {put_commands(), get_commands(), number_commands(), edit_commands(),
                            compare_commands(), lcs_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
