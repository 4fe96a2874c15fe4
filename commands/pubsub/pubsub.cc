// PUBSUB: which channels somebody listens to, and how many.
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "commands/lookup.h"
#include "commands/pubsub/rows.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void list_channels(Context& context, const Arguments& args, Audience kind) {
  if (args.size() > 3) {
    return context.reply.error(fmt::format(
        "ERR unknown subcommand or wrong number of arguments for '{}'. Try PUBSUB HELP.", args[1]));
  }
  std::optional<std::string_view> pattern;
  if (args.size() == 3) pattern = args[2];
  if (pattern && !pattern_fits_or_reply(context, *pattern)) return;
  const auto names = context.process.subscriptions.matching(kind, pattern);
  context.reply.array(names.size());
  for (const std::string_view name : names) context.reply.bulk(name);
}

void count_listeners(Context& context, const Arguments& args, Audience kind) {
  context.reply.array(2 * (args.size() - 2));
  for (const std::string_view name : args.from(2)) {
    context.reply.bulk(name);
    context.reply.integer(
        static_cast<std::int64_t>(context.process.subscriptions.count(kind, name)));
  }
}

// PUBSUB CHANNELS [pattern]
void pubsub_channels(Context& context, Arguments& args) {
  list_channels(context, args, Audience::channel);
}

// PUBSUB SHARDCHANNELS [pattern]
void pubsub_shardchannels(Context& context, Arguments& args) {
  list_channels(context, args, Audience::shard);
}

// PUBSUB NUMSUB [channel [channel ...]]
void pubsub_numsub(Context& context, Arguments& args) {
  count_listeners(context, args, Audience::channel);
}

// PUBSUB SHARDNUMSUB [shardchannel [shardchannel ...]]
void pubsub_shardnumsub(Context& context, Arguments& args) {
  count_listeners(context, args, Audience::shard);
}

// PUBSUB NUMPAT
void pubsub_numpat(Context& context, Arguments&) {
  const std::size_t count = context.process.subscriptions.count(Audience::pattern);
  context.reply.integer(static_cast<std::int64_t>(count));
}

// PUBSUB HELP
void pubsub_help(Context& context, Arguments&) {
  constexpr std::array kLines{
      "PUBSUB <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
      "CHANNELS [<pattern>]",
      "    Channels that somebody listens to; of them, those that match.",
      "NUMPAT",
      "    How many different patterns somebody listens by.",
      "NUMSUB [<channel> ...]",
      "    How many clients listen to each of these channels.",
      "SHARDCHANNELS [<pattern>]",
      "    Shard channels that somebody listens to; of them, those that match.",
      "SHARDNUMSUB [<shardchannel> ...]",
      "    How many clients listen to each of these shard channels.",
      "HELP",
      "    This text.",
  };
  context.reply.array(kLines.size());
  for (const std::string_view line : kLines) context.reply.simple(line);
}

// What the rows have in common.
Command row(std::string_view name, std::string_view since, Arity arity, Handler run) {
  return {.name = name,
          .group = "pubsub",
          .since = since,
          .summary = {},
          .arity = arity,
          .effect = Effect::session,
          .flags = Flag::pubsub | Flag::loading | Flag::stale,
          .categories = Category::pubsub | Category::slow,
          .compat = kSame,
          .run = run};
}

Command described(Command command, std::string_view summary, std::string_view syntax,
                  std::string_view complexity) {
  command.summary = summary;
  command.syntax = syntax;
  command.complexity = complexity;
  return command;
}

std::vector<Command> subcommands() {
  Command help = described(row("HELP", "6.2.0", exactly(2), pubsub_help),
                           "Says what PUBSUB can do.", "", "O(1)");
  help.flags = Flag::loading | Flag::stale;
  help.categories = Category::slow;
  help.compat = {Compat::differs, "in our own words"};
  Command channels = described(row("CHANNELS", "2.8.0", at_least(2), pubsub_channels),
                               "Answers the channels that somebody listens to.", "[pattern]",
                               "O(n) for n channels");
  Command shard_channels =
      described(row("SHARDCHANNELS", "7.0.0", at_least(2), pubsub_shardchannels),
                "Answers the shard channels that somebody listens to.", "[pattern]",
                "O(n) for n shard channels");
  channels.compat = shard_channels.compat = {Compat::same, "but for the order"};
  return {channels,
          described(row("NUMPAT", "2.8.0", exactly(2), pubsub_numpat),
                    "Answers how many different patterns somebody listens by.", "", "O(1)"),
          described(row("NUMSUB", "2.8.0", at_least(2), pubsub_numsub),
                    "Answers how many clients listen to each of the channels.",
                    "[channel [channel ...]]", "O(n) for n channels"),
          shard_channels,
          described(row("SHARDNUMSUB", "7.0.0", at_least(2), pubsub_shardnumsub),
                    "Answers how many clients listen to each of the shard channels.",
                    "[shardchannel [shardchannel ...]]", "O(n) for n shard channels"),
          help};
}

}  // namespace

Command pubsub_command() {
  static const std::vector<Command> kSubcommands = subcommands();
  return {.name = "PUBSUB",
          .group = "pubsub",
          .since = "2.8.0",
          .summary = "Channels: which there are, and how many listen.",
          .syntax = "",
          .complexity = "Depends on the subcommand",
          .arity = at_least(2),
          .effect = Effect::session,
          .categories = Category::slow,
          .compat = kSame,
          .subcommands = kSubcommands};
}

}  // namespace fencepost::commands
