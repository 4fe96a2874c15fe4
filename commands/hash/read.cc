// HGET and whatever else reads a hash.
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/hash/family.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

using state::Hash;

const std::string* value_of(const Hash* hash, std::string_view field) {
  return hash == nullptr ? nullptr : hash->find(field);
}

void reply_value(Context& context, const std::string* value) {
  if (value == nullptr) return context.reply.null();
  context.reply.bulk(*value);
}

void hget(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (hash) reply_value(context, value_of(*hash, args[2]));
}

void hmget(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (!hash) return;
  context.reply.array(args.size() - 2);
  for (const std::string_view field : args.from(2)) reply_value(context, value_of(*hash, field));
}

void hexists(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (hash) context.reply.integer(value_of(*hash, args[2]) != nullptr ? 1 : 0);
}

void hlen(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (!hash) return;
  context.reply.integer(*hash == nullptr ? 0 : static_cast<std::int64_t>((*hash)->size()));
}

void hstrlen(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (!hash) return;
  const std::string* value = value_of(*hash, args[2]);
  context.reply.integer(value == nullptr ? 0 : static_cast<std::int64_t>(value->size()));
}

void hkeys(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (!hash) return;
  const std::size_t size = *hash == nullptr ? 0 : (*hash)->size();
  context.reply.array(size);
  for (std::size_t at = 0; at < size; ++at) context.reply.bulk((*hash)->fields().at(at).field);
}

void hvals(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (!hash) return;
  const std::size_t size = *hash == nullptr ? 0 : (*hash)->size();
  context.reply.array(size);
  for (std::size_t at = 0; at < size; ++at) context.reply.bulk((*hash)->fields().at(at).value);
}

void hgetall(Context& context, Arguments& args) {
  const auto hash = read_as<Hash>(context, args[1]);
  if (!hash) return;
  const std::size_t size = *hash == nullptr ? 0 : (*hash)->size();
  context.reply.map(size);
  for (std::size_t at = 0; at < size; ++at) {
    const auto& entry = (*hash)->fields().at(at);
    context.reply.bulk(entry.field);
    context.reply.bulk(entry.value);
  }
}

constexpr Command kRows[] = {
    {.name = "HGET",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Answers the value of a field.",
     .syntax = "key field",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::hash | Category::fast,
     .compat = kSame,
     .run = hget},
    {.name = "HMGET",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Answers the values of several fields.",
     .syntax = "key field [field ...]",
     .complexity = "O(n) for n fields",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::hash | Category::fast,
     .compat = kSame,
     .run = hmget},
    {.name = "HEXISTS",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Answers whether a hash has a field.",
     .syntax = "key field",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::hash | Category::fast,
     .compat = kSame,
     .run = hexists},
    {.name = "HLEN",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Answers how many fields a hash has.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::hash | Category::fast,
     .compat = kSame,
     .run = hlen},
    {.name = "HSTRLEN",
     .group = "hash",
     .since = "3.2.0",
     .summary = "Answers the length of a field's value.",
     .syntax = "key field",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::hash | Category::fast,
     .compat = kSame,
     .run = hstrlen},
    {.name = "HKEYS",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Answers all fields of a hash.",
     .syntax = "key",
     .complexity = "O(n) for n fields",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::hash | Category::slow,
     .compat = kSame,
     .run = hkeys,
     .tips = "nondeterministic_output_order"},
    {.name = "HVALS",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Answers the values of all fields.",
     .syntax = "key",
     .complexity = "O(n) for n fields",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::hash | Category::slow,
     .compat = kSame,
     .run = hvals,
     .tips = "nondeterministic_output_order"},
    {.name = "HGETALL",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Answers all fields and their values.",
     .syntax = "key",
     .complexity = "O(n) for n fields",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::hash | Category::slow,
     .compat = kSame,
     .run = hgetall,
     .tips = "nondeterministic_output_order"},
};

}  // namespace

std::span<const Command> hash_read_commands() {
  return kRows;
}

}  // namespace fencepost::commands
