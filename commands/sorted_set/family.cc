// The sorted-set family, put together from its files.
#include "commands/sorted_set/family.h"

#include <vector>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> sorted_set_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part :
         {sorted_set_add_commands(), sorted_set_member_commands(), sorted_set_range_commands(),
          sorted_set_extent_commands(), sorted_set_pop_commands(), sorted_set_look_commands(),
          sorted_set_combine_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
