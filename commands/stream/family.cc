// The stream family, put together from its files.
#include "commands/stream/family.h"

#include <vector>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> stream_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part : {stream_add_commands(), stream_read_commands(), stream_range_commands(),
                            stream_edit_commands(), stream_info_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
