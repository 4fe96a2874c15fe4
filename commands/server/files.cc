// SAVE and its companions: pictures of the state, which the journal goes on from. Without a journal
// they say so rather than claim that something was saved.
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

constexpr std::string_view kNoFiles =
    "ERR the state is kept in memory only (appendonly no), so nothing is saved";

// SAVE
void save(Context& context, Arguments&) {
  Durability& durability = context.process.durability;
  if (!durability.enabled) return context.reply.error(kNoFiles);
  if (durability.rewriting) return context.reply.error("ERR Background save already in progress");
  const Result<void> saved = durability.save();
  if (!saved) return context.reply.error("ERR " + saved.error().what);
  context.reply.simple("OK");
}

void begin_picture(Context& context, std::string_view begun) {
  Durability& durability = context.process.durability;
  if (!durability.enabled) return context.reply.error(kNoFiles);
  if (durability.rewriting) {
    return context.reply.error("ERR Background append only file rewriting already in progress");
  }
  if (!durability.begin_rewrite()) {
    return context.reply.error("ERR the journal cannot be written; see the log");
  }
  context.reply.simple(begun);
}

// BGREWRITEAOF
void rewrite_log(Context& context, Arguments&) {
  begin_picture(context, "Background append only file rewriting started");
}

// BGSAVE [SCHEDULE]
void refuse_in_background(Context& context, Arguments& arguments) {
  const bool well_formed =
      arguments.size() == 1 || (arguments.size() == 2 && same_word(arguments[1], "schedule"));
  if (!well_formed) return context.reply.error(kSyntaxError);
  begin_picture(context, "Background saving started");
}

// LASTSAVE: as Redis before its first save, the moment of the start.
void last_save(Context& context, Arguments&) {
  const std::int64_t saved_s = context.process.durability.last_save_s;
  if (saved_s > 0) return context.reply.integer(saved_s);
  context.reply.integer(to_unix_ms(context.process.identity.started_at, context.now) / 1000);
}

constexpr auto kFlags = Flag::admin | Flag::no_script | Flag::no_async_loading;
constexpr CompatNote kPicture{Compat::differs,
                              "a picture of the journal's own; refused without appendonly"};

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
          .compat = {Compat::differs, "the moment of the last picture, or of the start"},
          .run = last_save,
          .tips = "nondeterministic_output"};
}

Command save_command() {
  return {.name = "SAVE",
          .group = "server",
          .since = "1.0.0",
          .summary = "Draws a picture of the state while everybody waits.",
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = kFlags | Flag::no_multi,
          .compat = kPicture,
          .run = save};
}

Command background_save_command() {
  return {.name = "BGSAVE",
          .group = "server",
          .since = "1.0.0",
          .summary = "Draws a picture of the state behind the clients' backs.",
          .syntax = "[SCHEDULE]",
          .complexity = "O(1)",
          .arity = at_least(1),
          .effect = Effect::session,
          .flags = kFlags,
          .compat = kPicture,
          .run = refuse_in_background};
}

Command rewrite_log_command() {
  return {.name = "BGREWRITEAOF",
          .group = "server",
          .since = "1.0.0",
          .summary = "Draws a picture of the state, so that the journal can be short.",
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = kFlags,
          .compat = kPicture,
          .run = rewrite_log};
}

}  // namespace fencepost::commands
