// SINTER, SUNION, SDIFF and their kin: what several sets make together.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/rows.h"
#include "commands/set/family.h"
#include "commands/set/operations.h"

namespace fencepost::commands {

namespace {

using state::Set;

// The sets at the keys, null for a key that is not there; nothing when one is of another type: then
// the command is answered.
std::optional<Operands> sets_or_reply(Context& context, std::span<const std::string_view> keys) {
  Operands sets;
  sets.reserve(keys.size());
  for (const std::string_view key : keys) {
    const auto set = read_as<Set>(context, key);
    if (!set) return std::nullopt;
    sets.push_back(*set);
  }
  return sets;
}

using Operation = Set (*)(const Operands&, Set made, std::size_t most_numbers);

void answer(Context& context, const Arguments& args, Operation operation) {
  const auto sets = sets_or_reply(context, args.from(1));
  if (!sets) return;
  const Set made = operation(*sets, Set{context.keys().hash_seed()}, most_numbers(context));
  context.reply.set(made.size());
  std::string digits;
  for (std::size_t at = 0; at < made.size(); ++at) context.reply.bulk(made.at(at, digits));
}

// Whatever stood there is replaced, and its lease ends.
void keep(Context& context, std::string_view key, Set made, std::string_view event) {
  const state::Spot spot = look(context, key);
  context.reply.integer(static_cast<std::int64_t>(made.size()));
  if (made.size() > 0) {
    context.keys().put_value(spot, std::make_unique<Set>(std::move(made)), kNever);
    notify(context, EventClass::set, event, key);
  } else if (spot) {
    context.keys().erase(*spot.item);
    notify(context, EventClass::generic, "del", key);
  }
}

void store(Context& context, const Arguments& args, Operation operation, std::string_view event) {
  const auto sets = sets_or_reply(context, args.from(2));
  if (!sets || !key_fits_or_reply(context, args[1])) return;
  Set made = operation(*sets, Set{context.keys().hash_seed()}, most_numbers(context));
  keep(context, args[1], std::move(made), event);
}

void sinter(Context& context, Arguments& args) {
  answer(context, args, intersection);
}

void sunion(Context& context, Arguments& args) {
  answer(context, args, union_of);
}

void sdiff(Context& context, Arguments& args) {
  answer(context, args, difference);
}

void sinterstore(Context& context, Arguments& args) {
  store(context, args, intersection, "sinterstore");
}

void sunionstore(Context& context, Arguments& args) {
  store(context, args, union_of, "sunionstore");
}

void sdiffstore(Context& context, Arguments& args) {
  store(context, args, difference, "sdiffstore");
}

// LIMIT, 0 for none; null when the command is answered.
std::optional<std::size_t> limit_or_reply(Context& context,
                                          std::span<const std::string_view> words) {
  std::size_t limit = 0;
  for (std::size_t at = 0; at < words.size(); at += 2) {
    if (!same_word(words[at], "LIMIT") || at + 1 == words.size()) {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
    const auto number = parse_integer(words[at + 1]);
    if (!number || *number < 0) {
      context.reply.error("ERR LIMIT can't be negative");
      return std::nullopt;
    }
    limit = static_cast<std::size_t>(*number);
  }
  return limit;
}

void sintercard(Context& context, Arguments& args) {
  const auto keys = parse_integer(args[1]);
  if (!keys || *keys < 1) return context.reply.error("ERR numkeys should be greater than 0");
  if (*keys > static_cast<std::int64_t>(args.size() - 2)) {
    return context.reply.error("ERR Number of keys can't be greater than number of args");
  }
  const auto end = 2 + static_cast<std::size_t>(*keys);
  const auto limit = limit_or_reply(context, args.from(end));
  if (!limit) return;
  const auto sets = sets_or_reply(context, args.between(2, end));
  if (!sets) return;
  context.reply.integer(static_cast<std::int64_t>(intersection_size(*sets, *limit)));
}

constexpr Command kRows[] = {
    {.name = "SINTER",
     .group = "set",
     .since = "1.0.0",
     .summary = "Answers the members that all of the sets have.",
     .syntax = "key [key ...]",
     .complexity = "O(n * m) for the n members of the smallest of m sets",
     .arity = at_least(2),
     .keys = kAllKeys,
     .effect = Effect::read,
     .categories = Category::read | Category::set | Category::slow,
     .compat = kSame,
     .run = sinter,
     .tips = "nondeterministic_output_order"},
    {.name = "SINTERSTORE",
     .group = "set",
     .since = "1.0.0",
     .summary = "Keeps the members that all of the sets have in a key.",
     .syntax = "destination key [key ...]",
     .complexity = "O(n * m) for the n members of the smallest of m sets",
     .arity = at_least(3),
     .keys =
         used(kAllKeys, KeyUse::read_write | KeyUse::update, KeyUse::read_only | KeyUse::access),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::set | Category::slow,
     .compat = kSame,
     .run = sinterstore},
    {.name = "SINTERCARD",
     .group = "set",
     .since = "7.0.0",
     .summary = "Answers how many members all of the sets have, counting up to a limit.",
     .syntax = "numkeys key [key ...] [LIMIT limit]",
     .complexity = "O(n * m) for the n members of the smallest of m sets",
     .arity = at_least(3),
     .keys = {.count_at = 1},
     .effect = Effect::read,
     .flags = Flag::movable_keys,
     .categories = Category::read | Category::set | Category::slow,
     .compat = kSame,
     .run = sintercard},
    {.name = "SUNION",
     .group = "set",
     .since = "1.0.0",
     .summary = "Answers the members that any of the sets has.",
     .syntax = "key [key ...]",
     .complexity = "O(n) for n members in all",
     .arity = at_least(2),
     .keys = kAllKeys,
     .effect = Effect::read,
     .categories = Category::read | Category::set | Category::slow,
     .compat = kSame,
     .run = sunion,
     .tips = "nondeterministic_output_order"},
    {.name = "SUNIONSTORE",
     .group = "set",
     .since = "1.0.0",
     .summary = "Keeps the members that any of the sets has in a key.",
     .syntax = "destination key [key ...]",
     .complexity = "O(n) for n members in all",
     .arity = at_least(3),
     .keys = used(kAllKeys, KeyUse::overwrite | KeyUse::update, KeyUse::read_only | KeyUse::access),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::set | Category::slow,
     .compat = kSame,
     .run = sunionstore},
    {.name = "SDIFF",
     .group = "set",
     .since = "1.0.0",
     .summary = "Answers the members of the first set that none of the others has.",
     .syntax = "key [key ...]",
     .complexity = "O(n) for n members in all",
     .arity = at_least(2),
     .keys = kAllKeys,
     .effect = Effect::read,
     .categories = Category::read | Category::set | Category::slow,
     .compat = kSame,
     .run = sdiff,
     .tips = "nondeterministic_output_order"},
    {.name = "SDIFFSTORE",
     .group = "set",
     .since = "1.0.0",
     .summary = "Keeps the members of the first set that none of the others has in a key.",
     .syntax = "destination key [key ...]",
     .complexity = "O(n) for n members in all",
     .arity = at_least(3),
     .keys = used(kAllKeys, KeyUse::overwrite | KeyUse::update, KeyUse::read_only | KeyUse::access),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::set | Category::slow,
     .compat = kSame,
     .run = sdiffstore},
};

}  // namespace

std::span<const Command> set_algebra_commands() {
  return kRows;
}

}  // namespace fencepost::commands
