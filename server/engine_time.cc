// What happens when nobody asks: leases and pauses end, idle and stuck clients are closed.
#include <algorithm>
#include <utility>

#include "server/engine.h"

namespace fencepost::server {

namespace {

constexpr Duration kIdleCheckEvery{1000};
// A client that has more than the output limit before it and takes nothing for this long does not
// read.
constexpr Duration kStuckAfter{1000};
constexpr Duration kLastReplyWithin{10'000};

}  // namespace

void Engine::tick() {
  if (is_busy()) return;
  read_clock();
  stopwatch_us_ = clock_.stopwatch_us();
  pass_time();
  tell_synced();
  close_idle_clients();
  cut_off_the_stuck();
  cut_off_those_above_soft_limits();
  finish_turn();
}

Instant Engine::next_deadline() const {
  // A lease is over when the clock is past its end, not at it.
  const bool runs = process_.active_expire && !process_.loading.active;
  Instant next = runs ? saturating_add(state_.next_deadline(), Duration{1}) : kNever;
  if (!paused_.empty()) next = std::min(next, process_.pause.until);
  for (const ClientId client : stuck_) {
    const Connection* connection = find(client);
    if (connection) next = std::min(next, stuck_at(*connection));
  }
  // A wait is over when the clock is past its end, as a lease.
  const Instant next_sync = saturating_add(next_sync_deadline_, Duration{1});
  return std::min({next, next_idle_check_, next_soft_deadline(), next_sync});
}

void Engine::end_pause_if_over() {
  if (paused_.empty() || process_.pause.active(now_.log)) return;
  for (const ClientId client : paused_) {
    Connection* connection = find(client);
    if (!connection || connection->pausing != Connection::Pausing::pause) continue;
    connection->pausing = Connection::Pausing::none;
    connection->session.paused = false;
    resumed_.push_back(client);
  }
  paused_.clear();
}

// As Redis: one that waits is not idle, and monitors and subscribers listen.
void Engine::close_idle_clients() {
  if (now_.log < next_idle_check_) return;
  next_idle_check_ = saturating_add(now_.log, kIdleCheckEvery);
  const Duration timeout = std::chrono::seconds{process_.settings.values.timeout_s};
  for (const auto& [id, session] : process_.clients) {
    if (now_.log - session->last_active_at <= timeout) continue;
    if (session->monitoring || session->subscribed() || find(id)->stopped()) continue;
    if (log_) log_(LogLevel::verbose, "Closing idle client");
    close(*find(id), Closing::now);
  }
}

Instant Engine::stuck_at(const Connection& connection) {
  const bool leaves = connection.closing == Closing::when_written;
  return saturating_add(connection.progress_at, leaves ? kLastReplyWithin : kStuckAfter);
}

// From now on it has to take something of its output now and then.
void Engine::watch_progress(Connection& connection) {
  connection.progress_at = clock_.now().log;
  if (!std::exchange(connection.watched, true)) stuck_.push_back(connection.session.id);
}

void Engine::cut_off_the_stuck() {
  std::erase_if(stuck_, [this](ClientId client) {
    Connection* connection = find(client);
    if (!connection) return true;
    if (!connection->must_take_output()) {
      connection->watched = false;
      return true;
    }
    if (now_.log < stuck_at(*connection)) return false;
    ++process_.statistics.output_limit_disconnections;
    cut_off(*connection, connection->closing == Closing::when_written
                             ? "it does not read its last reply"
                             : "it asks on and does not read its replies");
    return true;
  });
}

}  // namespace fencepost::server
