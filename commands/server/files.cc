// SAVE and its companions: this version keeps no files, and says so rather than claim that
// something was saved.
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

constexpr std::string_view kNoFiles =
    "ERR this version keeps its state in memory and writes no files";

void refuse(Context& context, Arguments&) {
  context.reply.error(kNoFiles);
}

// BGSAVE [SCHEDULE]
void refuse_in_background(Context& context, Arguments& arguments) {
  const bool well_formed =
      arguments.size() == 1 || (arguments.size() == 2 && same_word(arguments[1], "schedule"));
  context.reply.error(well_formed ? kNoFiles : kSyntaxError);
}

// LASTSAVE: as Redis before its first save, the moment of the start.
void last_save(Context& context, Arguments&) {
  context.reply.integer(to_unix_ms(context.process.identity.started_at, context.now) / 1000);
}

constexpr auto kFlags = Flag::admin | Flag::no_script | Flag::no_async_loading;
constexpr CompatNote kRefused{Compat::differs, "refused: this version keeps no files"};

}  // namespace

Command last_save_command() {
  return {.name = "LASTSAVE",
          .group = "server",
          .since = "1.0.0",
          .summary = "When the state was last saved, in Unix time.",
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = Flag::loading | Flag::stale | Flag::fast,
          .categories = Category::admin | Category::dangerous,
          .compat = {Compat::differs, "the moment of the start: nothing is saved yet"},
          .run = last_save,
          .tips = "nondeterministic_output"};
}

Command save_command() {
  return {.name = "SAVE",
          .group = "server",
          .since = "1.0.0",
          .summary = "Refused: this version keeps no files.",
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = kFlags | Flag::no_multi,
          .compat = kRefused,
          .run = refuse};
}

Command background_save_command() {
  return {.name = "BGSAVE",
          .group = "server",
          .since = "1.0.0",
          .summary = "Refused: this version keeps no files.",
          .syntax = "[SCHEDULE]",
          .complexity = "O(1)",
          .arity = at_least(1),
          .effect = Effect::session,
          .flags = kFlags,
          .compat = kRefused,
          .run = refuse_in_background};
}

Command rewrite_log_command() {
  return {.name = "BGREWRITEAOF",
          .group = "server",
          .since = "1.0.0",
          .summary = "Refused: this version keeps no files.",
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = kFlags,
          .compat = kRefused,
          .run = refuse};
}

}  // namespace fencepost::commands
