// One request: who may run it, when, and by which way.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "commands/errors.h"
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
constexpr std::string_view kReplyTooLarge =
    "ERR the reply is larger than 256 MiB, the most that one request is answered";
constexpr std::string_view kNotInTransaction = "ERR Command not allowed inside a transaction";

// Behind much else in an EXEC there may be no room from the start. Then it does not run: what it
// changed would go unsaid.
void run_within_bounds(Context& context, const Command& command, Arguments& words) {
  if (context.reply.is_full()) return context.reply.error(kReplyTooLarge);
  const std::size_t start = context.reply.size();
  command.run(context, words);
  if (!context.reply.was_cut()) return;
  context.reply.rewind(start);
  context.reply.error(kReplyTooLarge);
}

}  // namespace

// CLIENT REPLY OFF and SKIP: what was written behind `start` is taken back, and the next request
// has its own mode.
void Engine::settle_reply_mode(commands::Session& session, resp::ReplyWriter& reply,
                               std::size_t start) {
  using commands::ReplyMode;
  switch (session.replies) {
    case ReplyMode::on:
      return;
    case ReplyMode::off:
      return reply.rewind(start);
    case ReplyMode::skip_this:
      session.replies = ReplyMode::on;
      return reply.rewind(start);
    case ReplyMode::skip_next:
      session.replies = ReplyMode::skip_this;
      return;
  }
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
                  .now = now_};
  const std::size_t start = reply.size();
  body(context);
  session.waiting = context.parked;
  if (!context.parked) settle_reply_mode(session, reply, start);
  mark_dirty(connection);
  obey(connection);
}

Engine::Outcome Engine::handle(Connection& connection, Arguments arguments) {
  if (is_attack(connection, arguments[0])) return Outcome::done;
  const Resolved found = commands::resolve(arguments);
  std::string_view error = found.error;
  if (error.empty()) error = refusal(connection, *found.command);
  if (!error.empty()) {
    reject(connection, found, error);
    return Outcome::done;
  }
  if (is_paused(connection, *found.command)) {
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

std::string_view Engine::refusal(const Connection& connection, const Command& command) const {
  const commands::Session& session = connection.session;
  if (needs_login(session) && !has(command.flags, Flag::no_auth)) return commands::kNoAuth;
  if (session.transaction.open && has(command.flags, Flag::no_multi)) return kNotInTransaction;
  if (session.monitoring && command.effect != Effect::session) return kMonitorsMayNot;
  // Without a disk that takes it, nothing could be promised.
  if (command.effect == Effect::write) return process_.durability.refusal;
  return {};
}

// As Redis: asked before a request is queued for EXEC, and an EXEC waits if anything in its queue
// would.
bool Engine::is_paused(const Connection& connection, const Command& command) const {
  const commands::Pause& pause = process_.pause;
  if (!pause.active(now_.log) || connection.session.monitoring) return false;
  if (pause.what == commands::Pause::What::all || command.effect == Effect::write) return true;
  return commands::is_exec(command) && commands::queue_writes(connection.session);
}

void Engine::reject(Connection& connection, const Resolved& found, std::string_view error) {
  answer(connection, 0, [this, &found, error](Context& context) {
    const std::size_t start = context.reply.size();
    commands::reject(context, found.command, error);
    count_error(context.reply.since(start));
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
  if (command.effect == Effect::write) {
    const std::array<journal::Request, 1> one{arguments.all()};
    return append_request(connection, found, {.requests = one});
  }
  answer(connection, chance_.next(),
         [this, &found, arguments](Context& context) { call(context, found, arguments); });
  if (journal_kept_) hold_if_uncertain(connection, found, arguments);
  if (backlog_) deliver();
}

void Engine::append_transaction(Connection& connection, const Resolved& found) {
  const auto& queue = connection.session.transaction.queue;
  words_.clear();
  for (const auto& queued : queue) words_.insert(words_.end(), queued.begin(), queued.end());
  requests_.clear();
  std::span<const std::string_view> rest{words_};
  for (const auto& queued : queue) {
    requests_.push_back(rest.first(queued.size()));
    rest = rest.subspan(queued.size());
  }
  append_request(connection, found, {.transaction = true, .requests = requests_});
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

void Engine::call(Context& context, const Resolved& found, Arguments arguments) {
  const std::size_t start = context.reply.size();
  const std::int64_t began_us = stopwatch_us_;
  commands::Arguments words = arguments;
  if (has(found.command->flags, Flag::effect_of_inner)) {
    script_began_us_ = began_us;
    // What it calls is shown behind it.
    if (process_.monitor_count > 0) feed_monitors(context, arguments);
  }
  run_within_bounds(context, *found.command, words);
  stopwatch_us_ = clock_.stopwatch_us();
  count(context, found, arguments, context.reply.since(start), stopwatch_us_ - began_us);
  // CLIENT KILL marks others. Few commands are of that kind, so all clients are looked at.
  if (!has(found.command->flags, Flag::admin) || !found.container) return;
  for (const auto& [id, session] : process_.clients) {
    if (session->close_now) close(*find(id), Closing::now);
  }
}

std::optional<std::string> Engine::interrupt_script(bool) {
  constexpr std::int64_t kLongestUs = 60'000'000;
  if (clock_.stopwatch_us() - script_began_us_ < kLongestUs) return std::nullopt;
  return "ERR the script ran for 60 seconds and was ended";
}

// An entry of this client, or of one that has gone.
void Engine::run_entry(Connection& connection, const Resolved& found, const journal::Entry& entry) {
  connection.pausing = Connection::Pausing::none;
  answer(connection, entry.chance, [this, &found, &entry](Context& context) {
    context.now = entry.now;
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
