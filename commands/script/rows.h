// The rows of the scripting family; family.cc lists them.
#pragma once

#include <span>

#include "commands/command.h"

namespace fencepost::commands {

std::span<const Command> eval_rows();  // eval.cc
Command script_command();              // script.cc

}  // namespace fencepost::commands
