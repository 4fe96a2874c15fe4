// SCRIPT: which scripts the server knows by name.
#include <array>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/help.h"
#include "commands/rows.h"
#include "commands/script/rows.h"
#include "commands/script/scripts.h"

namespace fencepost::commands {

namespace {

constexpr std::string_view kUnkillable =
    "UNKILLABLE Sorry the script already executed write commands against the dataset. You can "
    "either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE "
    "command.";

// SCRIPT LOAD script
void load(Context& context, Arguments& args) {
  const auto script = context.process.scripts.load(args[2], Scripts::Came::with_load);
  if (!script) return context.reply.error(script.error().what);
  context.reply.bulk((*script)->name);
}

// SCRIPT EXISTS sha1 [sha1 ...]
void exists(Context& context, Arguments& args) {
  context.reply.array(args.size() - 2);
  for (const std::string_view name : args.from(2)) {
    context.reply.integer(context.process.scripts.knows(name) ? 1 : 0);
  }
}

// SCRIPT FLUSH [ASYNC | SYNC]: at once, either way.
void flush(Context& context, Arguments& args) {
  const bool understood =
      args.size() == 2 ||
      (args.size() == 3 && (same_word(args[2], "SYNC") || same_word(args[2], "ASYNC")));
  if (!understood) {
    return context.reply.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  }
  context.process.scripts.flush();
  context.reply.simple("OK");
}

// SCRIPT KILL: of a script that others can see, for it runs for long.
void kill(Context& context, Arguments&) {
  SlowScript& script = context.process.slow_script;
  if (!script.runs) return context.reply.error("NOTBUSY No scripts in execution right now.");
  if (script.wrote) return context.reply.error(kUnkillable);
  script.killed = true;
  context.reply.simple("OK");
}

// SCRIPT DEBUG YES | SYNC | NO: there is no debugger, so only NO is true.
void debug(Context& context, Arguments& args) {
  if (same_word(args[2], "NO")) return context.reply.simple("OK");
  if (same_word(args[2], "YES") || same_word(args[2], "SYNC")) {
    return context.reply.error("ERR the script debugger is not available");
  }
  context.reply.error("ERR Use SCRIPT DEBUG YES/SYNC/NO");
}

constexpr Category kCategories = Category::scripting | Category::slow;

constexpr std::array kSubcommands{
    Command{.name = "DEBUG",
            .group = "scripting",
            .since = "3.2.0",
            .summary = "Would start the debugger of scripts, which there is not; NO is accepted.",
            .syntax = "<YES | SYNC | NO>",
            .complexity = "O(1)",
            .arity = exactly(3),
            .effect = Effect::session,
            .flags = Flag::no_script,
            .categories = kCategories,
            .compat = {Compat::differs, "no debugger: YES and SYNC are refused"},
            .run = debug},
    Command{.name = "EXISTS",
            .group = "scripting",
            .since = "2.6.0",
            .summary = "Says for each name whether the server knows that script.",
            .syntax = "sha1 [sha1 ...]",
            .complexity = "O(n) for n names",
            .arity = at_least(3),
            .effect = Effect::session,
            .flags = Flag::no_script,
            .categories = kCategories,
            .compat = kSame,
            .run = exists,
            .tips = "request_policy:all_shards response_policy:agg_logical_and"},
    Command{.name = "FLUSH",
            .group = "scripting",
            .since = "2.6.0",
            .summary = "Forgets all scripts.",
            .syntax = "[ASYNC | SYNC]",
            .complexity = "O(n) for n scripts",
            .arity = at_least(2),
            .effect = Effect::session,
            .flags = Flag::no_script,
            .categories = kCategories,
            .compat = kSame,
            .run = flush,
            .tips = "request_policy:all_nodes response_policy:all_succeeded"},
    Command{.name = "HELP",
            .group = "scripting",
            .since = "5.0.0",
            .summary = "Lists the subcommands.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = Flag::loading | Flag::stale,
            .categories = kCategories,
            .compat = {Compat::differs, "in our own words"},
            .run = reply_help},
    Command{.name = "KILL",
            .group = "scripting",
            .since = "2.6.0",
            .summary = "Ends the script that runs, if it has not written yet.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = Flag::no_script | Flag::allow_busy,
            .categories = kCategories,
            .compat = kSame,
            .run = kill,
            .tips = "request_policy:all_shards response_policy:one_succeeded"},
    Command{.name = "LOAD",
            .group = "scripting",
            .since = "2.6.0",
            .summary = "Compiles a script and remembers it, without running it.",
            .syntax = "script",
            .complexity = "O(n) for n bytes of text",
            .arity = exactly(3),
            .effect = Effect::session,
            .flags = Flag::no_script | Flag::stale,
            .categories = kCategories,
            .compat = kSame,
            .run = load,
            .tips = "request_policy:all_nodes response_policy:all_succeeded"},
};

}  // namespace

Command script_command() {
  return {.name = "SCRIPT",
          .group = "scripting",
          .since = "2.6.0",
          .summary = "Manages the scripts that the server knows.",
          .complexity = "See the subcommands",
          .arity = at_least(2),
          .effect = Effect::session,
          .categories = Category::slow,
          .compat = kSame,
          .subcommands = kSubcommands};
}

}  // namespace fencepost::commands
