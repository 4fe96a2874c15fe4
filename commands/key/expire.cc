// EXPIRE and its kin, PERSIST: leases set anew or taken away.
#include <optional>
#include <string>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/expiry.h"
#include "commands/key/family.h"
#include "commands/lookup.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

struct ExpireOptions {
  bool without_lease = false;  // NX
  bool with_lease = false;     // XX
  bool later = false;          // GT
  bool earlier = false;        // LT
};

// Redis ends at the first zero byte and drops line ends that come last.
std::string quotable(std::string_view word) {
  word = word.substr(0, word.find('\0'));
  return std::string{word.substr(0, word.find_last_not_of("\r\n") + 1)};
}

std::optional<ExpireOptions> expire_options_or_reply(Context& context, const Arguments& args) {
  ExpireOptions options;
  for (const std::string_view word : args.from(3)) {
    if (same_word(word, "NX")) {
      options.without_lease = true;
    } else if (same_word(word, "XX")) {
      options.with_lease = true;
    } else if (same_word(word, "GT")) {
      options.later = true;
    } else if (same_word(word, "LT")) {
      options.earlier = true;
    } else {
      context.reply.error("ERR Unsupported option " + quotable(word));
      return std::nullopt;
    }
  }
  if (options.without_lease && (options.with_lease || options.later || options.earlier)) {
    context.reply.error("ERR NX and XX, GT or LT options at the same time are not compatible");
    return std::nullopt;
  }
  if (options.later && options.earlier) {
    context.reply.error("ERR GT and LT options at the same time are not compatible");
    return std::nullopt;
  }
  return options;
}

// A key without a lease counts as one whose lease never ends.
bool allow(const ExpireOptions& options, Instant present, Instant wanted) {
  if (options.without_lease && present != kNever) return false;
  if (options.with_lease && present == kNever) return false;
  if (options.later && wanted <= present) return false;
  if (options.earlier && wanted >= present) return false;
  return true;
}

void set_lease(Context& context, const Arguments& args, ExpiryForm form, std::string_view command) {
  const auto options = expire_options_or_reply(context, args);
  if (!options) return;
  const auto deadline = moment_or_reply(context, form, args[2], command);
  if (!deadline) return;
  state::Item* item = look(context, args[1]).item;
  if (item == nullptr) return context.reply.integer(0);
  if (!single_or_reply(context, item)) return;
  if (item->in_grace || !allow(*options, item->deadline, *deadline)) {
    return context.reply.integer(0);
  }
  if (*deadline <= context.keys().clock()) {
    context.keys().erase(*item);
    notify(context, EventClass::generic, "del", args[1]);
    return context.reply.integer(1);
  }
  context.keys().set_deadline(*item, *deadline);
  context.reply.integer(1);
  notify(context, EventClass::generic, "expire", args[1]);
}

void expire(Context& context, Arguments& args) {
  set_lease(context, args, ExpiryForm::ex, "expire");
}

void pexpire(Context& context, Arguments& args) {
  set_lease(context, args, ExpiryForm::px, "pexpire");
}

void expireat(Context& context, Arguments& args) {
  set_lease(context, args, ExpiryForm::exat, "expireat");
}

void pexpireat(Context& context, Arguments& args) {
  set_lease(context, args, ExpiryForm::pxat, "pexpireat");
}

void persist(Context& context, Arguments& args) {
  state::Item* item = look(context, args[1]).item;
  if (item == nullptr) return context.reply.integer(0);
  if (!single_or_reply(context, item)) return;
  const bool had_lease = item->deadline != kNever;
  const bool persists = had_lease && context.keys().set_deadline(*item, kNever);
  if (persists) notify(context, EventClass::generic, "persist", args[1]);
  context.reply.integer(persists ? 1 : 0);
}

constexpr Command kRows[] = {
    {.name = "EXPIRE",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Sets a key's lease, in seconds from now.",
     .syntax = "key seconds [NX | XX | GT | LT]",
     .complexity = "O(log n) for n keys with a lease",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = expire},
    {.name = "PEXPIRE",
     .group = "generic",
     .since = "2.6.0",
     .summary = "Sets a key's lease, in milliseconds from now.",
     .syntax = "key milliseconds [NX | XX | GT | LT]",
     .complexity = "O(log n) for n keys with a lease",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = pexpire},
    {.name = "EXPIREAT",
     .group = "generic",
     .since = "1.2.0",
     .summary = "Sets the end of a key's lease, in Unix seconds.",
     .syntax = "key unix-time-seconds [NX | XX | GT | LT]",
     .complexity = "O(log n) for n keys with a lease",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = expireat},
    {.name = "PEXPIREAT",
     .group = "generic",
     .since = "2.6.0",
     .summary = "Sets the end of a key's lease, in Unix milliseconds.",
     .syntax = "key unix-time-milliseconds [NX | XX | GT | LT]",
     .complexity = "O(log n) for n keys with a lease",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = pexpireat},
    {.name = "PERSIST",
     .group = "generic",
     .since = "2.2.0",
     .summary = "Takes a key's lease away: it stays until it is removed.",
     .syntax = "key",
     .complexity = "O(log n) for n keys with a lease",
     .arity = exactly(2),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::keyspace | Category::write | Category::fast,
     .compat = kSame,
     .run = persist},
};

}  // namespace

std::span<const Command> expire_commands() {
  return kRows;
}

}  // namespace fencepost::commands
