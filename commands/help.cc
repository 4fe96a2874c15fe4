// HELP of a container: its subcommands as their rows describe them.
#include "commands/help.h"

#include <string>

#include "commands/command.h"
#include "commands/table.h"

namespace fencepost::commands {

void write_help(Context& context, std::string_view container, const std::vector<HelpLine>& lines) {
  context.reply.array(1 + 2 * lines.size());
  context.reply.simple(std::string{container} +
                       " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
  for (const HelpLine& line : lines) {
    auto head = std::string{line.name};
    if (!line.syntax.empty()) head.append(" ").append(line.syntax);
    context.reply.simple(head);
    context.reply.simple("    " + std::string{line.summary});
  }
}

void reply_help(Context& context, Arguments& arguments) {
  const auto* container = find_command(arguments[0]);
  if (container == nullptr) return context.reply.array(0);
  std::vector<HelpLine> lines;
  if (container->run != nullptr) lines.push_back({"(no subcommand)", "", container->summary});
  for (const auto& row : container->subcommands) {
    lines.push_back({row.name, row.syntax, row.summary});
  }
  write_help(context, container->name, lines);
}

}  // namespace fencepost::commands
