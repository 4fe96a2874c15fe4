// ZREM, ZSCORE, ZRANK and their kin: what is known of one member.
#include <optional>

#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/sorted_set/family.h"
#include "state/sorted_set.h"

namespace fencepost::commands {

namespace {

using state::Direction;
using state::SortedSet;

void zrem(Context& context, Arguments& args) {
  const auto held = change_as<SortedSet>(context, args[1]);
  if (!held) return;
  if (held->absent()) return context.reply.integer(0);
  std::int64_t erased = 0;
  for (const std::string_view member : args.from(2)) {
    const auto at = held->value().find(member);
    if (at == SortedSet::kNowhere) continue;
    held->value().erase(at);
    ++erased;
  }
  if (erased > 0) {
    notify(context, EventClass::sorted_set, "zrem", args[1]);
    end_told_then_changed(context, *held, args[1]);
  }
  context.reply.integer(erased);
}

void write_score(Context& context, const SortedSet* set, std::string_view member) {
  const auto at = set == nullptr ? SortedSet::kNowhere : set->find(member);
  if (at == SortedSet::kNowhere) return context.reply.null();
  context.reply.real(set->element(at).score);
}

void zscore(Context& context, Arguments& args) {
  const auto set = read_as<SortedSet>(context, args[1]);
  if (set) write_score(context, *set, args[2]);
}

void zmscore(Context& context, Arguments& args) {
  const auto set = read_as<SortedSet>(context, args[1]);
  if (!set) return;
  context.reply.array(args.size() - 2);
  for (const std::string_view member : args.from(2)) write_score(context, *set, member);
}

void zcard(Context& context, Arguments& args) {
  const auto set = read_as<SortedSet>(context, args[1]);
  if (!set) return;
  context.reply.integer(*set == nullptr ? 0 : static_cast<std::int64_t>((*set)->size()));
}

void write_rank(Context& context, const Arguments& args, Direction direction) {
  const auto set = read_as<SortedSet>(context, args[1]);
  if (!set) return;
  const auto at = *set == nullptr ? SortedSet::kNowhere : (*set)->find(args[2]);
  if (at == SortedSet::kNowhere) return context.reply.null();
  const std::size_t rank = (*set)->rank_of(at);
  context.reply.integer(
      static_cast<std::int64_t>(direction == Direction::up ? rank : (*set)->size() - 1 - rank));
}

void zrank(Context& context, Arguments& args) {
  write_rank(context, args, Direction::up);
}

void zrevrank(Context& context, Arguments& args) {
  write_rank(context, args, Direction::down);
}

constexpr Command kRows[] = {
    {.name = "ZREM",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary = "Removes members and answers how many there were.",
     .syntax = "key member [member ...]",
     .complexity = "O(log n) a member, for a set of n",
     .arity = at_least(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zrem},
    {.name = "ZSCORE",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary = "Answers the score of a member.",
     .syntax = "key member",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zscore},
    {.name = "ZMSCORE",
     .group = "sorted-set",
     .since = "6.2.0",
     .summary = "Answers the scores of several members.",
     .syntax = "key member [member ...]",
     .complexity = "O(k) for k members",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zmscore},
    {.name = "ZCARD",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary = "Answers how many members a sorted set has.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zcard},
    {.name = "ZRANK",
     .group = "sorted-set",
     .since = "2.0.0",
     .summary = "Answers how many members have a lower score.",
     .syntax = "key member",
     .complexity = "O(log n) for a set of n",
     .arity = exactly(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zrank},
    {.name = "ZREVRANK",
     .group = "sorted-set",
     .since = "2.0.0",
     .summary = "Answers how many members have a higher score.",
     .syntax = "key member",
     .complexity = "O(log n) for a set of n",
     .arity = exactly(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zrevrank},
};

}  // namespace

std::span<const Command> sorted_set_member_commands() {
  return kRows;
}

}  // namespace fencepost::commands
