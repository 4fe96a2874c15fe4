// The hash family, put together from its files.
#include "commands/hash/family.h"

#include <vector>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> hash_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part : {hash_write_commands(), hash_read_commands(), hash_number_commands(),
                            hash_sample_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
