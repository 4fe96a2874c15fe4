// HELP of a container: its subcommands as their rows describe them.
#pragma once

#include <string_view>
#include <vector>

#include "commands/arguments.h"
#include "commands/context.h"

namespace fencepost::commands {

struct HelpLine {
  std::string_view name;
  std::string_view syntax;
  std::string_view summary;
};

// An array of simple strings, as Redis lays it out.
void write_help(Context& context, std::string_view container, const std::vector<HelpLine>& lines);

// The handler of every `X HELP` row: in the words of the rows.
void reply_help(Context& context, Arguments& arguments);

}  // namespace fencepost::commands
