// The pub/sub family, put together from its files.
#include <vector>

#include "commands/pubsub/rows.h"
#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> pubsub_commands() {
  static const std::vector<Command> kRows = [] {
    std::vector<Command> rows;
    for (const auto part : {subscribe_commands(), publish_commands()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    rows.push_back(pubsub_command());
    return rows;
  }();
  return kRows;
}

}  // namespace fencepost::commands
