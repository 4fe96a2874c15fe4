// SHUTDOWN: asks the process to end. With a journal every end leaves it in order, so there is
// nothing more to save; without one there is nowhere to save to.
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

struct Options {
  bool save = false;
  bool no_save = false;
  bool now = false;
  bool force = false;
  bool abort = false;

  // SAVE and NOSAVE exclude each other, ABORT everything.
  bool make_sense() const {
    const bool any = save || no_save || now || force;
    return !(save && no_save) && !(abort && any);
  }
};

// False: a word that is none of them.
bool take(std::string_view word, Options& options) {
  if (same_word(word, "save")) return options.save = true;
  if (same_word(word, "nosave")) return options.no_save = true;
  if (same_word(word, "now")) return options.now = true;
  if (same_word(word, "force")) return options.force = true;
  if (same_word(word, "abort")) return options.abort = true;
  return false;
}

// SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE] [ABORT]: no reply but the end of the connection.
void shutdown(Context& context, Arguments& arguments) {
  Options options;
  for (const auto word : arguments.from(1)) {
    if (!take(word, options)) return context.reply.error(kSyntaxError);
  }
  if (!options.make_sense()) return context.reply.error(kSyntaxError);
  if (options.abort) return context.reply.error("ERR No shutdown in progress.");
  if (context.process.slow_script.runs && !options.no_save) return context.reply.error(kBusy);
  const Durability& durability = context.process.durability;
  if (options.save && !durability.enabled) {
    return context.reply.error(
        "ERR the state is kept in memory only (appendonly no), so nothing is saved");
  }
  // What the disk does not take would be lost.
  if (!durability.refusal.empty() && !options.no_save && !options.force) {
    return context.reply.error("ERR Errors trying to SHUTDOWN. Check logs.");
  }
  context.process.shutdown_requested = true;
}

}  // namespace

Command shutdown_command() {
  return {.name = "SHUTDOWN",
          .group = "server",
          .since = "1.0.0",
          .summary = "Ends the server.",
          .syntax = "[NOSAVE | SAVE] [NOW] [FORCE] [ABORT]",
          .complexity = "O(1)",
          .arity = at_least(1),
          .effect = Effect::session,
          .flags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale | Flag::no_multi |
                   Flag::allow_busy,
          .compat = {Compat::differs, "waits for no replica; SAVE is refused without appendonly"},
          .run = shutdown};
}

}  // namespace fencepost::commands
