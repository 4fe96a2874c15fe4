// The set family, put together from its files.
#include "commands/set/family.h"

#include <vector>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> set_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part : {set_member_commands(), set_algebra_commands(), set_sample_commands()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
