// The small commands of a connection: PING, ECHO, SELECT, QUIT, RESET.
#include <limits>
#include <optional>

#include "base/number.h"
#include "commands/connection/login.h"
#include "commands/connection/rows.h"
#include "commands/errors.h"
#include "commands/pubsub/rows.h"
#include "commands/rows.h"
#include "commands/tracking/tracking.h"
#include "commands/transaction/exec.h"

namespace fencepost::commands {

namespace {

// PING [message]
void ping(Context& context, Arguments& args) {
  if (args.size() > 2) {
    return context.reply.error("ERR wrong number of arguments for 'ping' command");
  }
  // In RESP2 a subscriber must be able to tell it from a message.
  if (context.session.subscribed() && context.reply.protocol() == resp::Protocol::resp2) {
    context.reply.array(2);
    context.reply.bulk("pong");
    return context.reply.bulk(args.size() == 2 ? args[1] : std::string_view{});
  }
  if (args.size() == 2) return context.reply.bulk(args[1]);
  context.reply.simple("PONG");
}

// ECHO message
void echo(Context& context, Arguments& args) {
  context.reply.bulk(args[1]);
}

// SELECT index
void select(Context& context, Arguments& args) {
  const std::optional<std::int64_t> index = parse_integer(args[1]);
  if (!index) return context.reply.error(kNotAnInteger);
  if (*index < std::numeric_limits<int>::min() || *index > std::numeric_limits<int>::max()) {
    return context.reply.error(
        "ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  if (*index < 0 || *index >= context.process.settings.values.databases) {
    return context.reply.error("ERR DB index is out of range");
  }
  context.session.database = static_cast<DatabaseIndex>(*index);
  context.reply.simple("OK");
}

// QUIT: whatever follows it on the command line.
void quit(Context& context, Arguments&) {
  context.session.close_after_reply = true;
  context.reply.simple("OK");
}

// RESET: as if the connection had just been made. What the client said about itself stays, but its
// name goes.
void reset(Context& context, Arguments&) {
  Session& session = context.session;
  discard_transaction(context);
  leave_all_channels(context.process, session);
  stop_tracking(context.state, context.process, session);
  if (session.monitoring) {
    session.monitoring = false;
    --context.process.monitor_count;
  }
  session.database = 0;
  session.protocol = resp::Protocol::resp2;
  session.name.clear();
  // RESET itself may be what CLIENT REPLY SKIP leaves out.
  if (session.replies != ReplyMode::skip_this) session.replies = ReplyMode::on;
  session.no_touch = false;
  start_login(context.process.settings.values, session);
  context.reply.set_protocol(resp::Protocol::resp2);
  context.reply.simple("RESET");
}

constexpr Flag kAnyTime = Flag::loading | Flag::stale | Flag::fast;
constexpr Category kCategories = Category::fast | Category::connection;

}  // namespace

Command ping_command() {
  return {.name = "PING",
          .group = "connection",
          .since = "1.0.0",
          .summary = "Answers PONG, or the message.",
          .syntax = "[message]",
          .complexity = "O(1)",
          .arity = at_least(1),
          .effect = Effect::session,
          .flags = Flag::fast,
          .categories = kCategories,
          .compat = kSame,
          .run = ping,
          .tips = "request_policy:all_shards response_policy:all_succeeded"};
}

Command echo_command() {
  return {.name = "ECHO",
          .group = "connection",
          .since = "1.0.0",
          .summary = "Answers the message.",
          .syntax = "message",
          .complexity = "O(1)",
          .arity = exactly(2),
          .effect = Effect::session,
          .flags = kAnyTime,
          .categories = kCategories,
          .compat = kSame,
          .run = echo};
}

Command select_command() {
  return {.name = "SELECT",
          .group = "connection",
          .since = "1.0.0",
          .summary = "Chooses the database that the connection works in.",
          .syntax = "index",
          .complexity = "O(1)",
          .arity = exactly(2),
          .effect = Effect::session,
          .flags = kAnyTime,
          .categories = kCategories,
          .compat = kSame,
          .run = select};
}

Command quit_command() {
  return {
      .name = "QUIT",
      .group = "connection",
      .since = "1.0.0",
      .summary = "Answers OK and closes the connection.",
      .syntax = "",
      .complexity = "O(1)",
      .arity = at_least(1),
      .effect = Effect::session,
      .flags = kAnyTime | Flag::no_script | Flag::no_auth | Flag::allow_busy | Flag::transaction,
      .categories = kCategories,
      .compat = kSame,
      .run = quit};
}

Command reset_command() {
  return {
      .name = "RESET",
      .group = "connection",
      .since = "6.2.0",
      .summary = "Takes the connection back to how it was when it was made.",
      .syntax = "",
      .complexity = "O(1)",
      .arity = exactly(1),
      .effect = Effect::session,
      .flags = kAnyTime | Flag::no_script | Flag::no_auth | Flag::allow_busy | Flag::transaction,
      .categories = kCategories,
      .compat = kSame,
      .run = reset};
}

}  // namespace fencepost::commands
