// HELP of a container: its subcommands as their rows describe them.
#include "commands/help.h"

#include <string>

#include "base/text.h"
#include "commands/command.h"
#include "commands/table.h"

namespace fencepost::commands {

void reply_help(Context& context, Arguments& arguments) {
  const auto* container = find_command(arguments[0]);
  if (container == nullptr) return context.reply.array(0);
  const bool alone_too = container->run != nullptr;
  context.reply.array(1 + 2 * (container->subcommands.size() + (alone_too ? 1 : 0)));
  context.reply.simple(std::string{container->name} +
                       " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
  if (alone_too) {
    context.reply.simple("(no subcommand)");
    context.reply.simple("    " + std::string{container->summary});
  }
  for (const auto& row : container->subcommands) {
    auto head = std::string{row.name};
    if (!row.syntax.empty()) head.append(" ").append(row.syntax);
    context.reply.simple(head);
    context.reply.simple("    " + std::string{row.summary});
  }
}

}  // namespace fencepost::commands
