// DEL, EXISTS, TYPE and their kin: whether a key lives, and its end.
#include "commands/arguments.h"
#include "commands/events.h"
#include "commands/key/family.h"
#include "commands/lookup.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void del(Context& context, Arguments& args) {
  std::int64_t erased = 0;
  for (const std::string_view key : args.from(1)) {
    state::Item* item = look(context, key).item;
    if (item == nullptr) continue;
    context.keys().erase(*item);
    notify(context, EventClass::generic, "del", key);
    ++erased;
  }
  context.reply.integer(erased);
}

// Counts the keys that are there, one named twice twice.
void exists(Context& context, Arguments& args) {
  std::int64_t found = 0;
  for (const std::string_view key : args.from(1)) {
    if (count_key(context, key) != nullptr) ++found;
  }
  context.reply.integer(found);
}

void touch(Context& context, Arguments& args) {
  std::int64_t found = 0;
  for (const std::string_view key : args.from(1)) {
    state::Item* item = look(context, key).item;
    if (item == nullptr) {
      notify(context, EventClass::key_miss, "keymiss", key);
      continue;
    }
    item->set_last_used(context.keys().clock());
    ++found;
  }
  context.reply.integer(found);
}

void type(Context& context, Arguments& args) {
  const state::Item* item = peek_key(context, args[1]);
  context.reply.simple(item == nullptr ? "none" : state::type_name(item->type()));
}

constexpr Command kRows[] = {
    {.name = "DEL",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Removes keys and answers how many were there.",
     .syntax = "key [key ...]",
     .complexity = "O(n) for n keys",
     .arity = at_least(2),
     .keys = used(kAllKeys, KeyUse::remove | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::none,
     .categories = Category::keyspace | Category::write | Category::slow,
     .compat = kSame,
     .run = del,
     .tips = "request_policy:multi_shard response_policy:agg_sum"},
    {.name = "UNLINK",
     .group = "generic",
     .since = "4.0.0",
     .summary = "The same as DEL.",
     .syntax = "key [key ...]",
     .complexity = "O(n) for n keys",
     .arity = at_least(2),
     .keys = used(kAllKeys, KeyUse::remove | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = del,
     .tips = "request_policy:multi_shard response_policy:agg_sum"},
    {.name = "EXISTS",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Answers how many of the keys exist.",
     .syntax = "key [key ...]",
     .complexity = "O(n) for n keys",
     .arity = at_least(2),
     .keys = used(kAllKeys, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = exists,
     .tips = "request_policy:multi_shard response_policy:agg_sum"},
    {.name = "TYPE",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Answers the type of a key: string, lock (held by several), or none.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = type},
    {.name = "TOUCH",
     .group = "generic",
     .since = "3.2.1",
     .summary = "Marks keys as used just now and answers how many exist.",
     .syntax = "key [key ...]",
     .complexity = "O(n) for n keys",
     .arity = at_least(2),
     .keys = used(kAllKeys, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = touch,
     .tips = "request_policy:multi_shard response_policy:agg_sum"},
};

}  // namespace

std::span<const Command> life_commands() {
  return kRows;
}

}  // namespace fencepost::commands
