// WAIT, WAITAOF and ROLE of a server that stands alone.
#include "commands/server/replication.h"

#include "base/number.h"
#include "commands/arguments.h"
#include "commands/blocking.h"
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

// WAITAOF numlocal numreplicas timeout: whether the caller's writes are synced here, and on how
// many replicas, of which there are none. Redis checks all words before it looks at itself.
void wait_aof(Context& context, Arguments& arguments) {
  const auto local = parse_integer(arguments[1]);
  if (!local) return context.reply.error(kNotAnInteger);
  if (*local < 0 || *local > 1) {
    return context.reply.error("ERR value is out of range, value must between 0 and 1");
  }
  const auto replicas = parse_integer(arguments[2]);
  if (!replicas || *replicas < 0) return context.reply.error(kOutOfRange);
  const auto deadline = timeout_ms_or_reply(context, arguments[3]);
  if (!deadline) return;
  const Durability& durability = context.process.durability;
  if (*local == 1 && !durability.enabled) {
    return context.reply.error(
        "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.");
  }
  const bool synced = durability.enabled && durability.is_synced(context.session.id);
  if (synced || *local == 0 || !context.may_wait) return write_synced(context.reply, synced);
  context.session.waits_for_sync = true;
  context.session.sync_deadline = *deadline;
  context.parked = true;
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

void write_synced(resp::ReplyWriter& reply, bool synced) {
  reply.array(2);
  reply.integer(synced ? 1 : 0);
  reply.integer(0);
}

Command wait_aof_command() {
  return {.name = "WAITAOF",
          .group = "generic",
          .since = "7.2.0",
          .summary = "Waits until this connection's writes are synced to the journal.",
          .syntax = "numlocal numreplicas timeout",
          .complexity = "O(1)",
          .arity = exactly(4),
          .effect = Effect::session,
          .flags = Flag::no_script,
          .categories = Category::connection,
          .compat = {Compat::later, "Redis 7.2; does not wait for replicas: there are none"},
          .run = wait_aof,
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
