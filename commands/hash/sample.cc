// HRANDFIELD and HSCAN: some of the fields.
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/chance.h"
#include "commands/collection.h"
#include "commands/hash/family.h"
#include "commands/rows.h"
#include "commands/scan_options.h"

namespace fencepost::commands {

namespace {

using state::Hash;

void random_field(Context& context, std::string_view key) {
  const auto hash = read_as<Hash>(context, key);
  if (!hash) return;
  if (*hash == nullptr) return context.reply.null();
  const auto at = static_cast<std::size_t>(context.random.below((*hash)->size()));
  context.reply.bulk((*hash)->fields().at(at).field);
}

// Whether WITHVALUES stands there; null when the command is answered.
std::optional<bool> with_values_or_reply(Context& context, const Arguments& args,
                                         std::int64_t count) {
  if (args.size() == 3) return false;
  if (args.size() > 4 || !same_word(args[3], "WITHVALUES")) {
    context.reply.error(kSyntaxError);
    return std::nullopt;
  }
  if (count < -INT64_MAX / 2 || count > INT64_MAX / 2) {
    context.reply.error("ERR value is out of range");
    return std::nullopt;
  }
  return true;
}

// In RESP3 each field and its value are an array of their own.
void reply_fields(Context& context, const Hash& hash, std::int64_t count, bool with_values) {
  const bool as_pairs = with_values && context.reply.protocol() == resp::Protocol::resp3;
  const std::size_t results = results_or_cut(context, hash.size(), count);
  context.reply.array(with_values && !as_pairs ? 2 * results : results);
  for_random_positions(context, hash.size(), count, [&](std::size_t at) {
    const auto& entry = hash.fields().at(at);
    if (as_pairs) context.reply.array(2);
    context.reply.bulk(entry.field);
    if (with_values) context.reply.bulk(entry.value);
  });
}

void hrandfield(Context& context, Arguments& args) {
  if (args.size() == 2) return random_field(context, args[1]);
  const auto count = random_count_or_reply(context, args[2]);
  if (!count) return;
  const auto with_values = with_values_or_reply(context, args, *count);
  if (!with_values) return;
  const auto hash = read_as<Hash>(context, args[1]);
  if (!hash) return;
  if (*hash == nullptr) return context.reply.array(0);
  reply_fields(context, **hash, *count, *with_values);
}

// A compact hash is answered whole, as in Redis.
void hscan(Context& context, Arguments& args) {
  const auto cursor = cursor_or_reply(context, args[2]);
  if (!cursor) return;
  const auto held = read_as<Hash>(context, args[1]);
  if (!held) return;
  if (*held == nullptr) return reply_empty_scan(context);
  const auto options = scan_options_or_reply(context, args, 3, ScanOf::elements);
  if (!options) return;
  const Hash& hash = **held;
  using Entry = state::FieldTable<std::string>::Entry;
  std::vector<const Entry*> found;
  const auto see = [&options, &found](const Entry& entry) {
    if (options->admits(entry.field)) found.push_back(&entry);
  };
  std::uint64_t next = 0;
  if (hash.is_compact()) {
    for (std::size_t at = 0; at < hash.size(); ++at) see(hash.fields().at(at));
  } else {
    next = hash.fields().scan(*cursor, options->count, see);
  }
  context.reply.array(2);
  context.reply.bulk(std::to_string(next));
  context.reply.array(2 * found.size());
  for (const Entry* entry : found) {
    context.reply.bulk(entry->field);
    context.reply.bulk(entry->value);
  }
}

constexpr Command kRows[] = {
    {.name = "HRANDFIELD",
     .group = "hash",
     .since = "6.2.0",
     .summary = "Answers fields of a hash by chance, with or without their values.",
     .syntax = "key [count [WITHVALUES]]",
     .complexity = "O(n) for n fields asked for",
     .arity = at_least(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::hash | Category::slow,
     .compat = kSame,
     .run = hrandfield,
     .tips = "nondeterministic_output"},
    {.name = "HSCAN",
     .group = "hash",
     .since = "2.8.0",
     .summary = "Answers some of the fields with their values, and the cursor to go on with; 0 at "
                "the end.",
     .syntax = "key cursor [MATCH pattern] [COUNT count]",
     .complexity = "O(n) for a COUNT of n; O(n) for n fields over a whole scan",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::hash | Category::slow,
     .compat = {Compat::same, "but for the cursors, and for the order in large hashes"},
     .run = hscan,
     .tips = "nondeterministic_output"},
};

}  // namespace

std::span<const Command> hash_sample_commands() {
  return kRows;
}

}  // namespace fencepost::commands
