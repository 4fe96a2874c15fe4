// SLOWLOG: the slow log as clients read it.
#include <algorithm>
#include <array>

#include "base/number.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/help.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

void write_entry(resp::ReplyWriter& reply, const SlowLogEntry& entry) {
  reply.array(6);
  reply.integer(entry.id);
  reply.integer(entry.unix_s);
  reply.integer(entry.took_us);
  reply.array(entry.arguments.size());
  for (const auto& word : entry.arguments) reply.bulk(word);
  reply.bulk(entry.client_address);
  reply.bulk(entry.client_name);
}

// SLOWLOG GET [count]: newest first; -1 = all of them.
void get(Context& context, Arguments& arguments) {
  const auto wanted = arguments.size() == 3 ? parse_integer(arguments[2]) : std::int64_t{10};
  if (arguments.size() > 3) {
    return context.reply.error("ERR unknown subcommand or wrong number of arguments for '" +
                               std::string{arguments[1]} + "'. Try SLOWLOG HELP.");
  }
  if (!wanted || *wanted < -1) {
    return context.reply.error("ERR count should be greater than or equal to -1");
  }
  const auto& entries = context.process.slow_log.entries();
  const auto all = static_cast<std::int64_t>(entries.size());
  const auto count = *wanted == -1 ? all : std::min(*wanted, all);
  context.reply.array(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    write_entry(context.reply, entries[static_cast<std::size_t>(i)]);
}

// SLOWLOG LEN
void length(Context& context, Arguments&) {
  context.reply.integer(static_cast<std::int64_t>(context.process.slow_log.entries().size()));
}

// SLOWLOG RESET
void reset(Context& context, Arguments&) {
  context.process.slow_log.clear();
  context.reply.simple("OK");
}

constexpr auto kFlags = Flag::admin | Flag::loading | Flag::stale;

constexpr std::array kSubcommands{
    Command{.name = "GET",
            .group = "server",
            .since = "2.2.12",
            .summary = "Lists the slowest commands of late, newest first.",
            .syntax = "[count]",
            .complexity = "O(n) for n entries",
            .arity = at_least(2),
            .effect = Effect::session,
            .flags = kFlags,
            .run = get,
            .tips = "request_policy:all_nodes nondeterministic_output"},
    Command{.name = "HELP",
            .group = "server",
            .since = "6.2.0",
            .summary = "Lists what SLOWLOG can be asked.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = Flag::loading | Flag::stale,
            .compat = {Compat::differs, "own words"},
            .run = reply_help},
    Command{.name = "LEN",
            .group = "server",
            .since = "2.2.12",
            .summary = "Counts the entries of the slow log.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = kFlags,
            .run = length,
            .tips = "request_policy:all_nodes response_policy:agg_sum nondeterministic_output"},
    Command{.name = "RESET",
            .group = "server",
            .since = "2.2.12",
            .summary = "Empties the slow log.",
            .complexity = "O(n) for n entries",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = kFlags,
            .run = reset,
            .tips = "request_policy:all_nodes response_policy:all_succeeded"},
};

}  // namespace

Command slow_log_command() {
  return {.name = "SLOWLOG",
          .group = "server",
          .since = "2.2.12",
          .summary = "Commands that took long.",
          .complexity = "Depends on subcommand.",
          .arity = at_least(2),
          .effect = Effect::session,
          .subcommands = kSubcommands};
}

}  // namespace fencepost::commands
