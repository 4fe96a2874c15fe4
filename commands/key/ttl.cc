// TTL and its kin: how long a lease still runs, or when it ends.
#include <algorithm>

#include "commands/arguments.h"
#include "commands/key/family.h"
#include "commands/lookup.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

constexpr std::int64_t kNoKey = -2;
constexpr std::int64_t kNoLease = -1;

// Redis rounds half a second up.
std::int64_t to_seconds(std::int64_t ms) {
  constexpr std::int64_t kHalf = 500;
  return ms / 1000 + (ms % 1000 + kHalf) / 1000;
}

std::int64_t rest_ms(Context& context, std::string_view key) {
  const state::Item* item = peek_key(context, key);
  if (item == nullptr) return kNoKey;
  const Instant deadline = visible_deadline(*item);
  if (deadline == kNever) return kNoLease;
  return std::max<std::int64_t>((deadline - context.keys().clock()).count(), 0);
}

std::int64_t end_unix_ms(Context& context, std::string_view key) {
  const state::Item* item = peek_key(context, key);
  if (item == nullptr) return kNoKey;
  const Instant deadline = visible_deadline(*item);
  if (deadline == kNever) return kNoLease;
  return std::max<std::int64_t>(to_unix_ms(deadline, context.now), 0);
}

void ttl(Context& context, Arguments& args) {
  const std::int64_t ms = rest_ms(context, args[1]);
  context.reply.integer(ms < 0 ? ms : to_seconds(ms));
}

void pttl(Context& context, Arguments& args) {
  context.reply.integer(rest_ms(context, args[1]));
}

void expiretime(Context& context, Arguments& args) {
  const std::int64_t ms = end_unix_ms(context, args[1]);
  context.reply.integer(ms < 0 ? ms : to_seconds(ms));
}

void pexpiretime(Context& context, Arguments& args) {
  context.reply.integer(end_unix_ms(context, args[1]));
}

constexpr Command kRows[] = {
    {.name = "TTL",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Answers the seconds left of a key's lease; -1 without one, -2 without the key.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = ttl,
     .tips = "nondeterministic_output"},
    {.name = "PTTL",
     .group = "generic",
     .since = "2.6.0",
     .summary = "Answers the milliseconds left of a key's lease; -1 without one, -2 without the "
                "key.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = pttl,
     .tips = "nondeterministic_output"},
    {.name = "EXPIRETIME",
     .group = "generic",
     .since = "7.0.0",
     .summary = "Answers when a key's lease ends, in Unix seconds.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = expiretime},
    {.name = "PEXPIRETIME",
     .group = "generic",
     .since = "7.0.0",
     .summary = "Answers when a key's lease ends, in Unix milliseconds.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = pexpiretime},
};

}  // namespace

std::span<const Command> ttl_commands() {
  return kRows;
}

}  // namespace fencepost::commands
