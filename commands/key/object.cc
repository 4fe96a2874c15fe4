// OBJECT: how a value is kept, as Redis would keep it, and when it was last used.
#include <string_view>

#include <climits>

#include "base/number.h"
#include "commands/arguments.h"
#include "commands/help.h"
#include "commands/key/family.h"
#include "commands/lookup.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

// Redis keeps short strings in one piece with their header.
constexpr std::size_t kLongestEmbedded = 44;
// Redis shares one object among all keys that have one of these whole numbers.
constexpr std::int64_t kSharedNumbers = 10'000;

std::optional<std::int64_t> kept_as_number(const state::Item& item) {
  const bool may_be = item.is_string() && item.form == state::Item::Form::plain;
  return may_be ? parse_integer(item.text()) : std::nullopt;
}

std::string_view encoding_of(const state::Item& item) {
  if (item.is_collection()) return item.collection().encoding();
  if (item.is_lock()) return "lock";
  if (item.form == state::Item::Form::raw) return "raw";
  if (kept_as_number(item)) return "int";
  return item.text().size() <= kLongestEmbedded ? "embstr" : "raw";
}

void encoding(Context& context, Arguments& args) {
  const state::Item* item = context.keys().find(context.database(), args[2]);
  if (item == nullptr) return context.reply.null();
  context.reply.bulk(encoding_of(*item));
}

void refcount(Context& context, Arguments& args) {
  const state::Item* item = context.keys().find(context.database(), args[2]);
  if (item == nullptr) return context.reply.null();
  const std::int64_t number = kept_as_number(*item).value_or(-1);
  context.reply.integer(number >= 0 && number < kSharedNumbers ? INT_MAX : 1);
}

void idletime(Context& context, Arguments& args) {
  const state::Item* item = context.keys().find(context.database(), args[2]);
  if (item == nullptr) return context.reply.null();
  context.reply.integer((context.keys().clock() - item->last_used()).count() / 1000);
}

void freq(Context& context, Arguments& args) {
  if (context.keys().find(context.database(), args[2]) == nullptr) return context.reply.null();
  context.reply.error(
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
      "when switching between policies at runtime LRU and LFU data will take some time to adjust.");
}

constexpr Category kReads = Category::keyspace | Category::read | Category::slow;

constexpr Command kSubcommands[] = {
    {.name = "ENCODING",
     .group = "generic",
     .since = "2.2.3",
     .summary = "Answers how a value is kept.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kKeyOfSubcommand, KeyUse::read_only),
     .effect = Effect::read,
     .categories = kReads,
     .compat = kSame,
     .run = encoding,
     .tips = "nondeterministic_output"},
    {.name = "FREQ",
     .group = "generic",
     .since = "4.0.0",
     .summary = "Refused: how often a key is used is not counted.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kKeyOfSubcommand, KeyUse::read_only),
     .effect = Effect::read,
     .categories = kReads,
     .compat = kSame,
     .run = freq,
     .tips = "nondeterministic_output"},
    {.name = "IDLETIME",
     .group = "generic",
     .since = "2.2.3",
     .summary = "Answers the seconds since a key was last used.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kKeyOfSubcommand, KeyUse::read_only),
     .effect = Effect::read,
     .categories = kReads,
     .compat = kSame,
     .run = idletime,
     .tips = "nondeterministic_output"},
    {.name = "REFCOUNT",
     .group = "generic",
     .since = "2.2.3",
     .summary = "Answers how many share a value.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kKeyOfSubcommand, KeyUse::read_only),
     .effect = Effect::read,
     .categories = kReads,
     .compat = kSame,
     .run = refcount,
     .tips = "nondeterministic_output"},
    {.name = "HELP",
     .group = "generic",
     .since = "6.2.0",
     .summary = "Answers what the subcommands do.",
     .syntax = "",
     .complexity = "O(1)",
     .arity = exactly(2),
     .effect = Effect::session,
     .flags = Flag::loading | Flag::stale,
     .categories = Category::keyspace | Category::slow,
     .compat = {Compat::differs, "in our own words"},
     .run = reply_help},
};

constexpr Command kRows[] = {
    {.name = "OBJECT",
     .group = "generic",
     .since = "2.2.3",
     .summary = "How values are kept and when they were used.",
     .syntax = "",
     .complexity = "Depends on the subcommand.",
     .arity = at_least(2),
     .effect = Effect::session,
     .categories = Category::slow,
     .compat = kSame,
     .subcommands = kSubcommands},
};

}  // namespace

std::span<const Command> object_commands() {
  return kRows;
}

}  // namespace fencepost::commands
