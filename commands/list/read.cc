// LLEN, LRANGE, LINDEX and LPOS: what a list has, and where.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/list/ends.h"
#include "commands/list/family.h"
#include "commands/list/stretch.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void llen(Context& context, Arguments& args) {
  const auto list = read_as<state::List>(context, args[1]);
  if (!list) return;
  context.reply.integer(*list == nullptr ? 0 : static_cast<std::int64_t>((*list)->size()));
}

void lrange(Context& context, Arguments& args) {
  const auto first = integer_or_reply(context, args[2]);
  if (!first) return;
  const auto last = integer_or_reply(context, args[3]);
  if (!last) return;
  const auto list = read_as<state::List>(context, args[1]);
  if (!list) return;
  if (*list == nullptr) return context.reply.array(0);
  const Stretch stretch = stretch_of((*list)->size(), *first, *last);
  context.reply.array(stretch.count);
  for (std::size_t i = 0; i < stretch.count && !context.reply.was_cut(); ++i) {
    context.reply.bulk((*list)->at(stretch.first + i));
  }
}

void lindex(Context& context, Arguments& args) {
  const auto list = read_as<state::List>(context, args[1]);
  if (!list) return;
  if (*list == nullptr) return context.reply.null();
  const auto index = integer_or_reply(context, args[2]);
  if (!index) return;
  const auto size = static_cast<std::int64_t>((*list)->size());
  const std::int64_t position = *index < 0 ? *index + size : *index;
  if (position < 0 || position >= size) return context.reply.null();
  context.reply.bulk((*list)->at(static_cast<std::size_t>(position)));
}

struct PositionOptions {
  End from = End::front;
  std::int64_t rank = 1;              // the match to begin with; 0: see take_rank()
  std::optional<std::int64_t> count;  // of matches; 0 for all; null: one, answered by itself
  std::int64_t most_compared = 0;     // 0 for all
};

// RANK as a match to begin with, and the end that it is counted from.
bool take_rank(Context& context, std::string_view text, PositionOptions& options) {
  const auto rank = integer_or_reply(context, text);
  if (!rank) return false;
  if (*rank == 0) {
    context.reply.error(
        "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use "
        "negative to start from the end of the list");
    return false;
  }
  options.from = *rank < 0 ? End::back : End::front;
  // The least number has no opposite: Redis 7.0 begins with the first match and counts none.
  options.rank = *rank == INT64_MIN ? 0 : std::abs(*rank);
  return true;
}

std::optional<std::int64_t> natural_or_reply(Context& context, std::string_view text,
                                             std::string_view error) {
  const auto number = parse_integer(text);
  if (number && *number >= 0) return number;
  context.reply.error(error);
  return std::nullopt;
}

std::optional<PositionOptions> position_options_or_reply(Context& context, const Arguments& args) {
  PositionOptions options;
  for (std::size_t at = 3; at < args.size(); at += 2) {
    const bool has_value = at + 1 < args.size();
    if (has_value && same_word(args[at], "RANK")) {
      if (!take_rank(context, args[at + 1], options)) return std::nullopt;
    } else if (has_value && same_word(args[at], "COUNT")) {
      options.count = natural_or_reply(context, args[at + 1], "ERR COUNT can't be negative");
      if (!options.count) return std::nullopt;
    } else if (has_value && same_word(args[at], "MAXLEN")) {
      const auto most = natural_or_reply(context, args[at + 1], "ERR MAXLEN can't be negative");
      if (!most) return std::nullopt;
      options.most_compared = *most;
    } else {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
  }
  return options;
}

// Positions of the elements that are `text`, in the order in which they are come upon.
template <typename See>
void find(const state::List& list, std::string_view text, const PositionOptions& options, See see) {
  const bool counts = options.rank != 0 || !options.count;
  const std::int64_t wanted = counts ? options.count.value_or(1) : 0;
  const std::size_t size = list.size();
  const std::size_t end = options.most_compared == 0
                              ? size
                              : static_cast<std::size_t>(std::min<std::int64_t>(
                                    options.most_compared, static_cast<std::int64_t>(size)));
  std::int64_t matches = 0;
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const std::size_t at = options.from == End::front ? i : size - 1 - i;
    if (list.at(at) != text || ++matches < options.rank) continue;
    see(static_cast<std::int64_t>(at));
    if (++seen == wanted) return;
  }
}

void lpos(Context& context, Arguments& args) {
  const auto options = position_options_or_reply(context, args);
  if (!options) return;
  const auto list = read_as<state::List>(context, args[1]);
  if (!list) return;
  std::size_t count = 0;
  const std::size_t opened = context.reply.open();
  if (*list != nullptr) {
    find(**list, args[2], *options, [&context, &count](std::int64_t position) {
      context.reply.integer(position);
      ++count;
    });
  }
  if (options->count) return context.reply.close_array(opened, count);
  if (count == 0) context.reply.null();
}

constexpr Command kRows[] = {
    {.name = "LLEN",
     .group = "list",
     .since = "1.0.0",
     .summary = "Answers how many elements a list has.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::list | Category::fast,
     .compat = kSame,
     .run = llen},
    {.name = "LRANGE",
     .group = "list",
     .since = "1.0.0",
     .summary = "Answers the elements from one position to another.",
     .syntax = "key start stop",
     .complexity = "O(n) for n elements that are answered",
     .arity = exactly(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::list | Category::slow,
     .compat = kSame,
     .run = lrange},
    {.name = "LINDEX",
     .group = "list",
     .since = "1.0.0",
     .summary = "Answers the element at a position.",
     .syntax = "key index",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::list | Category::slow,
     .compat = kSame,
     .run = lindex},
    {.name = "LPOS",
     .group = "list",
     .since = "6.0.6",
     .summary = "Answers where in a list an element stands.",
     .syntax = "key element [RANK rank] [COUNT num-matches] [MAXLEN len]",
     .complexity = "O(n) for n elements that are compared",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::list | Category::slow,
     .compat = kSame,
     .run = lpos},
};

}  // namespace

std::span<const Command> list_read_commands() {
  return kRows;
}

}  // namespace fencepost::commands
