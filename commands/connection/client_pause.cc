// CLIENT PAUSE and UNPAUSE: commands wait, or only those that write.
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "commands/connection/rows.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

std::optional<Pause::What> pause_kind(std::string_view word) {
  if (same_word(word, "WRITE")) return Pause::What::writes;
  if (same_word(word, "ALL")) return Pause::What::all;
  return std::nullopt;
}

// A pause asked for during another makes it longer or stricter, never shorter or laxer.
void lengthen(Pause& current, Instant now, Instant until, Pause::What what) {
  if (current.active(now)) {
    until = std::max(until, current.until);
    if (current.what == Pause::What::all) what = Pause::What::all;
  }
  current.until = until;
  current.what = what;
}

// CLIENT PAUSE timeout [WRITE | ALL]
void client_pause(Context& context, Arguments& args) {
  if (args.size() > 4) {
    return context.reply.error(fmt::format(
        "ERR unknown subcommand or wrong number of arguments for '{}'. Try CLIENT HELP.", args[1]));
  }
  Pause::What what = Pause::What::all;
  if (args.size() == 4) {
    const std::optional<Pause::What> kind = pause_kind(args[3]);
    if (!kind) return context.reply.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
    what = *kind;
  }
  const std::optional<std::int64_t> timeout = parse_integer(args[2]);
  if (!timeout) return context.reply.error("ERR timeout is not an integer or out of range");
  if (*timeout < 0) return context.reply.error("ERR timeout is negative");
  const Instant now = context.now.log;
  // Where Redis 7.0 wraps round and does not pause at all, its successors answer this.
  if (saturating_add(now, Duration{*timeout}) == kNever) {
    return context.reply.error("ERR timeout is out of range");
  }
  lengthen(context.process.pause, now, saturating_add(now, Duration{*timeout}), what);
  context.reply.simple("OK");
}

// CLIENT UNPAUSE
void client_unpause(Context& context, Arguments&) {
  context.process.pause = Pause{};
  context.reply.simple("OK");
}

constexpr Flag kFlags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale;
constexpr Category kCategories =
    Category::admin | Category::slow | Category::dangerous | Category::connection;

}  // namespace

Command client_pause_command() {
  return {.name = "PAUSE",
          .group = "connection",
          .since = "2.9.50",
          .summary = "Lets commands wait for a time, all of them or those that write.",
          .syntax = "timeout [WRITE | ALL]",
          .complexity = "O(1)",
          .arity = at_least(3),
          .effect = Effect::session,
          .flags = kFlags,
          .categories = kCategories,
          .compat = {Compat::same, "a timeout beyond the end of time is an error, as in Redis 7.2"},
          .run = client_pause};
}

Command client_unpause_command() {
  return {.name = "UNPAUSE",
          .group = "connection",
          .since = "6.2.0",
          .summary = "Ends CLIENT PAUSE.",
          .syntax = "",
          .complexity = "O(n) for n clients that wait",
          .arity = exactly(2),
          .effect = Effect::session,
          .flags = kFlags,
          .categories = kCategories,
          .compat = kSame,
          .run = client_unpause};
}

}  // namespace fencepost::commands
