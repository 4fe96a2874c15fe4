// Entries change the state, and what that does to those who waited is told to them.
#include <array>
#include <utility>

#include "base/check.h"
#include "commands/lock/answer.h"
#include "server/engine.h"

namespace fencepost::server {

namespace {

using state::WaiterAnswer;

// How many lapsed leases and waits are ended at most in one go. When a million end at once, a
// request does not wait for all of them, and every request helps a little.
constexpr std::size_t kLapsesPerTick = 1000;
constexpr std::size_t kLapsesPerRequest = 16;

}  // namespace

// Time that has something to end is an entry as well: whoever applies the same entries ends the
// same leases.
void Engine::pass_time() {
  if (process_.loading.active) return;
  if (!process_.active_expire) {
    state_.advance(now_.log, 0);
    return;
  }
  if (state_.next_deadline() < now_.log) {
    append({.kind = journal::EntryKind::tick, .now = now_});
  } else {
    backlog_ = !state_.advance(now_.log);
  }
}

void Engine::replay(const journal::Entry& entry) {
  read_clock();
  stopwatch_us_ = clock_.stopwatch_us();
  apply(entry);
  finish_turn();
}

void Engine::append(const journal::Entry& entry) {
  check(!is_busy(), "nothing is changed beside a script");
  journal_.append(entry);
  if (!script_ran_) return;
  read_clock();
  journal_.append({.kind = journal::EntryKind::tick, .now = now_});
}

void Engine::apply(const journal::Entry& entry) {
  check(!applying_, "entries are applied one after the other");
  applying_ = true;
  state_.keys().set_caller(entry.client);
  script_ran_ = false;
  const bool is_tick = entry.kind == journal::EntryKind::tick;
  const std::size_t most = is_tick ? kLapsesPerTick : kLapsesPerRequest;
  const bool done =
      process_.loading.active || state_.advance(entry.now.log, process_.active_expire ? most : 0);
  backlog_ = !done && process_.active_expire;
  spread(ClientId::nobody, nullptr);
  switch (entry.kind) {
    case journal::EntryKind::command:
      apply_request(entry);
      break;
    case journal::EntryKind::client_gone:
      state_.client_gone(entry.client);
      break;
    case journal::EntryKind::undo_grant:
      state_.locks().undo({.client = entry.client,
                           .database = entry.database,
                           .home = entry.home,
                           .key_hash = entry.key_hash,
                           .fence = entry.fence,
                           .place = entry.place});
      break;
    case journal::EntryKind::unblock:
      end_wait_of(entry.client, entry.with_error);
      break;
    case journal::EntryKind::tick:
      break;
  }
  deliver();
  applying_ = false;
}

void Engine::apply_request(const journal::Entry& entry) {
  if (in_flight_ && in_flight_->connection.session.id == entry.client) {
    return run_entry(in_flight_->connection, in_flight_->command, entry);
  }
  for (const std::string_view text : entry.scripts) {
    process_.scripts.load(text, commands::Scripts::Came::with_eval);
  }
  constexpr std::array<std::string_view, 1> kExec{"EXEC"};
  const commands::Resolved found = commands::resolve(
      commands::Arguments{entry.transaction ? journal::Request{kExec} : entry.requests.front()});
  check(found.command != nullptr, "only requests that were understood become entries");
  if (Connection* connection = find(entry.client)) {
    run_entry(*connection, found, entry);
    return resumed_.push_back(entry.client);
  }
  // Its client has gone in the meantime. The entry still counts; the reply is nobody's.
  Connection nobody;
  nobody.session.id = entry.client;
  nobody.session.database = entry.database;
  run_entry(nobody, found, entry);
}

// A lease begins with its grant, and a script may run for long after the moment of its entry. So
// what a script makes possible is granted by an entry of its own that follows, with a moment of its
// own.
//
// Those whose wait was ended go on before those who are served: in that order it happened.
void Engine::deliver() {
  tell_unserved();
  do {
    if (!script_ran_) state_.settle();
    state_.locks().take_answers(answers_);
    for (const WaiterAnswer& answer : answers_) {
      if (Connection* connection = find(answer.client)) tell(*connection, answer);
    }
    note_grants();
    spread(ClientId::nobody, nullptr);
  } while (serve_next_ready());
}

void Engine::tell(Connection& connection, const WaiterAnswer& answer) {
  end_wait(connection, [this, &answer](resp::ReplyWriter& reply) {
    const std::size_t start = reply.size();
    commands::write_waiter_answer(reply, answer);
    if (answer.kind == WaiterAnswer::Kind::unblocked) count_error(reply.since(start).substr(1));
  });
}

// A grant counts as told once the last byte of its reply is with the kernel.
void Engine::note_grants() {
  state_.locks().take_grants(grants_);
  process_.statistics.grants += grants_.size();
  for (const state::Grant& grant : grants_) {
    Connection* connection = find(grant.client);
    if (!connection || connection->left || connection->closing == Closing::now) {
      undeliverable_.push_back(grant);
    } else if (connection->output.pending() > 0) {
      connection->untold.push_back({.grant = grant, .told_at = connection->output.end()});
    }
  }
}

// Giving one back may grant to the next, who may be gone as well.
void Engine::undo_undeliverable() {
  while (!undeliverable_.empty()) {
    const state::Grant grant = undeliverable_.back();
    undeliverable_.pop_back();
    append({.kind = journal::EntryKind::undo_grant,
            .now = now_,
            .client = grant.client,
            .database = grant.database,
            .home = grant.home,
            .key_hash = grant.key_hash,
            .fence = grant.fence,
            .place = grant.place});
  }
}

bool Engine::end_wait_of(ClientId client, bool with_error) {
  using Unblock = state::LockTable::Unblock;
  return state_.parked().unblock(client, with_error) ||
         state_.locks().unblock(client, with_error ? Unblock::with_error : Unblock::as_timeout);
}

// CLIENT UNBLOCK. Within an EXEC it is part of that entry and needs none of its own.
bool Engine::unblock(ClientId client, bool with_error) {
  Connection* connection = find(client);
  if (!connection || !connection->session.waiting || connection->closing == Closing::now) {
    return false;
  }
  if (end_sync_wait(*connection, with_error)) return true;
  if (applying_) return end_wait_of(client, with_error);
  append({.kind = journal::EntryKind::unblock,
          .now = now_,
          .client = client,
          .with_error = with_error});
  return true;
}

}  // namespace fencepost::server
