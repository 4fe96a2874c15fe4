// DELEX, DELIFEQ and DIGEST: a string is removed only if it still is what the caller thinks.
// https://redis.io/docs/latest/commands/delex, https://valkey.io/commands/delifeq
#include <optional>

#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/string/condition.h"
#include "commands/string/family.h"

namespace fencepost::commands {

namespace {

void erase(Context& context, state::Item& item, std::string_view key) {
  context.keys().erase(item);
  notify(context, EventClass::generic, "del", key);
}

// Removes the key if it is there and meets the condition, and answers how many that were.
void erase_if(Context& context, std::string_view key, const Condition& condition) {
  state::Item* item = look(context, key).item;
  if (item == nullptr) return context.reply.integer(0);
  if (!string_or_reply(context, item)) return;
  const auto met = met_or_reply(context, condition, item->text());
  if (!met) return;
  if (*met) erase(context, *item, key);
  context.reply.integer(*met ? 1 : 0);
}

void delex(Context& context, Arguments& args) {
  if (args.size() == 2) {
    state::Item* item = look(context, args[1]).item;
    if (item != nullptr) erase(context, *item, args[1]);
    return context.reply.integer(item != nullptr ? 1 : 0);
  }
  if (args.size() != 4) {
    return context.reply.error("ERR wrong number of arguments for 'delex' command");
  }
  const auto kind = condition_word(args[2]);
  if (!kind) {
    return context.reply.error("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE");
  }
  erase_if(context, args[1], {*kind, args[3]});
}

void delifeq(Context& context, Arguments& args) {
  erase_if(context, args[1], {Condition::Kind::equal, args[2]});
}

void digest(Context& context, Arguments& args) {
  const state::Item* item = read_key(context, args[1]);
  if (item == nullptr) return context.reply.null();
  if (string_or_reply(context, item)) context.reply.bulk(digest_of(item->text()));
}

constexpr Command kRows[] = {
    {.name = "DELEX",
     .group = "string",
     .since = "8.4.0",
     .summary = "Removes a key if its value, or the digest of it, meets the condition.",
     .syntax = "key [IFEQ value | IFNE value | IFDEQ digest | IFDNE digest]",
     .complexity = "O(n) for a value of n bytes",
     .arity = at_least(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase | KeyUse::variable),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = {Compat::later, "Redis 8.4"},
     .run = delex},
    {.name = "DELIFEQ",
     .group = "string",
     .since = "9.0.0",
     .summary = "Removes a key if it has this value.",
     .syntax = "key value",
     .complexity = "O(n) for a value of n bytes",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = {Compat::later, "Valkey 9.0"},
     .run = delifeq},
    {.name = "DIGEST",
     .group = "string",
     .since = "8.4.0",
     .summary = "Answers the XXH3 digest of a key's value in hexadecimal digits.",
     .syntax = "key",
     .complexity = "O(n) for a value of n bytes",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::string | Category::fast,
     .compat = {Compat::later, "Redis 8.4"},
     .run = digest},
};

}  // namespace

std::span<const Command> compare_commands() {
  return kRows;
}

}  // namespace fencepost::commands
