// GET and whatever else reads a string.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/expiry.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/string/family.h"

namespace fencepost::commands {

namespace {

void get(Context& context, Arguments& args) {
  const state::Item* item = read_key(context, args[1]);
  if (item == nullptr) return context.reply.null();
  if (string_or_reply(context, item)) context.reply.bulk(item->text());
}

void getdel(Context& context, Arguments& args) {
  state::Item* item = read_key(context, args[1]);
  if (item == nullptr) return context.reply.null();
  if (!string_or_reply(context, item)) return;
  context.reply.bulk(item->text());
  context.keys().erase(*item);
  notify(context, EventClass::generic, "del", args[1]);
}

struct GetexOptions {
  bool persist = false;
  std::optional<ExpiryForm> form;
  std::string_view expiry;
};

std::optional<GetexOptions> getex_options(const Arguments& args) {
  GetexOptions options;
  for (std::size_t at = 2; at < args.size(); ++at) {
    if (same_word(args[at], "PERSIST")) {
      if (options.form) return std::nullopt;
      options.persist = true;
      continue;
    }
    const auto form = expiry_word(args[at]);
    if (!form || at + 1 == args.size()) return std::nullopt;
    if (options.persist || options.form.value_or(*form) != *form) return std::nullopt;
    options.form = form;
    options.expiry = args[++at];
  }
  return options;
}

void getex(Context& context, Arguments& args) {
  const auto options = getex_options(args);
  if (!options) return context.reply.error(kSyntaxError);
  state::Item* item = read_key(context, args[1]);
  if (item == nullptr) return context.reply.null();
  if (!string_or_reply(context, item)) return;
  std::optional<Instant> deadline;
  if (options->form) {
    deadline = lease_or_reply(context, *options->form, options->expiry, "getex");
    if (!deadline) return;
  } else if (options->persist) {
    deadline = kNever;
  }
  context.reply.bulk(item->text());
  if (!deadline || item->in_grace) return;
  if (*deadline <= context.keys().clock()) {
    context.keys().erase(*item);
    return notify(context, EventClass::generic, "del", args[1]);
  }
  if (!options->form && item->deadline == kNever) return;
  context.keys().set_deadline(*item, *deadline);
  notify(context, EventClass::generic, options->form ? "expire" : "persist", args[1]);
}

void mget(Context& context, Arguments& args) {
  context.reply.array(args.size() - 1);
  for (const std::string_view key : args.from(1)) {
    const state::Item* item = read_key(context, key);
    if (item != nullptr && item->is_string()) {
      context.reply.bulk(item->text());
    } else {
      context.reply.null();
    }
  }
}

void strlen(Context& context, Arguments& args) {
  const state::Item* item = read_key(context, args[1]);
  if (!string_or_reply(context, item)) return;
  context.reply.integer(item == nullptr ? 0 : static_cast<std::int64_t>(item->text().size()));
}

// The part from `first` to `last`, both counted from the end when negative, both included.
std::string_view part_of(std::string_view text, std::int64_t first, std::int64_t last) {
  const auto size = static_cast<std::int64_t>(text.size());
  if (first < 0 && last < 0 && first > last) return {};
  const auto from_start = [size](std::int64_t at) {
    return at < 0 ? std::max<std::int64_t>(at + size, 0) : at;
  };
  first = from_start(first);
  last = std::min(from_start(last), size - 1);
  if (size == 0 || first > last) return {};
  return text.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
}

void getrange(Context& context, Arguments& args) {
  const auto first = integer_or_reply(context, args[2]);
  if (!first) return;
  const auto last = integer_or_reply(context, args[3]);
  if (!last) return;
  const state::Item* item = read_key(context, args[1]);
  if (!string_or_reply(context, item)) return;
  context.reply.bulk(item == nullptr ? std::string_view{} : part_of(item->text(), *first, *last));
}

constexpr Command kRows[] = {
    {.name = "GET",
     .group = "string",
     .since = "1.0.0",
     .summary = "Answers the value of a key.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::string | Category::fast,
     .compat = kSame,
     .run = get},
    {.name = "GETDEL",
     .group = "string",
     .since = "6.2.0",
     .summary = "Answers the value of a key and removes the key.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = getdel},
    {.name = "GETEX",
     .group = "string",
     .since = "6.2.0",
     .summary = "Answers the value of a key and sets, changes or removes its lease.",
     .syntax = "key [EX seconds | PX milliseconds | EXAT unix-time-seconds | "
               "PXAT unix-time-milliseconds | PERSIST]",
     .complexity = "O(log n) for n keys with a lease",
     .arity = at_least(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = getex},
    {.name = "MGET",
     .group = "string",
     .since = "1.0.0",
     .summary = "Answers the values of several keys.",
     .syntax = "key [key ...]",
     .complexity = "O(n) for n keys",
     .arity = at_least(2),
     .keys = kAllKeys,
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::string | Category::fast,
     .compat = kSame,
     .run = mget,
     .tips = "request_policy:multi_shard"},
    {.name = "STRLEN",
     .group = "string",
     .since = "2.2.0",
     .summary = "Answers how many bytes the value of a key has.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_only),
     .effect = Effect::read,
     .flags = Flag::fast,
     .categories = Category::read | Category::string | Category::fast,
     .compat = kSame,
     .run = strlen},
    {.name = "GETRANGE",
     .group = "string",
     .since = "2.4.0",
     .summary = "Answers a part of the value of a key.",
     .syntax = "key start end",
     .complexity = "O(n) for n bytes answered",
     .arity = exactly(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::string | Category::slow,
     .compat = kSame,
     .run = getrange},
    {.name = "SUBSTR",
     .group = "string",
     .since = "1.0.0",
     .summary = "The older name of GETRANGE.",
     .syntax = "key start end",
     .complexity = "O(n) for n bytes answered",
     .arity = exactly(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::string | Category::slow,
     .compat = kSame,
     .run = getrange},
};

}  // namespace

std::span<const Command> get_commands() {
  return kRows;
}

}  // namespace fencepost::commands
