// MULTI, EXEC, DISCARD, WATCH, UNWATCH. How a queue comes about and runs stands in exec.h.
#include <array>

#include "commands/rows.h"
#include "commands/table.h"
#include "commands/transaction/exec.h"
#include "commands/transaction/rows.h"

namespace fencepost::commands {

namespace {

// MULTI
void multi(Context& context, Arguments&) {
  Transaction& transaction = context.session.transaction;
  if (transaction.open) return context.reply.error("ERR MULTI calls can not be nested");
  transaction.open = true;
  context.reply.simple("OK");
}

// DISCARD
void discard(Context& context, Arguments&) {
  if (!context.session.transaction.open) {
    return context.reply.error("ERR DISCARD without MULTI");
  }
  discard_transaction(context);
  context.reply.simple("OK");
}

// WATCH key [key ...]
void watch(Context& context, Arguments& args) {
  Session& session = context.session;
  if (session.transaction.open) {
    return context.reply.error("ERR WATCH inside MULTI is not allowed");
  }
  std::size_t bytes = context.state.watches().bytes_of(session.id);
  for (const std::string_view key : args.from(1)) bytes += state::Watches::bytes_of_key(key);
  const auto limit =
      static_cast<std::size_t>(context.process.settings.values.query_buffer_limit_bytes);
  if (bytes > limit) {
    return context.reply.error("ERR What is watched is larger than client-query-buffer-limit");
  }
  for (const std::string_view key : args.from(1)) {
    // Looking first ends a lease that is over, which would otherwise break the watch later on.
    context.keys().find(context.database(), key);
    context.state.watches().watch(session.id, context.database(), key);
  }
  session.watching = true;
  context.reply.simple("OK");
}

// UNWATCH
void unwatch(Context& context, Arguments&) {
  context.state.watches().forget(context.session.id);
  context.session.watching = false;
  context.reply.simple("OK");
}

constexpr Flag kFlags =
    Flag::no_script | Flag::loading | Flag::stale | Flag::fast | Flag::allow_busy;
constexpr Category kCategories = Category::fast | Category::transaction;

constexpr Command kMulti = {.name = "MULTI",
                            .group = "transactions",
                            .since = "1.2.0",
                            .summary = "Begins a transaction: what follows is queued.",
                            .syntax = "",
                            .complexity = "O(1)",
                            .arity = exactly(1),
                            .effect = Effect::session,
                            .flags = kFlags | Flag::transaction,
                            .categories = kCategories,
                            .compat = kSame,
                            .run = multi};

// Not Effect::write, as in Redis; exec_is_an_entry() says when it goes through the journal.
constexpr Command kExec = {
    .name = "EXEC",
    .group = "transactions",
    .since = "1.2.0",
    .summary = "Runs what was queued, as one.",
    .syntax = "",
    .complexity = "That of the queued commands",
    .arity = exactly(1),
    .effect = Effect::session,
    .flags = Flag::no_script | Flag::loading | Flag::stale | Flag::skip_slowlog | Flag::transaction,
    .categories = Category::slow | Category::transaction,
    .compat = kSame,
    .run = exec};

constexpr Command kDiscard = {.name = "DISCARD",
                              .group = "transactions",
                              .since = "2.0.0",
                              .summary = "Forgets what was queued and what is watched.",
                              .syntax = "",
                              .complexity = "O(n) for n queued commands",
                              .arity = exactly(1),
                              .effect = Effect::session,
                              .flags = kFlags | Flag::transaction,
                              .categories = kCategories,
                              .compat = kSame,
                              .run = discard};

constexpr Command kWatch = {
    .name = "WATCH",
    .group = "transactions",
    .since = "2.2.0",
    .summary = "Lets EXEC run nothing if one of the keys changes till then.",
    .syntax = "key [key ...]",
    .complexity = "O(1) for every key",
    .arity = at_least(2),
    .keys = used(kAllKeys, KeyUse::read_only),
    .effect = Effect::session,
    .flags = kFlags | Flag::transaction,
    .categories = kCategories,
    .compat = kSame,
    .run = watch};

constexpr Command kUnwatch = {.name = "UNWATCH",
                              .group = "transactions",
                              .since = "2.2.0",
                              .summary = "Forgets what is watched.",
                              .syntax = "",
                              .complexity = "O(1)",
                              .arity = exactly(1),
                              .effect = Effect::session,
                              .flags = kFlags,
                              .categories = kCategories,
                              .compat = kSame,
                              .run = unwatch};

constexpr std::array kRows{kMulti, kExec, kDiscard, kWatch, kUnwatch};

}  // namespace

void exec(Context& context, Arguments&) {
  if (!context.session.transaction.open) return context.reply.error("ERR EXEC without MULTI");
  discard_transaction(context);
  context.reply.error("EXECABORT Transaction discarded because of previous errors.");
}

std::span<const Command> transaction_commands() {
  return kRows;
}

}  // namespace fencepost::commands
