// ZCOUNT, ZREMRANGEBYSCORE and their kin: how many there are from here to there, and their end.
#include <optional>
#include <string>
#include <vector>

#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/sorted_set/family.h"
#include "commands/sorted_set/ranges.h"
#include "state/sorted_set.h"

namespace fencepost::commands {

namespace {

using state::Direction;
using state::ScoredMember;
using state::SortedSet;

template <typename Range>
void count(Context& context, std::string_view key, const std::optional<Range>& range) {
  if (!range) return;
  const auto set = read_as<SortedSet>(context, key);
  if (!set) return;
  context.reply.integer(*set == nullptr ? 0 : static_cast<std::int64_t>((*set)->count_in(*range)));
}

void zcount(Context& context, Arguments& args) {
  count(context, args[1], score_range_or_reply(context, args[2], args[3]));
}

void zlexcount(Context& context, Arguments& args) {
  count(context, args[1], lex_range_or_reply(context, args[2], args[3]));
}

// Names, for positions change with each that goes.
std::vector<std::string> members_within(const SortedSet& set, const RankSpan& span) {
  std::vector<std::string> members;
  set.visit(span.skip, Direction::up, [&members, &span](const ScoredMember& one) {
    if (members.size() < span.count) members.emplace_back(one.member);
    return members.size() < span.count;
  });
  return members;
}

template <typename Range>
RankSpan span_of(const SortedSet& set, const Range& range) {
  const auto first = set.first_in(range, Direction::up);
  return first ? RankSpan{*first, set.count_in(range)} : RankSpan{};
}

// Removes what `span(set)` says.
template <typename Span>
void erase_within(Context& context, std::string_view key, std::string_view event,
                  const Span& span) {
  const auto held = change_as<SortedSet>(context, key);
  if (!held) return;
  if (held->absent()) return context.reply.integer(0);
  SortedSet& set = held->value();
  const std::vector<std::string> members = members_within(set, span(set));
  for (const std::string& member : members) set.erase(set.find(member));
  if (!members.empty()) changed_then_told(context, *held, EventClass::sorted_set, event, key);
  context.reply.integer(static_cast<std::int64_t>(members.size()));
}

void zremrangebyscore(Context& context, Arguments& args) {
  const auto range = score_range_or_reply(context, args[2], args[3]);
  if (!range) return;
  erase_within(context, args[1], "zremrangebyscore",
               [&range](const SortedSet& set) { return span_of(set, *range); });
}

void zremrangebylex(Context& context, Arguments& args) {
  const auto range = lex_range_or_reply(context, args[2], args[3]);
  if (!range) return;
  erase_within(context, args[1], "zremrangebylex",
               [&range](const SortedSet& set) { return span_of(set, *range); });
}

void zremrangebyrank(Context& context, Arguments& args) {
  const auto first = integer_or_reply(context, args[2]);
  if (!first) return;
  const auto last = integer_or_reply(context, args[3]);
  if (!last) return;
  erase_within(context, args[1], "zremrangebyrank", [&first, &last](const SortedSet& set) {
    return rank_span(*first, *last, set.size());
  });
}

constexpr Command kRows[] = {
    {.name = "ZCOUNT",
     .group = "sorted-set",
     .since = "2.0.0",
     .summary = "Counts the members from one score to another.",
     .syntax = "key min max",
     .complexity = "O(log n) for a set of n",
     .arity = exactly(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zcount},
    {.name = "ZLEXCOUNT",
     .group = "sorted-set",
     .since = "2.8.9",
     .summary = "Counts the members from one name to another, where all have one score.",
     .syntax = "key min max",
     .complexity = "O(log n) for a set of n",
     .arity = exactly(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zlexcount},
    {.name = "ZREMRANGEBYSCORE",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary = "Removes the members from one score to another.",
     .syntax = "key min max",
     .complexity = "O(k log n) for k of n members",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::none,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zremrangebyscore},
    {.name = "ZREMRANGEBYRANK",
     .group = "sorted-set",
     .since = "2.0.0",
     .summary = "Removes the members from one rank to another.",
     .syntax = "key start stop",
     .complexity = "O(k log n) for k of n members",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::none,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zremrangebyrank},
    {.name = "ZREMRANGEBYLEX",
     .group = "sorted-set",
     .since = "2.8.9",
     .summary = "Removes the members from one name to another, where all have one score.",
     .syntax = "key min max",
     .complexity = "O(k log n) for k of n members",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::none,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zremrangebylex},
};

}  // namespace

std::span<const Command> sorted_set_extent_commands() {
  return kRows;
}

}  // namespace fencepost::commands
