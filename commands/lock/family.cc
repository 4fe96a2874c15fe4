// The lock family, put together from its files.
#include "commands/lock/family.h"

#include <array>

#include "commands/table.h"

namespace fencepost::commands {

std::span<const Command> lock_commands() {
  static const std::array kRows{lock_command(),     lockmany_command(), unlock_command(),
                                extend_command(),   fence_command(),    lockinfo_command(),
                                lockscan_command(), lockbreak_command()};
  return kRows;
}

}  // namespace fencepost::commands
