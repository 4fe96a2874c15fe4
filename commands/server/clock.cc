// TIME: what the wall clock says.
#include <chrono>

#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

void write_text(resp::ReplyWriter& reply, std::int64_t number) {
  reply.bulk(std::to_string(number));
}

// TIME: seconds, and microseconds within the second. The moment of a command is known to the
// millisecond.
void time(Context& context, Arguments&) {
  const auto unix_ms = context.now.wall().time_since_epoch().count();
  context.reply.array(2);
  write_text(context.reply, unix_ms / 1000);
  write_text(context.reply, unix_ms % 1000 * 1000);
}

}  // namespace

Command time_command() {
  return {.name = "TIME",
          .group = "server",
          .since = "2.6.0",
          .summary = "The wall clock, in seconds and microseconds.",
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = Flag::loading | Flag::stale | Flag::fast,
          .compat = {Compat::differs, "whole milliseconds"},
          .run = time,
          .tips = "nondeterministic_output"};
}

}  // namespace fencepost::commands
