// MODULE: there are none, and none can be loaded.
#include <array>

#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/help.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

void list(Context& context, Arguments&) {
  context.reply.array(0);
}

constexpr std::array kSubcommands{
    Command{.name = "HELP",
            .group = "server",
            .since = "5.0.0",
            .summary = "Lists what MODULE can be asked.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = Flag::loading | Flag::stale,
            .compat = {Compat::differs, "own words"},
            .run = reply_help},
    Command{.name = "LIST",
            .group = "server",
            .since = "4.0.0",
            .summary = "Lists no modules: there are none.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = Flag::admin | Flag::no_script,
            .run = list,
            .tips = "nondeterministic_output_order"},
};

}  // namespace

Command module_command() {
  return {.name = "MODULE",
          .group = "server",
          .since = "4.0.0",
          .summary = "Modules, of which there are none.",
          .complexity = "Depends on subcommand.",
          .arity = at_least(2),
          .effect = Effect::session,
          .compat = {Compat::differs, "no LOAD, LOADEX, UNLOAD"},
          .subcommands = kSubcommands};
}

}  // namespace fencepost::commands
