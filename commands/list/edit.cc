// LSET, LINSERT, LREM and LTRIM: changes in the middle of a list.
#include <cstdlib>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/list/ends.h"
#include "commands/list/family.h"
#include "commands/list/stretch.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void lset(Context& context, Arguments& args) {
  const auto list = change_as<state::List>(context, args[1]);
  if (!list) return;
  if (list->absent()) return context.reply.error(kNoSuchKey);
  const auto index = integer_or_reply(context, args[2]);
  if (!index) return;
  const auto size = static_cast<std::int64_t>(list->value().size());
  const std::int64_t position = *index < 0 ? *index + size : *index;
  if (position < 0 || position >= size) return context.reply.error("ERR index out of range");
  list->value().set(static_cast<std::size_t>(position), args[3]);
  context.reply.simple("OK");
  changed(context, *list);
  notify(context, EventClass::list, "lset", args[1]);
}

void linsert(Context& context, Arguments& args) {
  using Side = state::List::Side;
  const bool after = same_word(args[2], "AFTER");
  if (!after && !same_word(args[2], "BEFORE")) return context.reply.error(kSyntaxError);
  const auto list = change_as<state::List>(context, args[1]);
  if (!list) return;
  if (list->absent()) return context.reply.integer(0);
  if (!list->value().insert(after ? Side::after : Side::before, args[3], args[4])) {
    return context.reply.integer(-1);
  }
  changed(context, *list);
  notify(context, EventClass::list, "linsert", args[1]);
  context.reply.integer(static_cast<std::int64_t>(list->value().size()));
}

// How many LREM is to remove, 0 for all of them, as a number without a sign.
std::uint64_t most_of(std::int64_t count) {
  if (count == 0) return UINT64_MAX;
  const auto bits = static_cast<std::uint64_t>(count);
  return count < 0 ? 0 - bits : bits;
}

void lrem(Context& context, Arguments& args) {
  const auto count = integer_or_reply(context, args[2]);
  if (!count) return;
  const auto list = change_as<state::List>(context, args[1]);
  if (!list) return;
  if (list->absent()) return context.reply.integer(0);
  const std::size_t removed =
      list->value().remove(args[3], *count < 0 ? End::back : End::front, most_of(*count));
  if (removed > 0) changed_then_told(context, *list, EventClass::list, "lrem", args[1]);
  context.reply.integer(static_cast<std::int64_t>(removed));
}

void ltrim(Context& context, Arguments& args) {
  const auto first = integer_or_reply(context, args[2]);
  if (!first) return;
  const auto last = integer_or_reply(context, args[3]);
  if (!last) return;
  const auto list = change_as<state::List>(context, args[1]);
  if (!list) return;
  if (list->absent()) return context.reply.simple("OK");
  const Stretch stretch = stretch_of(list->value().size(), *first, *last);
  list->value().keep(stretch.first, stretch.count);
  taken(context, *list, args[1], "ltrim");
  context.reply.simple("OK");
}

constexpr Command kRows[] = {
    {.name = "LSET",
     .group = "list",
     .since = "1.0.0",
     .summary = "Puts another element at a position.",
     .syntax = "key index element",
     .complexity = "O(1)",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::list | Category::slow,
     .compat = kSame,
     .run = lset},
    {.name = "LINSERT",
     .group = "list",
     .since = "2.2.0",
     .summary = "Puts an element next to another.",
     .syntax = "key <BEFORE | AFTER> pivot element",
     .complexity = "O(n) for n elements",
     .arity = exactly(5),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::list | Category::slow,
     .compat = kSame,
     .run = linsert},
    {.name = "LREM",
     .group = "list",
     .since = "1.0.0",
     .summary = "Removes elements that are equal to one given, and counts them.",
     .syntax = "key count element",
     .complexity = "O(n) for n elements",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .categories = Category::write | Category::list | Category::slow,
     .compat = kSame,
     .run = lrem},
    {.name = "LTRIM",
     .group = "list",
     .since = "1.0.0",
     .summary = "Keeps the elements from one position to another and removes all others.",
     .syntax = "key start stop",
     .complexity = "O(n) for n elements that are removed",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .categories = Category::write | Category::list | Category::slow,
     .compat = kSame,
     .run = ltrim},
};

}  // namespace

std::span<const Command> list_edit_commands() {
  return kRows;
}

}  // namespace fencepost::commands
