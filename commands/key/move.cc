// RENAME, COPY, MOVE and SWAPDB: keys under another name or in another database.
#include <optional>
#include <string>

#include <climits>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/key/family.h"
#include "commands/lookup.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

constexpr std::string_view kNoSuchDatabase = "ERR DB index is out of range";
constexpr std::string_view kSamePlace = "ERR source and destination objects are the same";

std::optional<DatabaseIndex> database_or_reply(Context& context, std::string_view text) {
  const auto number = integer_or_reply(context, text);
  if (!number) return std::nullopt;
  if (*number < INT_MIN || *number > INT_MAX) {
    context.reply.error("ERR value is out of range, value must between -2147483648 and 2147483647");
    return std::nullopt;
  }
  if (*number < 0 || *number >= kDatabaseCount) {
    context.reply.error(kNoSuchDatabase);
    return std::nullopt;
  }
  return static_cast<DatabaseIndex>(*number);
}

enum class IfTaken : std::uint8_t { replace, leave };

// The key that RENAME and RENAMENX are about; null when the command is answered. The destination is
// looked at first, so that what ends there does not do so behind the back of the item.
state::Item* renamable_or_reply(Context& context, const Arguments& args) {
  look(context, args[2]);
  state::Item* item = look(context, args[1]).item;
  if (item == nullptr) {
    context.reply.error(kNoSuchKey);
    return nullptr;
  }
  if (!single_or_reply(context, item) || !key_fits_or_reply(context, args[2])) return nullptr;
  return item;
}

// As Redis, which makes what stood at the destination anew.
void move_within(Context& context, state::Item& item, const Arguments& args) {
  if (look(context, args[2])) notify(context, EventClass::new_key, "new", args[2]);
  context.keys().move(item, context.database(), args[2]);
  notify(context, EventClass::generic, "rename_from", args[1]);
  notify(context, EventClass::generic, "rename_to", args[2]);
}

void rename(Context& context, Arguments& args) {
  state::Item* item = renamable_or_reply(context, args);
  if (item == nullptr) return;
  if (args[1] != args[2]) move_within(context, *item, args);
  context.reply.simple("OK");
}

void renamenx(Context& context, Arguments& args) {
  state::Item* item = renamable_or_reply(context, args);
  if (item == nullptr) return;
  if (args[1] == args[2] || look(context, args[2])) return context.reply.integer(0);
  move_within(context, *item, args);
  context.reply.integer(1);
}

struct CopyOptions {
  DatabaseIndex database = 0;
  IfTaken if_taken = IfTaken::leave;
};

std::optional<CopyOptions> copy_options_or_reply(Context& context, const Arguments& args) {
  CopyOptions options{.database = context.database()};
  for (std::size_t at = 3; at < args.size(); ++at) {
    if (same_word(args[at], "REPLACE")) {
      options.if_taken = IfTaken::replace;
    } else if (same_word(args[at], "DB") && at + 1 < args.size()) {
      const auto database = database_or_reply(context, args[++at]);
      if (!database) return std::nullopt;
      options.database = *database;
    } else {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
  }
  return options;
}

void copy(Context& context, Arguments& args) {
  const auto options = copy_options_or_reply(context, args);
  if (!options) return;
  if (options->database == context.database() && args[1] == args[2]) {
    return context.reply.error(kSamePlace);
  }
  const state::Item* source = read_key(context, args[1]);
  if (source == nullptr) return context.reply.integer(0);
  if (!single_or_reply(context, source) || !key_fits_or_reply(context, args[2])) return;
  const state::Spot target = look_in(context, options->database, args[2]);
  if (target && options->if_taken == IfTaken::leave) return context.reply.integer(0);
  if (target) notify(context, EventClass::new_key, "new", options->database, args[2]);
  state::Item& made =
      context.keys().put_value(target,
                               source->is_string() ? state::Value{std::string{source->text()}}
                                                   : source->collection().clone(),
                               source->deadline);
  made.form = source->form;
  notify(context, EventClass::generic, "copy_to", options->database, args[2]);
  context.reply.integer(1);
}

void move(Context& context, Arguments& args) {
  const auto database = database_or_reply(context, args[2]);
  if (!database) return;
  if (*database == context.database()) return context.reply.error(kSamePlace);
  state::Item* item = look(context, args[1]).item;
  if (item == nullptr) return context.reply.integer(0);
  if (!single_or_reply(context, item)) return;
  if (context.keys().look(*database, args[1])) return context.reply.integer(0);
  context.keys().move(*item, *database, args[1]);
  notify(context, EventClass::generic, "move_from", args[1]);
  notify(context, EventClass::generic, "move_to", *database, args[1]);
  context.reply.integer(1);
}

// A number as Redis's int; null for anything else.
std::optional<std::int64_t> small_integer(std::string_view text) {
  const auto number = parse_integer(text);
  return number && *number >= INT_MIN && *number <= INT_MAX ? number : std::nullopt;
}

void swapdb(Context& context, Arguments& args) {
  const auto first = small_integer(args[1]);
  if (!first) return context.reply.error("ERR invalid first DB index");
  const auto second = small_integer(args[2]);
  if (!second) return context.reply.error("ERR invalid second DB index");
  for (const std::int64_t index : {*first, *second}) {
    if (index < 0 || index >= kDatabaseCount) return context.reply.error(kNoSuchDatabase);
  }
  if (*first != *second) {
    context.keys().swap(static_cast<DatabaseIndex>(*first), static_cast<DatabaseIndex>(*second));
  }
  context.reply.simple("OK");
}

constexpr Command kRows[] = {
    {.name = "RENAME",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Gives a key another name, replacing what had that name.",
     .syntax = "key newkey",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kTwoKeys, KeyUse::read_write | KeyUse::access | KeyUse::erase,
                  KeyUse::overwrite | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::none,
     .categories = Category::keyspace | Category::write | Category::slow,
     .compat = kSame,
     .run = rename},
    {.name = "RENAMENX",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Gives a key another name, unless that is taken.",
     .syntax = "key newkey",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kTwoKeys, KeyUse::read_write | KeyUse::access | KeyUse::erase,
                  KeyUse::overwrite | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = renamenx},
    {.name = "COPY",
     .group = "generic",
     .since = "6.2.0",
     .summary = "Copies a key's value and lease to another key, or to another database.",
     .syntax = "source destination [DB destination-db] [REPLACE]",
     .complexity = "O(n) for a value of n bytes",
     .arity = at_least(3),
     .keys = used(kTwoKeys, KeyUse::read_only | KeyUse::access, KeyUse::overwrite | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::keyspace | Category::write | Category::slow,
     .compat = kSame,
     .run = copy},
    {.name = "MOVE",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Takes a key to another database, unless it exists there.",
     .syntax = "key db",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = move},
    {.name = "SWAPDB",
     .group = "server",
     .since = "4.0.0",
     .summary = "Exchanges the keys of two databases.",
     .syntax = "index1 index2",
     .complexity = "O(n) for n keys in both",
     .arity = exactly(3),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast | Category::dangerous,
     .compat = kSame,
     .run = swapdb},
};

}  // namespace

std::span<const Command> move_commands() {
  return kRows;
}

}  // namespace fencepost::commands
