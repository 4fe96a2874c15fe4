// One request: who may run it, when, and by which way.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "commands/demands.h"
#include "commands/errors.h"
#include "commands/pubsub/rows.h"
#include "commands/transaction/exec.h"
#include "server/engine.h"

namespace fencepost::server {

namespace {

using commands::Arguments;
using commands::Command;
using commands::Context;
using commands::Effect;
using commands::Flag;
using commands::Resolved;

constexpr std::string_view kMonitorsMayNot = "ERR Replica can't interact with the keyspace";
constexpr std::string_view kSubscribersMayNot =
    "ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are "
    "allowed "
    "in this context";
constexpr std::string_view kReplyTooLarge =
    "ERR the reply is larger than 256 MiB, the most that one request is answered";
// What EXEC of a longer queue needed is not kept.
constexpr std::size_t kOrdinaryQueue = 4096;
constexpr std::string_view kNotInTransaction = "ERR Command not allowed inside a transaction";

// What Redis lets through, and PING, which it refuses: whether the process lives can be told.
bool may_run_while_loading(const Command& command) {
  return has(command.flags, Flag::loading) || command.name == "PING";
}

}  // namespace

// CLIENT REPLY OFF and SKIP: what was written behind `start` is taken back unless it is a push, and
// the next request has its own mode.
void Engine::settle_reply_mode(commands::Session& session, resp::ReplyWriter& reply,
                               std::size_t start, bool is_push) {
  using commands::ReplyMode;
  switch (session.replies) {
    case ReplyMode::on:
      return;
    case ReplyMode::off:
      if (!is_push) reply.rewind(start);
      return;
    case ReplyMode::skip_this:
      session.replies = ReplyMode::on;
      if (!is_push) reply.rewind(start);
      return;
    case ReplyMode::skip_next:
      session.replies = ReplyMode::skip_this;
      return;
  }
}

// CLIENT CACHING is for the next command; within a transaction, for all of it.
void Engine::settle_caching(commands::Session& session) {
  if (!session.tracking.caching || session.transaction.open) return;
  if (!session.last_command.starts_with("client|")) session.tracking.caching = false;
}

// Makes the context of a request around `body`, which writes one reply, or parks its caller.
template <typename Body>
void Engine::answer(Connection& connection, std::uint64_t chance, Body body) {
  commands::Session& session = connection.session;
  resp::ReplyWriter reply{connection.output.open(pool_), session.protocol};
  Random random{chance};
  Context context{.state = state_,
                  .process = process_,
                  .session = session,
                  .reply = reply,
                  .random = random,
                  .now = now_,
                  .memory_full = memory_full_};
  const std::size_t start = reply.size();
  Asking asking{connection, reply, start, {}, {}, {}, 0};
  Asking* const outer = std::exchange(asking_, &asking);
  body(context);
  asking_ = outer;
  session.waiting = context.parked;
  if (session.waits_for_sync) wait_for_sync(connection);
  if (!context.parked) {
    settle_reply_mode(session, reply, start, context.unsilenced);
    settle_caching(session);
  }
  end_asking(asking);
  check_output(connection);
  mark_dirty(connection);
  obey(connection);
}

Engine::Outcome Engine::handle(Connection& connection, Arguments arguments) {
  if (is_attack(connection, arguments[0])) return Outcome::done;
  const Resolved found = commands::resolve(arguments);
  const std::string error =
      found.error.empty() ? refusal(connection, found, arguments) : found.error;
  if (!error.empty()) {
    reject(connection, found, error);
    return Outcome::done;
  }
  if (is_paused(connection, *found.command, arguments)) {
    connection.pausing = Connection::Pausing::pause;
    connection.session.paused = true;
    paused_.push_back(connection.session.id);
    return Outcome::postponed;
  }
  dispatch(connection, found, arguments);
  return Outcome::done;
}

// A browser that was lured into posting here speaks HTTP: its next lines must not be taken for
// commands.
bool Engine::is_attack(Connection& connection, std::string_view name) {
  if (!same_word(name, "POST") && !same_word(name, "Host:")) return false;
  cut_off(connection, "it speaks HTTP, which may be an attack through somebody's browser");
  return true;
}

std::string Engine::refusal(const Connection& connection, const Resolved& found,
                            Arguments arguments) {
  const commands::Session& session = connection.session;
  const Command& command = *found.command;
  if (needs_login(session) && !has(command.flags, Flag::no_auth)) {
    return std::string{commands::kNoAuth};
  }
  if (session.transaction.open && has(command.flags, Flag::no_multi)) {
    return std::string{kNotInTransaction};
  }
  if (process_.loading.active && !may_run_while_loading(command)) {
    return std::string{commands::kLoading};
  }
  if (is_busy() && !has(command.flags, Flag::allow_busy)) return std::string{commands::kBusy};
  memory_full_ = is_memory_full();
  if (memory_full_ && commands::takes_memory(process_, session, command, arguments)) {
    return std::string{commands::kOutOfMemory};
  }
  if (session.monitoring && command.effect != Effect::session) {
    return std::string{kMonitorsMayNot};
  }
  if (session.subscribed() && session.protocol == resp::Protocol::resp2 &&
      !commands::is_for_subscribers(command)) {
    return fmt::format(kSubscribersMayNot, commands::full_name(found.container, command));
  }
  // Without a disk that takes it, nothing could be promised. A message is not kept anyway.
  if (process_.durability.refusal.empty() || has(command.flags, Flag::may_replicate)) return {};
  if (!commands::may_write(process_, session, command, arguments)) return {};
  return process_.durability.refusal;
}

bool Engine::is_memory_full() {
  const std::int64_t limit = process_.settings.values.max_memory_bytes;
  if (limit <= 0) return false;
  return memory_gauge_.is_full(
      limit, {.us = stopwatch_us_, .input_bytes = process_.statistics.input_bytes},
      process_.used_bytes, [this] { return clock_.stopwatch_us(); });
}

// As Redis: asked before a request is queued for EXEC, and an EXEC waits if anything in its queue
// would.
bool Engine::is_paused(const Connection& connection, const Command& command, Arguments arguments) {
  const commands::Pause& pause = process_.pause;
  if (!pause.active(now_.log) || connection.session.monitoring) return false;
  return pause.what == commands::Pause::What::all ||
         commands::may_write(process_, connection.session, command, arguments);
}

void Engine::reject(Connection& connection, const Resolved& found, std::string_view error) {
  const bool is_client = found.container != nullptr && found.container->name == "CLIENT";
  if (!is_client && !connection.session.transaction.open)
    connection.session.tracking.caching = false;
  answer(connection, 0, [this, &found, error](Context& context) {
    const std::size_t start = context.reply.size();
    commands::reject(context, found.command, error);
    count_error(context.reply.since(start).substr(1));
    if (found.command) ++statistics_of(found).rejected;
  });
}

void Engine::dispatch(Connection& connection, const Resolved& found, Arguments arguments) {
  const Command& command = *found.command;
  name_command(connection, found);
  if (commands::queues(connection.session, command)) {
    return answer(connection, 0, [&command, arguments](Context& context) {
      commands::enqueue(context, command, arguments);
    });
  }
  if (commands::is_exec(command) && commands::exec_is_an_entry(connection.session)) {
    return append_transaction(connection, found);
  }
  scripts_.clear();
  // Who waits is part of the state, so what may wait is an entry even if it only reads (XREAD).
  const bool is_entry = command.effect == Effect::write || has(command.flags, Flag::blocking);
  if (is_entry && carry_script(found, arguments)) {
    const std::array<journal::Request, 1> one{arguments.all()};
    return append_request(connection, found, {.requests = one, .scripts = scripts_});
  }
  answer(connection, chance_.next(),
         [this, &found, arguments](Context& context) { call(context, found, arguments); });
  if (journal_kept_) hold_if_uncertain(connection, found, arguments);
  if ((backlog_ || !process_.active_expire) && !is_busy()) deliver();
}

// The text of the script that the request names by SHA-1. False when nobody knows it: then there is
// nothing to be applied, here or elsewhere.
bool Engine::carry_script(const Resolved& found, Arguments arguments) {
  if (!found.error.empty() || !has(found.command->flags, Flag::names_script)) return true;
  const commands::Script* script = process_.scripts.find(arguments[1]);
  if (script) scripts_.push_back(script->text);
  return script != nullptr;
}

void Engine::append_transaction(Connection& connection, const Resolved& found) {
  const auto& queue = connection.session.transaction.queue;
  words_.clear();
  for (const auto& queued : queue) words_.insert(words_.end(), queued.begin(), queued.end());
  requests_.clear();
  scripts_.clear();
  std::span<const std::string_view> rest{words_};
  for (const auto& queued : queue) {
    requests_.push_back(rest.first(queued.size()));
    const Arguments arguments{requests_.back()};
    const Resolved request = commands::resolve(arguments);
    if (request.command) carry_script(request, arguments);
    rest = rest.subspan(queued.size());
  }
  append_request(connection, found,
                 {.transaction = true, .requests = requests_, .scripts = scripts_});
  if (words_.capacity() <= kOrdinaryQueue) return;
  words_ = {};
  requests_ = {};
}

// Until the entry is applied, which a journal may do later, nothing more of this connection runs.
void Engine::append_request(Connection& connection, const Resolved& found, journal::Entry entry) {
  connection.in_state = true;
  connection.pausing = Connection::Pausing::entry;
  entry.kind = journal::EntryKind::command;
  entry.now = now_;
  entry.chance = chance_.next();
  entry.client = connection.session.id;
  entry.database = connection.session.database;
  entry.memory_full = memory_full_;
  InFlight flight{connection, found};
  in_flight_ = &flight;
  append(entry);
  in_flight_ = nullptr;
}

void Engine::name_command(Connection& connection, const Resolved& found) {
  if (connection.last_command == found.command) return;
  connection.last_command = found.command;
  connection.session.last_command = statistics_of(found).name;
}

// Behind much else in an EXEC there may be no room from the start. Then it does not run: what it
// changed would go unsaid.
void Engine::run_within_bounds(Context& context, const Command& command, Arguments words) {
  if (context.reply.is_full()) return context.reply.error(kReplyTooLarge);
  const std::size_t start = context.reply.size();
  command.run(context, words);
  if (!context.reply.was_cut()) return;
  context.reply.rewind(start);
  context.reply.error(kReplyTooLarge);
}

void Engine::call(Context& context, const Resolved& found, Arguments arguments) {
  const std::size_t start = context.reply.size();
  const std::int64_t began_us = stopwatch_us_;
  context.errors_are_counted = context.failed = false;
  const bool is_script = has(found.command->flags, Flag::effect_of_inner);
  if (is_script) {
    begin_script(context.session.id);
    script_ran_ = applying_;
    // What it calls is shown behind it.
    if (process_.monitor_count > 0) feed_monitors(context, arguments);
  }
  run_within_bounds(context, *found.command, arguments);
  if (is_script) end_script();
  stopwatch_us_ = clock_.stopwatch_us();
  count(context, found, arguments, context.reply.since(start), stopwatch_us_ - began_us);
  spread(context.session.id, &context);
  if (context.session.tracking.remembers()) note_reads(context, found, arguments);
  // CLIENT KILL marks others. Few commands are of that kind, so all clients are looked at.
  if (!has(found.command->flags, Flag::admin) || !found.container) return;
  for (const auto& [id, session] : process_.clients) {
    if (session->close_now) close(*find(id), Closing::now);
  }
}

// An entry of this client, or of one that has gone.
void Engine::run_entry(Connection& connection, const Resolved& found, const journal::Entry& entry) {
  connection.pausing = Connection::Pausing::none;
  answer(connection, entry.chance, [this, &found, &entry](Context& context) {
    context.now = entry.now;
    context.memory_full = entry.memory_full;
    if (!entry.transaction) return call(context, found, Arguments{entry.requests.front()});
    const std::size_t start = context.reply.size();
    const std::int64_t began_us = stopwatch_us_;
    context.may_wait = false;
    commands::run_transaction(context, entry.requests,
                              [this](Context& inner, const Resolved& queued, Arguments arguments) {
                                call(inner, queued, arguments);
                              });
    constexpr std::array<std::string_view, 1> kExec{"EXEC"};
    count(context, found, Arguments{kExec}, context.reply.since(start), stopwatch_us_ - began_us);
  });
}

// What a command has set in the session of its caller.
void Engine::obey(Connection& connection) {
  if (connection.session.close_now) return close(connection, Closing::now);
  if (connection.session.close_after_reply) close(connection, Closing::when_written);
}

}  // namespace fencepost::server
