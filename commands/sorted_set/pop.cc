// ZPOPMIN, ZPOPMAX, ZMPOP, and the same for those who wait: elements are taken from either end.
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/blocking.h"
#include "commands/collection.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/sorted_set/elements.h"
#include "commands/sorted_set/family.h"

namespace fencepost::commands {

namespace {

using state::Direction;
using state::ScoredMember;
using state::SortedSet;

// Up takes the least one first.
struct Pop {
  Direction from = Direction::up;
  std::uint64_t count = 1;
  // How the answer looks like: member and score in one row; the same behind the key; pairs; the key
  // and a list of pairs.
  enum class Shape : std::uint8_t { row, row_of_key, pairs, pairs_of_key } shape = Shape::row;
};

void write_popped(Context& context, std::string_view key, std::span<const ScoredMember> elements,
                  Pop::Shape shape) {
  resp::ReplyWriter& reply = context.reply;
  const bool in_pairs = shape == Pop::Shape::pairs || shape == Pop::Shape::pairs_of_key;
  const bool with_key = shape == Pop::Shape::row_of_key || shape == Pop::Shape::pairs_of_key;
  if (shape == Pop::Shape::pairs_of_key) reply.array(2);
  if (shape == Pop::Shape::row_of_key) reply.array(1 + 2 * elements.size());
  if (with_key) reply.bulk(key);
  if (shape == Pop::Shape::row) reply.array(2 * elements.size());
  if (in_pairs) reply.array(elements.size());
  for (const ScoredMember& one : elements) {
    if (in_pairs) reply.array(2);
    reply.bulk(one.member);
    reply.real(one.score);
  }
}

// From a set that is there.
void pop(Context& context, const Held<SortedSet>& held, std::string_view key, const Pop& what) {
  SortedSet& set = held.value();
  const bool up = what.from == Direction::up;
  const std::size_t count = std::min<std::uint64_t>(what.count, set.size());
  std::vector<ScoredMember> elements;
  elements.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    elements.push_back(set.element(set.nth(up ? i : set.size() - 1 - i)));
  }
  write_popped(context, key, elements, what.shape);
  if (context.reply.was_cut()) return;  // it will be an error, and then nothing is lost
  notify(context, EventClass::sorted_set, up ? "zpopmin" : "zpopmax", key);
  for (std::size_t i = 0; i < count; ++i) set.erase(set.nth(up ? 0 : set.size() - 1));
  // The change stands between the two events, as in Redis.
  const bool ends = set.size() == 0;
  changed(context, held);
  if (ends) notify(context, EventClass::generic, "del", key);
}

enum class Tried : std::uint8_t { answered, nothing_there };

// The first of the keys that is there is popped from.
Tried pop_from_first(Context& context, std::span<const std::string_view> keys, const Pop& what) {
  for (const std::string_view key : keys) {
    if (!is_asked(context, key)) continue;
    const auto held = change_as<SortedSet>(context, key);
    if (!held) return Tried::answered;
    if (held->absent()) continue;
    pop(context, *held, key, what);
    return Tried::answered;
  }
  return Tried::nothing_there;
}

// --- one key, at once

void pop_from_key(Context& context, const Arguments& args, Direction from) {
  if (args.size() > 3) return context.reply.error(kSyntaxError);
  Pop what{.from = from};
  if (args.size() == 3) {
    const auto count = parse_integer(args[2]);
    if (!count || *count < 0) return context.reply.error(kOutOfRange);
    what.count = static_cast<std::uint64_t>(*count);
    if (context.reply.protocol() == resp::Protocol::resp3) what.shape = Pop::Shape::pairs;
  }
  const auto held = change_as<SortedSet>(context, args[1]);
  if (!held) return;
  if (held->absent() || what.count == 0) return context.reply.array(0);
  pop(context, *held, args[1], what);
}

void zpopmin(Context& context, Arguments& args) {
  pop_from_key(context, args, Direction::up);
}

void zpopmax(Context& context, Arguments& args) {
  pop_from_key(context, args, Direction::down);
}

// --- the first of several keys, which may be waited for

void wait_for_any(Context& context, const Arguments& args, std::span<const std::string_view> keys,
                  Instant deadline) {
  if (!context.may_wait) return context.reply.null_array();
  park(context, args.all(),
       {.first_key = static_cast<std::size_t>(keys.data() - args.all().data()),
        .key_count = keys.size(),
        .wanted = state::Type::sorted_set,
        .deadline = deadline});
}

void pop_or_wait(Context& context, const Arguments& args, Direction from) {
  const auto deadline = timeout_or_reply(context, args[args.size() - 1]);
  if (!deadline) return;
  const auto keys = args.between(1, args.size() - 1);
  const Pop what{.from = from, .shape = Pop::Shape::row_of_key};
  if (pop_from_first(context, keys, what) == Tried::nothing_there) {
    wait_for_any(context, args, keys, *deadline);
  }
}

void bzpopmin(Context& context, Arguments& args) {
  pop_or_wait(context, args, Direction::up);
}

void bzpopmax(Context& context, Arguments& args) {
  pop_or_wait(context, args, Direction::down);
}

struct PopMany {
  std::span<const std::string_view> keys;
  Pop what{.shape = Pop::Shape::pairs_of_key};
};

// A number that is above 0; null when it is none: then the command is answered.
std::optional<std::uint64_t> positive_or_reply(Context& context, std::string_view text,
                                               std::string_view fault) {
  const auto number = parse_integer(text);
  if (number && *number > 0) return static_cast<std::uint64_t>(*number);
  context.reply.error(fault);
  return std::nullopt;
}

// numkeys key [key ...] MIN | MAX [COUNT count], from `at` on.
std::optional<PopMany> pop_many_or_reply(Context& context, const Arguments& args, std::size_t at) {
  const auto number = positive_or_reply(context, args[at], "ERR numkeys should be greater than 0");
  if (!number) return std::nullopt;
  const auto syntax_error = [&context] {
    context.reply.error(kSyntaxError);
    return std::nullopt;
  };
  if (*number >= args.size() - at - 1) return syntax_error();
  PopMany made;
  made.keys = args.between(at + 1, at + 1 + *number);
  at += 1 + *number;
  if (!same_word(args[at], "MIN") && !same_word(args[at], "MAX")) return syntax_error();
  made.what.from = same_word(args[at], "MIN") ? Direction::up : Direction::down;
  const std::size_t left = args.size() - at - 1;
  if (left == 0) return made;
  if (left == 1 || !same_word(args[at + 1], "COUNT")) return syntax_error();
  const auto count = positive_or_reply(context, args[at + 2], "ERR count should be greater than 0");
  if (!count) return std::nullopt;
  if (left > 2) return syntax_error();
  made.what.count = *count;
  return made;
}

void zmpop(Context& context, Arguments& args) {
  const auto many = pop_many_or_reply(context, args, 1);
  if (!many) return;
  if (pop_from_first(context, many->keys, many->what) == Tried::nothing_there) {
    context.reply.null_array();
  }
}

void bzmpop(Context& context, Arguments& args) {
  const auto many = pop_many_or_reply(context, args, 2);
  if (!many) return;
  const auto deadline = timeout_or_reply(context, args[1]);
  if (!deadline) return;
  if (pop_from_first(context, many->keys, many->what) == Tried::nothing_there) {
    wait_for_any(context, args, many->keys, *deadline);
  }
}

constexpr Command kRows[] = {
    {.name = "ZPOPMIN",
     .group = "sorted-set",
     .since = "5.0.0",
     .summary = "Takes out the members with the lowest scores.",
     .syntax = "key [count]",
     .complexity = "O(k log n) for k of n members",
     .arity = at_least(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zpopmin},
    {.name = "ZPOPMAX",
     .group = "sorted-set",
     .since = "5.0.0",
     .summary = "Takes out the members with the highest scores.",
     .syntax = "key [count]",
     .complexity = "O(k log n) for k of n members",
     .arity = at_least(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zpopmax},
    {.name = "ZMPOP",
     .group = "sorted-set",
     .since = "7.0.0",
     .summary = "Takes members out of the first of the keys that has some.",
     .syntax = "numkeys key [key ...] <MIN | MAX> [COUNT count]",
     .complexity = "O(j + k log n) for j keys and k of n members",
     .arity = at_least(4),
     .keys = {.count_at = 1, .use = KeyUse::read_write | KeyUse::access | KeyUse::erase},
     .effect = Effect::write,
     .flags = Flag::movable_keys,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zmpop},
    {.name = "BZPOPMIN",
     .group = "sorted-set",
     .since = "5.0.0",
     .summary =
         "Takes out the member with the lowest score, and waits for one where there is none.",
     .syntax = "key [key ...] timeout",
     .complexity = "O(j + log n) for j keys and a set of n",
     .arity = at_least(3),
     .keys = used({.first = 1, .last = -2, .step = 1},
                  KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::no_script | Flag::blocking | Flag::fast,
     .categories = Category::write | Category::sorted_set | Category::fast | Category::blocking,
     .compat = kSame,
     .run = bzpopmin},
    {.name = "BZPOPMAX",
     .group = "sorted-set",
     .since = "5.0.0",
     .summary =
         "Takes out the member with the highest score, and waits for one where there is none.",
     .syntax = "key [key ...] timeout",
     .complexity = "O(j + log n) for j keys and a set of n",
     .arity = at_least(3),
     .keys = used({.first = 1, .last = -2, .step = 1},
                  KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::no_script | Flag::blocking | Flag::fast,
     .categories = Category::write | Category::sorted_set | Category::fast | Category::blocking,
     .compat = kSame,
     .run = bzpopmax},
    {.name = "BZMPOP",
     .group = "sorted-set",
     .since = "7.0.0",
     .summary =
         "Takes members out of the first of the keys that has some, and waits where none has.",
     .syntax = "timeout numkeys key [key ...] <MIN | MAX> [COUNT count]",
     .complexity = "O(j + k log n) for j keys and k of n members",
     .arity = at_least(5),
     .keys = {.count_at = 2, .use = KeyUse::read_write | KeyUse::access | KeyUse::erase},
     .effect = Effect::write,
     .flags = Flag::blocking | Flag::movable_keys,
     .categories = Category::write | Category::sorted_set | Category::slow | Category::blocking,
     .compat = kSame,
     .run = bzmpop},
};

}  // namespace

std::span<const Command> sorted_set_pop_commands() {
  return kRows;
}

}  // namespace fencepost::commands
