// SUBSCRIBE, PSUBSCRIBE, SSUBSCRIBE and their opposites. Each name is confirmed by a push of its
// own, which CLIENT REPLY OFF does not silence.
#include <optional>

#include <fmt/format.h>

#include "base/limits.h"
#include "commands/lookup.h"
#include "commands/pubsub/push.h"
#include "commands/pubsub/rows.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

// What the confirmation counts: shard channels apart, the other two together.
std::size_t counted(const Session& session, Audience kind) {
  if (kind == Audience::shard) return session.subscribed_to(Audience::shard);
  return session.subscribed_to(Audience::channel) + session.subscribed_to(Audience::pattern);
}

void confirm(Context& context, std::string_view what, Audience kind, const std::string_view* name) {
  write_subscribed(context.reply, what, name, counted(context.session, kind));
  context.unsilenced = true;
}

bool fit_or_reply(Context& context, Audience kind, std::span<const std::string_view> names) {
  const Session& session = context.session;
  std::size_t bytes = context.process.subscriptions.bytes_of(session.id);
  for (const std::string_view name : names) {
    const bool fits = kind == Audience::pattern ? pattern_fits_or_reply(context, name)
                                                : channel_fits_or_reply(context, name);
    if (!fits) return false;
    bytes += name.size();
  }
  if (session.subscription_count() + names.size() > kMaxSubscriptions) {
    context.reply.error(
        fmt::format("ERR one client listens to at most {} names", kMaxSubscriptions));
    return false;
  }
  if (bytes > kMaxSubscriptionBytes) {
    context.reply.error(fmt::format(
        "ERR the names that one client listens to have at most {} bytes", kMaxSubscriptionBytes));
    return false;
  }
  return true;
}

void listen(Context& context, const Arguments& args, Audience kind, std::string_view what) {
  if (!fit_or_reply(context, kind, args.from(1))) return;
  for (const std::string_view name : args.from(1)) {
    if (context.process.subscriptions.add(context.session.id, kind, name)) {
      ++context.session.subscriptions[static_cast<std::size_t>(kind)];
    }
    confirm(context, what, kind, &name);
  }
}

void stop(Context& context, Audience kind, std::string_view what, std::string_view name) {
  if (context.process.subscriptions.remove(context.session.id, kind, name)) {
    --context.session.subscriptions[static_cast<std::size_t>(kind)];
  }
  confirm(context, what, kind, &name);
}

// The names that are given, or all there are.
void stop_listening(Context& context, const Arguments& args, Audience kind, std::string_view what) {
  if (args.size() > 1) {
    for (const std::string_view name : args.from(1)) stop(context, kind, what, name);
    return;
  }
  const auto names = context.process.subscriptions.names_of(context.session.id, kind);
  for (const std::string& name : names) stop(context, kind, what, name);
  if (names.empty()) confirm(context, what, kind, nullptr);
}

// SUBSCRIBE channel [channel ...]
void subscribe(Context& context, Arguments& args) {
  listen(context, args, Audience::channel, "subscribe");
}

// UNSUBSCRIBE [channel [channel ...]]
void unsubscribe(Context& context, Arguments& args) {
  stop_listening(context, args, Audience::channel, "unsubscribe");
}

// PSUBSCRIBE pattern [pattern ...]
void psubscribe(Context& context, Arguments& args) {
  listen(context, args, Audience::pattern, "psubscribe");
}

// PUNSUBSCRIBE [pattern [pattern ...]]
void punsubscribe(Context& context, Arguments& args) {
  stop_listening(context, args, Audience::pattern, "punsubscribe");
}

// SSUBSCRIBE shardchannel [shardchannel ...]: not within a transaction, as in Redis.
void ssubscribe(Context& context, Arguments& args) {
  if (context.in_transaction) {
    return context.reply.error("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client");
  }
  listen(context, args, Audience::shard, "ssubscribe");
}

// SUNSUBSCRIBE [shardchannel [shardchannel ...]]
void sunsubscribe(Context& context, Arguments& args) {
  stop_listening(context, args, Audience::shard, "sunsubscribe");
}

constexpr Flag kFlags = Flag::pubsub | Flag::no_script | Flag::loading | Flag::stale;
constexpr Category kCategories = Category::pubsub | Category::slow;

constexpr Command kRows[] = {
    {.name = "SUBSCRIBE",
     .group = "pubsub",
     .since = "2.0.0",
     .summary = "Listens to channels.",
     .syntax = "channel [channel ...]",
     .complexity = "O(n) for n channels",
     .arity = at_least(2),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = kSame,
     .run = subscribe},
    {.name = "UNSUBSCRIBE",
     .group = "pubsub",
     .since = "2.0.0",
     .summary = "Listens to channels no longer; to none, when none is named.",
     .syntax = "[channel [channel ...]]",
     .complexity = "O(n) for n channels",
     .arity = at_least(1),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = {Compat::same, "but for the order in which all of them are left"},
     .run = unsubscribe},
    {.name = "PSUBSCRIBE",
     .group = "pubsub",
     .since = "2.0.0",
     .summary = "Listens to all channels whose names match the patterns.",
     .syntax = "pattern [pattern ...]",
     .complexity = "O(n) for n patterns",
     .arity = at_least(2),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = kSame,
     .run = psubscribe},
    {.name = "PUNSUBSCRIBE",
     .group = "pubsub",
     .since = "2.0.0",
     .summary = "Listens by patterns no longer; by none, when none is named.",
     .syntax = "[pattern [pattern ...]]",
     .complexity = "O(n) for n patterns",
     .arity = at_least(1),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = {Compat::same, "but for the order in which all of them are left"},
     .run = punsubscribe},
    {.name = "SSUBSCRIBE",
     .group = "pubsub",
     .since = "7.0.0",
     .summary = "Listens to shard channels.",
     .syntax = "shardchannel [shardchannel ...]",
     .complexity = "O(n) for n shard channels",
     .arity = at_least(2),
     .keys = used(kAllKeys, KeyUse::not_key),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = kSame,
     .run = ssubscribe},
    {.name = "SUNSUBSCRIBE",
     .group = "pubsub",
     .since = "7.0.0",
     .summary = "Listens to shard channels no longer; to none, when none is named.",
     .syntax = "[shardchannel [shardchannel ...]]",
     .complexity = "O(n) for n shard channels",
     .arity = at_least(1),
     .keys = used(kAllKeys, KeyUse::not_key),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = {Compat::same, "but for the order in which all of them are left"},
     .run = sunsubscribe},
};

}  // namespace

void leave_all_channels(Process& process, Session& session) {
  if (!session.subscribed()) return;
  process.subscriptions.forget(session.id);
  session.subscriptions = {};
}

bool is_for_subscribers(const Command& command) {
  if (has(command.flags, Flag::pubsub)) return has(command.flags, Flag::no_script);
  return command.name == "PING" || command.name == "QUIT" || command.name == "RESET";
}

bool channel_fits_or_reply(Context& context, std::string_view channel) {
  if (channel.size() <= kMaxChannelBytes) return true;
  context.reply.error(fmt::format("ERR channel is longer than {} bytes", kMaxChannelBytes));
  return false;
}

std::span<const Command> subscribe_commands() {
  return kRows;
}

}  // namespace fencepost::commands
