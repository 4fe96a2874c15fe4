// KEYS, SCAN, RANDOMKEY, DBSIZE and the FLUSH commands: databases as a whole.
#include <string>
#include <vector>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/key/family.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/scan_options.h"

namespace fencepost::commands {

namespace {

void keys(Context& context, Arguments& args) {
  const std::string_view pattern = args[1];
  if (!pattern_fits_or_reply(context, pattern)) return;
  const std::size_t opened = context.reply.open();
  std::size_t count = 0;
  context.keys().for_each(context.database(), [&context, &count, pattern](state::Item& item) {
    if (!glob_matches(pattern, item.key())) return;
    context.reply.bulk(item.key());
    ++count;
  });
  context.reply.close_array(opened, count);
}

bool wanted(const ScanOptions& options, const state::Item& item) {
  if (options.type && !same_word(*options.type, state::type_name(item.type()))) return false;
  return options.admits(item.key());
}

void scan(Context& context, Arguments& args) {
  const auto cursor = cursor_or_reply(context, args[1]);
  if (!cursor) return;
  const auto options = scan_options_or_reply(context, args, 2, ScanOf::keys);
  if (!options) return;
  std::vector<std::string_view>
      found;  // of items that stay where they are until the reply is written
  const std::uint64_t next = context.keys().scan(context.database(), *cursor, options->count,
                                                 [&options, &found](state::Item& item) {
                                                   if (wanted(*options, item))
                                                     found.emplace_back(item.key());
                                                 });
  context.reply.array(2);
  context.reply.bulk(std::to_string(next));
  context.reply.array(found.size());
  for (const std::string_view key : found) context.reply.bulk(key);
}

void randomkey(Context& context, Arguments&) {
  const state::Item* item = context.keys().random(context.database(), context.random);
  if (item == nullptr) return context.reply.null();
  context.reply.bulk(item->key());
}

void dbsize(Context& context, Arguments&) {
  context.reply.integer(static_cast<std::int64_t>(context.keys().size(context.database())));
}

// SYNC and ASYNC are taken and mean the same here. False when the command is answered.
bool flush_mode_or_reply(Context& context, const Arguments& args) {
  if (args.size() == 1) return true;
  if (args.size() == 2 && (same_word(args[1], "SYNC") || same_word(args[1], "ASYNC"))) return true;
  context.reply.error(kSyntaxError);
  return false;
}

void flushdb(Context& context, Arguments& args) {
  if (!flush_mode_or_reply(context, args)) return;
  context.state.flush(context.database(), context.database());
  context.reply.simple("OK");
}

void flushall(Context& context, Arguments& args) {
  if (!flush_mode_or_reply(context, args)) return;
  context.state.flush(0, kDatabaseCount - 1);
  context.reply.simple("OK");
}

constexpr Command kRows[] = {
    {.name = "KEYS",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Answers all keys whose names match a pattern.",
     .syntax = "pattern",
     .complexity = "O(n) for n keys in the database",
     .arity = exactly(2),
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::keyspace | Category::read | Category::slow | Category::dangerous,
     .compat = kSame,
     .run = keys,
     .tips = "request_policy:all_shards nondeterministic_output_order"},
    {.name = "SCAN",
     .group = "generic",
     .since = "2.8.0",
     .summary = "Answers some of the keys and the cursor to go on with; 0 at the end.",
     .syntax = "cursor [MATCH pattern] [COUNT count] [TYPE type]",
     .complexity = "O(n) for a COUNT of n; O(n) for n keys over a whole scan",
     .arity = at_least(2),
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::keyspace | Category::read | Category::slow,
     .compat = {Compat::same, "but for the cursors and the order"},
     .run = scan,
     .tips = "nondeterministic_output request_policy:special"},
    {.name = "RANDOMKEY",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Answers one of the keys, by chance.",
     .syntax = "",
     .complexity = "O(1)",
     .arity = exactly(1),
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::keyspace | Category::read | Category::slow,
     .compat = kSame,
     .run = randomkey,
     .tips = "request_policy:all_shards nondeterministic_output"},
    {.name = "DBSIZE",
     .group = "server",
     .since = "1.0.0",
     .summary = "Answers how many keys the database has.",
     .syntax = "",
     .complexity = "O(1)",
     .arity = exactly(1),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::read | Category::fast,
     .compat = kSame,
     .run = dbsize,
     .tips = "request_policy:all_shards response_policy:agg_sum"},
    {.name = "FLUSHALL",
     .group = "server",
     .since = "1.0.0",
     .summary = "Removes all keys of all databases.",
     .syntax = "[ASYNC | SYNC]",
     .complexity = "O(n) for n keys in all databases",
     .arity = at_least(1),
     .effect = Effect::write,
     .flags = Flag::none,
     .categories = Category::keyspace | Category::write | Category::slow | Category::dangerous,
     .compat = kSame,
     .run = flushall,
     .tips = "request_policy:all_shards response_policy:all_succeeded"},
    {.name = "FLUSHDB",
     .group = "server",
     .since = "1.0.0",
     .summary = "Removes all keys of the database.",
     .syntax = "[ASYNC | SYNC]",
     .complexity = "O(n) for n keys in the database",
     .arity = at_least(1),
     .effect = Effect::write,
     .flags = Flag::none,
     .categories = Category::keyspace | Category::write | Category::slow | Category::dangerous,
     .compat = kSame,
     .run = flushdb,
     .tips = "request_policy:all_shards response_policy:all_succeeded"},
};

}  // namespace

std::span<const Command> scan_commands() {
  return kRows;
}

}  // namespace fencepost::commands
