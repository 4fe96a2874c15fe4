// PUBLISH and SPUBLISH: a message to whoever listens at this moment.
#include "commands/pubsub/rows.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

using state::Happening;

// Answers how often it is delivered. The engine delivers it, before anything else runs.
void publish_on(Context& context, const Arguments& args, Audience audience, Happening::Kind kind) {
  if (!channel_fits_or_reply(context, args[1])) return;
  const std::size_t count = context.process.subscriptions.receivers(audience, args[1]).size();
  if (count > 0) {
    context.state.happenings().message(kind, args[1], args[2], context.reply.size());
  }
  context.reply.integer(static_cast<std::int64_t>(count));
}

// PUBLISH channel message
void publish(Context& context, Arguments& args) {
  publish_on(context, args, Audience::channel, Happening::Kind::message);
}

// SPUBLISH shardchannel message
void spublish(Context& context, Arguments& args) {
  publish_on(context, args, Audience::shard, Happening::Kind::shard_message);
}

constexpr Flag kFlags =
    Flag::pubsub | Flag::loading | Flag::stale | Flag::fast | Flag::may_replicate;
constexpr Category kCategories = Category::pubsub | Category::fast;

constexpr Command kRows[] = {
    {.name = "PUBLISH",
     .group = "pubsub",
     .since = "2.0.0",
     .summary = "Sends a message to all that listen to a channel, and answers how many those are.",
     .syntax = "channel message",
     .complexity = "O(n + m) for n listeners and m patterns of all clients",
     .arity = exactly(3),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = {Compat::same,
                "but that what a RESP2 client tells itself within EXEC comes behind the array"},
     .run = publish},
    {.name = "SPUBLISH",
     .group = "pubsub",
     .since = "7.0.0",
     .summary =
         "Sends a message to all that listen to a shard channel, and answers how many those are.",
     .syntax = "shardchannel message",
     .complexity = "O(n) for n listeners",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::not_key),
     .effect = Effect::session,
     .flags = kFlags,
     .categories = kCategories,
     .compat = kSame,
     .run = spublish},
};

}  // namespace

std::span<const Command> publish_commands() {
  return kRows;
}

}  // namespace fencepost::commands
