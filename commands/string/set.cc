// SET and whatever else gives a key a value, whatever it had before.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/expiry.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/string/condition.h"
#include "commands/string/family.h"

namespace fencepost::commands {

namespace {

enum class Existence : std::uint8_t { any, must_not, must };

// The old value that some of them answer stands before all that the new one brings about.
void put(Context& context, const state::Spot& spot, std::string_view value, Instant deadline) {
  const state::Happenings::Behind behind{context.state.happenings(), context.reply.size()};
  context.keys().put(spot, value, deadline);
  notify(context, EventClass::string, "set", spot.key);
}

// The old value of a key that was not there.
void reply_null(Context& context, std::string_view key) {
  notify(context, EventClass::key_miss, "keymiss", key);
  context.reply.null();
}

struct SetOptions {
  Existence existence = Existence::any;
  std::optional<Condition> condition;
  bool get = false;
  bool keep_ttl = false;
  std::optional<ExpiryForm> form;
  std::string_view expiry;
};

// Takes the words at `at` into the options and moves on behind them. False where they make no
// sense. Repeating an option is allowed, contradicting one is not: as in Redis.
bool take_option(const Arguments& args, std::size_t& at, SetOptions& options) {
  const std::string_view word = args[at++];
  const bool conditional = options.condition.has_value();
  if (same_word(word, "NX")) {
    if (options.existence == Existence::must || conditional) return false;
    options.existence = Existence::must_not;
    return true;
  }
  if (same_word(word, "XX")) {
    if (options.existence == Existence::must_not || conditional) return false;
    options.existence = Existence::must;
    return true;
  }
  if (same_word(word, "GET")) return options.get = true;
  if (same_word(word, "KEEPTTL")) return options.keep_ttl = !options.form.has_value();
  if (at == args.size()) return false;
  if (const auto form = expiry_word(word)) {
    if (options.keep_ttl || options.form.value_or(*form) != *form) return false;
    options.form = form;
    options.expiry = args[at++];
    return true;
  }
  if (const auto kind = condition_word(word)) {
    if (options.existence != Existence::any || conditional) return false;
    options.condition = {*kind, args[at++]};
    return true;
  }
  return false;
}

// Whether the options let the value be set; null when the command is answered with an error.
std::optional<bool> allowed_or_reply(Context& context, const SetOptions& options,
                                     const state::Item* item) {
  if (options.condition) {
    if (item == nullptr) return admits_absent(options.condition->kind);
    if (!string_or_reply(context, item)) return std::nullopt;
    return met_or_reply(context, *options.condition, item->text());
  }
  switch (options.existence) {
    case Existence::must:
      return item != nullptr;
    case Existence::must_not:
      return item == nullptr;
    case Existence::any:
      break;
  }
  return true;
}

void set_with_options(Context& context, const Arguments& args) {
  SetOptions options;
  for (std::size_t at = 3; at < args.size();) {
    if (!take_option(args, at, options)) return context.reply.error(kSyntaxError);
  }
  Instant deadline = kNever;
  if (options.form) {
    const auto lease = lease_or_reply(context, *options.form, options.expiry, "set");
    if (!lease) return;
    deadline = *lease;
  }
  if (!key_fits_or_reply(context, args[1])) return;
  const state::Spot spot = look(context, args[1]);
  if (options.get && !string_or_reply(context, spot.item)) return;
  const auto allowed = allowed_or_reply(context, options, spot.item);
  if (!allowed) return;
  // The old value is written before it is overwritten.
  if (options.get && spot) context.reply.bulk(spot.item->text());
  if (options.get && !spot) reply_null(context, args[1]);
  if (*allowed) {
    if (options.keep_ttl && spot) deadline = visible_deadline(*spot.item);
    put(context, spot, args[2], deadline);
    if (options.form) notify(context, EventClass::generic, "expire", args[1]);
  }
  if (options.get) return;
  if (*allowed) return context.reply.simple("OK");
  context.reply.null();
}

void set(Context& context, Arguments& args) {
  if (args.size() > 3) return set_with_options(context, args);
  if (!key_fits_or_reply(context, args[1])) return;
  put(context, look(context, args[1]), args[2], kNever);
  context.reply.simple("OK");
}

void setnx(Context& context, Arguments& args) {
  if (!key_fits_or_reply(context, args[1])) return;
  const state::Spot spot = look(context, args[1]);
  if (spot) return context.reply.integer(0);
  put(context, spot, args[2], kNever);
  context.reply.integer(1);
}

void set_with_lease(Context& context, const Arguments& args, ExpiryForm form,
                    std::string_view command) {
  const auto deadline = lease_or_reply(context, form, args[2], command);
  if (!deadline || !key_fits_or_reply(context, args[1])) return;
  put(context, look(context, args[1]), args[3], *deadline);
  notify(context, EventClass::generic, "expire", args[1]);
  context.reply.simple("OK");
}

void setex(Context& context, Arguments& args) {
  set_with_lease(context, args, ExpiryForm::ex, "setex");
}

void psetex(Context& context, Arguments& args) {
  set_with_lease(context, args, ExpiryForm::px, "psetex");
}

void getset(Context& context, Arguments& args) {
  if (!key_fits_or_reply(context, args[1])) return;
  const state::Spot spot = look(context, args[1]);
  if (!string_or_reply(context, spot.item)) return;
  if (spot) {
    context.reply.bulk(spot.item->text());
  } else {
    reply_null(context, args[1]);
  }
  put(context, spot, args[2], kNever);
}

// True when the words behind the name are pairs of a possible key and a value; else the command is
// answered.
bool pairs_or_reply(Context& context, const Arguments& args, std::string_view command) {
  if (args.size() % 2 == 0) {
    context.reply.error("ERR wrong number of arguments for '" + std::string{command} + "' command");
    return false;
  }
  for (std::size_t at = 1; at < args.size(); at += 2) {
    if (!key_fits_or_reply(context, args[at])) return false;
  }
  return true;
}

void set_pairs(Context& context, const Arguments& args) {
  for (std::size_t at = 1; at < args.size(); at += 2) {
    put(context, look(context, args[at]), args[at + 1], kNever);
  }
}

void mset(Context& context, Arguments& args) {
  if (!pairs_or_reply(context, args, "mset")) return;
  set_pairs(context, args);
  context.reply.simple("OK");
}

void msetnx(Context& context, Arguments& args) {
  if (!pairs_or_reply(context, args, "msetnx")) return;
  for (std::size_t at = 1; at < args.size(); at += 2) {
    if (look(context, args[at])) return context.reply.integer(0);
  }
  set_pairs(context, args);
  context.reply.integer(1);
}

constexpr Command kRows[] = {
    {.name = "SET",
     .group = "string",
     .since = "1.0.0",
     .summary = "Gives a key a value, if the conditions are met, with or without a lease.",
     .syntax = "key value [NX | XX | IFEQ value | IFNE value | IFDEQ digest | IFDNE digest] [GET] "
               "[EX seconds | PX milliseconds | EXAT unix-time-seconds | "
               "PXAT unix-time-milliseconds | KEEPTTL]",
     .complexity = "O(1)",
     .arity = at_least(3),
     .keys =
         used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update | KeyUse::variable),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::string | Category::slow,
     .compat = {Compat::same, "with IFEQ, IFNE, IFDEQ and IFDNE of Redis 8.4"},
     .run = set},
    {.name = "SETNX",
     .group = "string",
     .since = "1.0.0",
     .summary = "Gives a key a value unless it exists.",
     .syntax = "key value",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::overwrite | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = setnx},
    {.name = "SETEX",
     .group = "string",
     .since = "2.0.0",
     .summary = "Gives a key a value and a lease in seconds.",
     .syntax = "key seconds value",
     .complexity = "O(log n) for n keys with a lease",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::overwrite | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::string | Category::slow,
     .compat = kSame,
     .run = setex},
    {.name = "PSETEX",
     .group = "string",
     .since = "2.6.0",
     .summary = "Gives a key a value and a lease in milliseconds.",
     .syntax = "key milliseconds value",
     .complexity = "O(log n) for n keys with a lease",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::overwrite | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::string | Category::slow,
     .compat = kSame,
     .run = psetex},
    {.name = "GETSET",
     .group = "string",
     .since = "1.0.0",
     .summary = "Gives a key a value and answers the one it had.",
     .syntax = "key value",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = getset},
    {.name = "MSET",
     .group = "string",
     .since = "1.0.1",
     .summary = "Gives several keys their values in one step.",
     .syntax = "key value [key value ...]",
     .complexity = "O(n) for n keys",
     .arity = at_least(3),
     .keys = used(kKeysWithValues, KeyUse::overwrite | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::string | Category::slow,
     .compat = kSame,
     .run = mset,
     .tips = "request_policy:multi_shard response_policy:all_succeeded"},
    {.name = "MSETNX",
     .group = "string",
     .since = "1.0.1",
     .summary = "Gives several keys their values in one step, unless any of them exists.",
     .syntax = "key value [key value ...]",
     .complexity = "O(n) for n keys",
     .arity = at_least(3),
     .keys = used(kKeysWithValues, KeyUse::overwrite | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::string | Category::slow,
     .compat = kSame,
     .run = msetnx,
     .tips = "request_policy:multi_shard response_policy:agg_min"},
};

}  // namespace

std::span<const Command> put_commands() {
  return kRows;
}

}  // namespace fencepost::commands
