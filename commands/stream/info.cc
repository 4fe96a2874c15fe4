// XINFO: what is known of a stream besides its entries.
#include <limits>
#include <optional>
#include <string>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/help.h"
#include "commands/rows.h"
#include "commands/stream/family.h"
#include "commands/stream/radix_tree.h"
#include "commands/stream/reply.h"

namespace fencepost::commands {

namespace {

using state::Stream;
using Order = state::Stream::Order;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Null when there is none, or another value: then the command is answered.
const Stream* stream_or_reply(Context& context, std::string_view key) {
  const auto stream = read_as<Stream>(context, key);
  if (!stream) return nullptr;
  if (*stream == nullptr) context.reply.error(kNoSuchKey);
  return *stream;
}

void write_number(resp::ReplyWriter& reply, std::string_view name, std::uint64_t value) {
  reply.bulk(name);
  reply.integer(static_cast<std::int64_t>(value));
}

void write_id(resp::ReplyWriter& reply, std::string_view name, state::StreamId id) {
  reply.bulk(name);
  reply.bulk(to_text(id));
}

void write_summary(resp::ReplyWriter& reply, const Stream& stream) {
  const auto nodes = stream.node_ids();
  write_number(reply, "length", stream.size());
  write_number(reply, "radix-tree-keys", nodes.size());
  write_number(reply, "radix-tree-nodes", radix_tree_nodes(nodes));
  write_id(reply, "last-generated-id", stream.last_id());
  write_id(reply, "max-deleted-entry-id", stream.greatest_removed_id());
  write_number(reply, "entries-added", stream.added_count());
  write_id(reply, "recorded-first-entry-id", stream.first_entry_id());
}

void write_edge(resp::ReplyWriter& reply, std::string_view name, const Stream& stream,
                Order order) {
  reply.bulk(name);
  const std::size_t found = stream.read(
      state::kLeastId, state::kGreatestId, order, 1,
      [&reply](state::StreamId id, state::StreamFields fields) { write_entry(reply, id, fields); });
  if (found == 0) reply.null();
}

void write_shortly(resp::ReplyWriter& reply, const Stream& stream) {
  reply.map(10);
  write_summary(reply, stream);
  write_number(reply, "groups", 0);
  write_edge(reply, "first-entry", stream, Order::rising);
  write_edge(reply, "last-entry", stream, Order::falling);
}

void write_in_full(resp::ReplyWriter& reply, const Stream& stream, std::size_t most) {
  reply.map(9);
  write_summary(reply, stream);
  reply.bulk("entries");
  write_entries(reply, stream, state::kLeastId, state::kGreatestId, Order::rising, most);
  reply.bulk("groups");
  reply.array(0);
}

// FULL [COUNT count]: how many entries, 0 for all. Null when the command is answered.
std::optional<std::int64_t> count_or_reply(Context& context, const Arguments& args) {
  constexpr std::int64_t kUsual = 10;
  const bool counts = args.size() == 6 && same_word(args[4], "COUNT");
  if (!same_word(args[3], "FULL") || (args.size() != 4 && !counts)) {
    context.reply.error("ERR unknown subcommand or wrong number of arguments for '" +
                        std::string{args[1]} + "'. Try XINFO HELP.");
    return std::nullopt;
  }
  if (!counts) return kUsual;
  const auto count = integer_or_reply(context, args[5]);
  return count && *count < 0 ? kUsual : count;
}

// XINFO STREAM key [FULL [COUNT count]]
void about_stream(Context& context, Arguments& args) {
  const Stream* stream = stream_or_reply(context, args[2]);
  if (stream == nullptr) return;
  if (args.size() == 3) return write_shortly(context.reply, *stream);
  const auto count = count_or_reply(context, args);
  if (!count) return;
  write_in_full(context.reply, *stream, *count == 0 ? kAll : static_cast<std::size_t>(*count));
}

// XINFO GROUPS key: no stream has any.
void about_groups(Context& context, Arguments& args) {
  if (stream_or_reply(context, args[2]) != nullptr) context.reply.array(0);
}

// As Redis quotes: up to the first zero byte.
std::string quotable(std::string_view text) {
  return std::string{text.substr(0, text.find('\0'))};
}

// XINFO CONSUMERS key group
void about_consumers(Context& context, Arguments& args) {
  if (stream_or_reply(context, args[2]) == nullptr) return;
  context.reply.error("NOGROUP No such consumer group '" + quotable(args[3]) + "' for key name '" +
                      quotable(args[2]) + "'");
}

constexpr Category kReads = Category::read | Category::stream | Category::slow;

constexpr Command kSubcommands[] = {
    {.name = "CONSUMERS",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Answers that there is no such group.",
     .syntax = "key group",
     .complexity = "O(1)",
     .arity = exactly(4),
     .keys = kKeyOfSubcommand,
     .effect = Effect::read,
     .categories = kReads,
     .compat = {Compat::differs, "no stream has groups"},
     .run = about_consumers,
     .tips = "nondeterministic_output"},
    {.name = "GROUPS",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Lists the groups of a stream, of which there are none.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = kKeyOfSubcommand,
     .effect = Effect::read,
     .categories = kReads,
     .compat = {Compat::differs, "no stream has groups"},
     .run = about_groups},
    {.name = "HELP",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Lists what XINFO can be asked.",
     .syntax = "",
     .complexity = "O(1)",
     .arity = exactly(2),
     .effect = Effect::session,
     .flags = Flag::loading | Flag::stale,
     .categories = Category::stream | Category::slow,
     .compat = {Compat::differs, "in our own words"},
     .run = reply_help},
    {.name = "STREAM",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Answers what is known of a stream.",
     .syntax = "key [FULL [COUNT count]]",
     .complexity = "O(n) for n entries",
     .arity = at_least(3),
     .keys = kKeyOfSubcommand,
     .effect = Effect::read,
     .categories = kReads,
     .compat = kSame,
     .run = about_stream},
};

constexpr Command kRows[] = {
    {.name = "XINFO",
     .group = "stream",
     .since = "5.0.0",
     .summary = "What is known of a stream.",
     .syntax = "",
     .complexity = "Depends on the subcommand.",
     .arity = at_least(2),
     .effect = Effect::session,
     .categories = Category::slow,
     .compat = kSame,
     .subcommands = kSubcommands},
};

}  // namespace

std::span<const Command> stream_info_commands() {
  return kRows;
}

}  // namespace fencepost::commands
