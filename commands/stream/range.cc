// XLEN, XRANGE and XREVRANGE: what a stream has.
#include <limits>
#include <optional>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/rows.h"
#include "commands/stream/family.h"
#include "commands/stream/id.h"
#include "commands/stream/reply.h"

namespace fencepost::commands {

namespace {

using Order = state::Stream::Order;

void xlen(Context& context, Arguments& args) {
  const auto stream = read_as<state::Stream>(context, args[1]);
  if (!stream) return;
  context.reply.integer(*stream == nullptr ? 0 : static_cast<std::int64_t>((*stream)->size()));
}

// COUNT, or all there are; the last one counts. Null when the command is answered.
std::optional<std::size_t> count_or_reply(Context& context, const Arguments& args) {
  std::size_t count = std::numeric_limits<std::size_t>::max();
  for (std::size_t at = 4; at < args.size(); at += 2) {
    if (!same_word(args[at], "COUNT") || at + 1 == args.size()) {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
    const auto given = integer_or_reply(context, args[at + 1]);
    if (!given) return std::nullopt;
    count = *given < 0 ? 0 : static_cast<std::size_t>(*given);
  }
  return count;
}

void range(Context& context, const Arguments& args, Order order) {
  const bool rising = order == Order::rising;
  const auto first = range_start_or_reply(context, args[rising ? 2 : 3]);
  if (!first) return;
  const auto last = range_end_or_reply(context, args[rising ? 3 : 2]);
  if (!last) return;
  const auto count = count_or_reply(context, args);
  if (!count) return;
  const auto stream = read_as<state::Stream>(context, args[1]);
  if (!stream) return;
  if (*stream == nullptr) return context.reply.array(0);
  if (*count == 0) return context.reply.null_array();
  write_entries(context.reply, **stream, *first, *last, order, *count);
}

void xrange(Context& context, Arguments& args) {
  range(context, args, Order::rising);
}

void xrevrange(Context& context, Arguments& args) {
  range(context, args, Order::falling);
}

constexpr Command kRows[] = {
    {.name = "XLEN",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Answers how many entries a stream has.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::stream | Category::fast,
     .compat = kSame,
     .run = xlen},
    {.name = "XRANGE",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Answers the entries from one id to another.",
     .syntax = "key start end [COUNT count]",
     .complexity = "O(log m + n) for n of m entries",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::stream | Category::slow,
     .compat = kSame,
     .run = xrange},
    {.name = "XREVRANGE",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Answers the entries from one id to another, the last first.",
     .syntax = "key end start [COUNT count]",
     .complexity = "O(log m + n) for n of m entries",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::stream | Category::slow,
     .compat = kSame,
     .run = xrevrange},
};

}  // namespace

std::span<const Command> stream_range_commands() {
  return kRows;
}

}  // namespace fencepost::commands
