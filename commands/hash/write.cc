// HSET, HMSET, HSETNX and HDEL: fields set and removed.
#include <optional>
#include <string>

#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/hash/family.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

using state::Hash;

// Sets the pairs of field and value and answers what `reply` makes of the number of new fields.
void set_pairs(Context& context, const Arguments& args, std::string_view command,
               void (*reply)(Context&, std::int64_t added)) {
  if (args.size() % 2 == 1) {
    return context.reply.error("ERR wrong number of arguments for '" + std::string{command} +
                               "' command");
  }
  auto held = change_as<Hash>(context, args[1]);
  if (!held || !key_fits_or_reply(context, args[1])) return;
  Hash& hash = held->value_or_make(context);
  const auto compact = compact_hash(context);
  std::int64_t added = 0;
  for (std::size_t at = 2; at < args.size(); at += 2) {
    if (hash.set(args[at], args[at + 1], compact)) ++added;
  }
  reply(context, added);
  changed(context, *held);
  notify(context, EventClass::hash, "hset", args[1]);
}

void hset(Context& context, Arguments& args) {
  set_pairs(context, args, "hset",
            [](Context& asked, std::int64_t added) { asked.reply.integer(added); });
}

void hmset(Context& context, Arguments& args) {
  set_pairs(context, args, "hmset", [](Context& asked, std::int64_t) { asked.reply.simple("OK"); });
}

void hsetnx(Context& context, Arguments& args) {
  auto held = change_as<Hash>(context, args[1]);
  if (!held || !key_fits_or_reply(context, args[1])) return;
  if (!held->absent() && held->value().find(args[2]) != nullptr) return context.reply.integer(0);
  held->value_or_make(context).set(args[2], args[3], compact_hash(context));
  context.reply.integer(1);
  changed(context, *held);
  notify(context, EventClass::hash, "hset", args[1]);
}

void hdel(Context& context, Arguments& args) {
  const auto held = change_as<Hash>(context, args[1]);
  if (!held) return;
  if (held->absent()) return context.reply.integer(0);
  std::int64_t erased = 0;
  for (const std::string_view field : args.from(2)) {
    if (held->value().erase(field)) ++erased;
  }
  if (erased > 0) changed_then_told(context, *held, EventClass::hash, "hdel", args[1]);
  context.reply.integer(erased);
}

constexpr Command kRows[] = {
    {.name = "HSET",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Gives fields their values and answers how many fields are new.",
     .syntax = "key field value [field value ...]",
     .complexity = "O(n) for n fields",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::hash | Category::fast,
     .compat = kSame,
     .run = hset},
    {.name = "HMSET",
     .group = "hash",
     .since = "2.0.0",
     .summary = "The same as HSET, but answers OK.",
     .syntax = "key field value [field value ...]",
     .complexity = "O(n) for n fields",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::hash | Category::fast,
     .compat = kSame,
     .run = hmset},
    {.name = "HSETNX",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Gives a field a value unless the hash has it.",
     .syntax = "key field value",
     .complexity = "O(1)",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::hash | Category::fast,
     .compat = kSame,
     .run = hsetnx},
    {.name = "HDEL",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Removes fields and answers how many were there.",
     .syntax = "key field [field ...]",
     .complexity = "O(n) for n fields",
     .arity = at_least(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::hash | Category::fast,
     .compat = kSame,
     .run = hdel},
};

}  // namespace

std::span<const Command> hash_write_commands() {
  return kRows;
}

}  // namespace fencepost::commands
