// SADD, SREM, SMOVE, and what asks for members: sets one by one.
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/rows.h"
#include "commands/set/family.h"

namespace fencepost::commands {

namespace {

using state::Set;

void sadd(Context& context, Arguments& args) {
  auto held = change_as<Set>(context, args[1]);
  if (!held || !key_fits_or_reply(context, args[1])) return;
  Set& set = held->value_or_make(context);
  std::int64_t added = 0;
  for (const std::string_view member : args.from(2)) {
    if (set.add(member, most_numbers(context))) ++added;
  }
  if (added > 0) {
    changed(context, *held);
    notify(context, EventClass::set, "sadd", args[1]);
  }
  context.reply.integer(added);
}

void srem(Context& context, Arguments& args) {
  const auto held = change_as<Set>(context, args[1]);
  if (!held) return;
  if (held->absent()) return context.reply.integer(0);
  std::int64_t erased = 0;
  for (const std::string_view member : args.from(2)) {
    if (held->value().erase(member)) ++erased;
  }
  if (erased > 0) changed_then_told(context, *held, EventClass::set, "srem", args[1]);
  context.reply.integer(erased);
}

// Both keys are looked at before anything is changed; the source may be gone when the destination
// is made. As in Redis that one is told of as new before either is told of as changed.
void smove(Context& context, Arguments& args) {
  const std::string_view member = args[3];
  look(context, args[2]);
  const auto from = change_as<Set>(context, args[1]);
  if (!from) return;
  if (from->absent()) return context.reply.integer(0);
  const auto target = change_as<Set>(context, args[2]);
  if (!target) return;
  const bool makes = target->absent();
  if (args[1] == args[2]) {
    return context.reply.integer(from->value().contains(member) ? 1 : 0);
  }
  if (!from->value().contains(member)) return context.reply.integer(0);
  if (!key_fits_or_reply(context, args[2])) return;
  from->value().erase(member);
  notify(context, EventClass::set, "srem", args[1]);
  if (from->value().size() == 0) notify(context, EventClass::generic, "del", args[1]);
  if (makes) notify(context, EventClass::new_key, "new", args[2]);
  changed(context, *from);
  auto to = change_as<Set>(context, args[2]);
  if (to && to->value_or_make_told(context).add(member, most_numbers(context))) {
    changed(context, *to);
    notify(context, EventClass::set, "sadd", args[2]);
  }
  context.reply.integer(1);
}

void scard(Context& context, Arguments& args) {
  const auto set = read_as<Set>(context, args[1]);
  if (!set) return;
  context.reply.integer(*set == nullptr ? 0 : static_cast<std::int64_t>((*set)->size()));
}

bool has_member(const Set* set, std::string_view member) {
  return set != nullptr && set->contains(member);
}

void sismember(Context& context, Arguments& args) {
  const auto set = read_as<Set>(context, args[1]);
  if (set) context.reply.integer(has_member(*set, args[2]) ? 1 : 0);
}

void smismember(Context& context, Arguments& args) {
  const auto set = read_as<Set>(context, args[1]);
  if (!set) return;
  context.reply.array(args.size() - 2);
  for (const std::string_view member : args.from(2))
    context.reply.integer(has_member(*set, member) ? 1 : 0);
}

void smembers(Context& context, Arguments& args) {
  const auto set = read_as<Set>(context, args[1]);
  if (!set) return;
  const std::size_t size = *set == nullptr ? 0 : (*set)->size();
  context.reply.set(size);
  std::string digits;
  for (std::size_t at = 0; at < size; ++at) context.reply.bulk((*set)->at(at, digits));
}

constexpr Command kRows[] = {
    {.name = "SADD",
     .group = "set",
     .since = "1.0.0",
     .summary = "Adds members to a set and answers how many are new.",
     .syntax = "key member [member ...]",
     .complexity = "O(n) for n members",
     .arity = at_least(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::set | Category::fast,
     .compat = kSame,
     .run = sadd},
    {.name = "SREM",
     .group = "set",
     .since = "1.0.0",
     .summary = "Removes members from a set and answers how many were there.",
     .syntax = "key member [member ...]",
     .complexity = "O(n) for n members",
     .arity = at_least(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::set | Category::fast,
     .compat = kSame,
     .run = srem},
    {.name = "SMOVE",
     .group = "set",
     .since = "1.0.0",
     .summary = "Moves a member from one set to another.",
     .syntax = "source destination member",
     .complexity = "O(1)",
     .arity = exactly(4),
     .keys = used(kTwoKeys, KeyUse::read_write | KeyUse::access | KeyUse::erase,
                  KeyUse::read_write | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::set | Category::fast,
     .compat = kSame,
     .run = smove},
    {.name = "SCARD",
     .group = "set",
     .since = "1.0.0",
     .summary = "Answers how many members a set has.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::set | Category::fast,
     .compat = kSame,
     .run = scard},
    {.name = "SISMEMBER",
     .group = "set",
     .since = "1.0.0",
     .summary = "Answers whether a set has a member.",
     .syntax = "key member",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::set | Category::fast,
     .compat = kSame,
     .run = sismember},
    {.name = "SMISMEMBER",
     .group = "set",
     .since = "6.2.0",
     .summary = "Answers of several members whether a set has them.",
     .syntax = "key member [member ...]",
     .complexity = "O(n) for n members",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::set | Category::fast,
     .compat = kSame,
     .run = smismember},
    {.name = "SMEMBERS",
     .group = "set",
     .since = "1.0.0",
     .summary = "Answers all members of a set.",
     .syntax = "key",
     .complexity = "O(n) for n members",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::set | Category::slow,
     .compat = kSame,
     .run = smembers,
     .tips = "nondeterministic_output_order"},
};

}  // namespace

std::span<const Command> set_member_commands() {
  return kRows;
}

}  // namespace fencepost::commands
