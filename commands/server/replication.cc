// WAIT and ROLE of a server that stands alone.
#include "base/number.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

// WAIT numreplicas timeout: there are no replicas, and that is known at once.
void wait(Context& context, Arguments& arguments) {
  if (!parse_integer(arguments[1])) return context.reply.error(kNotAnInteger);
  const auto timeout_ms = parse_integer(arguments[2]);
  if (!timeout_ms) return context.reply.error("ERR timeout is not an integer or out of range");
  if (*timeout_ms < 0) return context.reply.error("ERR timeout is negative");
  context.reply.integer(0);
}

// ROLE: a master, its offset, its replicas.
void role(Context& context, Arguments&) {
  context.reply.array(3);
  context.reply.bulk("master");
  context.reply.integer(0);
  context.reply.array(0);
}

}  // namespace

Command wait_command() {
  return {.name = "WAIT",
          .group = "generic",
          .since = "3.0.0",
          .summary = "Counts the replicas that have this connection's writes.",
          .syntax = "numreplicas timeout",
          .complexity = "O(1)",
          .arity = exactly(3),
          .effect = Effect::session,
          .flags = Flag::no_script,
          .categories = Category::connection,
          .compat = {Compat::differs, "answers 0 at once: there are no replicas yet"},
          .run = wait,
          .tips = "request_policy:all_shards response_policy:agg_min"};
}

Command role_command() {
  return {.name = "ROLE",
          .group = "server",
          .since = "2.8.12",
          .summary = "Which part this server plays in replication.",
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = Flag::no_script | Flag::loading | Flag::stale | Flag::fast,
          .categories = Category::admin | Category::dangerous,
          .run = role};
}

}  // namespace fencepost::commands
