// Clients come and go, and what is to be sent to them is taken away.
#include "server/engine.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "commands/pubsub/rows.h"
#include "commands/tracking/tracking.h"

namespace fencepost::server {

namespace {

// What one pipeline's burst of grants needed is not kept.
constexpr std::size_t kOrdinaryUntold = 8;
constexpr std::string_view kTooManyClients = "ERR max number of clients reached";
constexpr std::string_view kProtectedMode =
    "DENIED This server is in protected mode: no password is set and only clients on its own host "
    "are let in. "
    "To let others in, set a password (requirepass in the config file, or CONFIG SET requirepass "
    "from a local "
    "client); or, if the network around it is trusted, switch protected mode off (--protected-mode "
    "no, or "
    "CONFIG SET protected-mode no from a local client).";

}  // namespace

Engine::Engine(Options options, Clock& clock)
    : clock_{clock},
      log_{std::move(options.log)},
      state_{options.hash_seed},
      process_{std::move(options.identity)},
      journal_{[this](const journal::Entry& entry) { apply(entry); }},
      chance_{options.chance_seed} {
  read_clock();
  process_.identity.started_at = now_.log;
  process_.settings = std::move(options.settings);
  process_.settings.on_change = [this] { apply_settings(); };
  process_.unblock = [this](ClientId client, bool with_error) {
    return unblock(client, with_error);
  };
  process_.durability.is_synced = [this](ClientId client) {
    const Connection* connection = find(client);
    return connection != nullptr && is_synced(*connection);
  };
  process_.run_inner = [this](commands::Context& context, const commands::Resolved& found,
                              commands::Arguments arguments) { call(context, found, arguments); };
  process_.count_error = [this](std::string_view text) { count_error(text); };
  process_.interrupt_script = [this](bool wrote) { return interrupt_script(wrote); };
  apply_settings();
}

Engine::~Engine() = default;

void Engine::apply_settings() {
  const commands::SettingValues& values = process_.settings.values;
  state_.limits() = values.locks;
  state_.keys().fences().set_capacity(values.locks.fence_idle_keys);
  state_.happenings().want_events(values.notifications.wanted());
  next_idle_check_ = values.timeout_s > 0 ? saturating_add(now_.log, Duration{1000}) : kNever;
  weigh_all();
}

ClientId Engine::connect(Peer peer) {
  read_clock();
  const ClientId id{++last_id_};
  auto connection = std::make_unique<Connection>();
  Connection& made = *connection;
  connections_.emplace(id, std::move(connection));
  commands::Session& session = made.session;
  session.id = id;
  const std::string_view refused = refusal_at_the_door(peer);
  session.address = std::move(peer.address);
  session.local_address = std::move(peer.local_address);
  session.descriptor = peer.descriptor;
  session.connected_at = now_.log;
  session.last_active_at = now_.log;
  session.logged_in = process_.settings.values.password.empty();
  if (refused.empty()) {
    ++process_.statistics.connections_received;
    process_.clients.emplace(id, &session);
    return id;
  }
  ++process_.statistics.connections_rejected;
  resp::ReplyWriter{made.output.open(pool_), session.protocol}.error(refused);
  close(made, Closing::when_written);
  return id;
}

std::string_view Engine::refusal_at_the_door(const Peer& peer) const {
  const commands::SettingValues& values = process_.settings.values;
  if (std::cmp_greater_equal(process_.clients.size(), values.max_clients)) return kTooManyClients;
  if (values.protected_mode && values.password.empty() && !peer.local) return kProtectedMode;
  return {};
}

void Engine::disconnected(ClientId client) {
  Connection* connection = find(client);
  if (!connection) return;
  read_clock();
  if (is_busy()) {
    connection->closing = Closing::now;
    return departed_.push_back(client);
  }
  remove(client);
  finish_turn();
}

void Engine::remove(ClientId client) {
  const auto at = connections_.find(client);
  if (at == connections_.end()) return;
  leave(*at->second);
  // From here on nothing can be told to it: what it is granted is undone.
  const std::unique_ptr<Connection> gone = std::move(at->second);
  connections_.erase(at);
  if (last_found_ == gone.get()) last_found_ = nullptr;
  gone->output.drop(pool_);
}

// The state hears of it: what it could not be told is given back first, as if it had never been
// granted.
void Engine::leave(Connection& connection) {
  if (connection.left) return;
  connection.left = true;
  client_bytes_ -= std::exchange(connection.weighed_bytes, 0);
  commands::Session& session = connection.session;
  process_.clients.erase(session.id);
  if (session.monitoring) --process_.monitor_count;
  commands::leave_all_channels(process_, session);
  commands::forget_tracking(state_, process_, session);
  for (const UntoldGrant& untold : connection.untold) {
    if (untold.told_at > connection.output.written_end()) undeliverable_.push_back(untold.grant);
  }
  connection.untold.clear();
  undo_undeliverable();
  if (connection.in_state || session.watching) {
    append({.kind = journal::EntryKind::client_gone, .now = now_, .client = session.id});
  }
}

// Those that were closed at once by somebody's request, or went while a script ran, leave before
// the next request runs.
void Engine::let_go() {
  if (is_busy()) return;
  while (!leaving_.empty()) {
    const ClientId client = leaving_.back();
    leaving_.pop_back();
    if (Connection* connection = find(client)) leave(*connection);
  }
  while (!departed_.empty()) {
    const ClientId client = departed_.back();
    departed_.pop_back();
    remove(client);
  }
}

Connection* Engine::find(ClientId client) const {
  if (last_found_ != nullptr && last_found_->session.id == client) return last_found_;
  const auto at = connections_.find(client);
  if (at == connections_.end()) return nullptr;
  return last_found_ = at->second.get();
}

void Engine::mark_dirty(Connection& connection) {
  if (applying_ && journal_kept_ && !is_busy()) hold_back(connection);
  if (connection.dirty) return;
  connection.dirty = true;
  dirty_.push_back(connection.session.id);
}

void Engine::close(Connection& connection, Closing how) {
  if (connection.closing == Closing::now) return;
  connection.closing = how;
  if (how == Closing::now) leaving_.push_back(connection.session.id);
  mark_dirty(connection);
}

void Engine::cut_off(Connection& connection, std::string_view why) {
  if (log_) {
    log_(
        LogLevel::warning,
        fmt::format("Client {} is cut off: {} (output {} bytes, input {} bytes)",
                    connection.label(), why, connection.output.pending(), connection.held_bytes()));
  }
  close(connection, Closing::now);
}

void Engine::take_dirty(std::vector<ClientId>& into) {
  into.clear();
  std::swap(into, dirty_);
  // Its reply is being written.
  if (is_busy() && std::erase(into, script_client_) > 0) dirty_.push_back(script_client_);
  for (const ClientId client : into) {
    Connection* connection = find(client);
    if (!connection) continue;
    connection->dirty = false;
    weigh(*connection);
  }
}

void Engine::take_output(ClientId client, std::vector<std::string>& blocks) {
  Connection* connection = find(client);
  if (!connection || connection->closing == Closing::now) return;
  if (is_held_back(*connection)) return held_back_.push_back(client);
  connection->output.take(blocks);
}

void Engine::output_written(ClientId client, std::size_t bytes) {
  Connection* connection = find(client);
  if (!connection) return;
  Output& output = connection->output;
  output.written(bytes);
  process_.statistics.output_bytes += bytes;
  connection->session.total_output_bytes += bytes;
  connection->session.output_bytes = output.pending();
  connection->pushed_bytes = std::min(connection->pushed_bytes, output.pending());
  check_output(*connection);
  weigh(*connection);
  std::erase_if(connection->untold, [&output](const UntoldGrant& untold) {
    return untold.told_at <= output.written_end();
  });
  if (connection->untold.empty() && connection->untold.capacity() > kOrdinaryUntold) {
    connection->untold = {};
  }
  resume_after_write(*connection, bytes > 0);
}

Closing Engine::wants_close(ClientId client) const {
  const Connection* connection = find(client);
  if (!connection) return Closing::now;
  const bool waits = connection->closing == Closing::when_written && is_held_back(*connection);
  return waits ? Closing::no : connection->closing;
}

// Whoever waits is told nil before the line goes dead, so that its client need not guess.
void Engine::begin_shutdown() {
  read_clock();
  std::vector<ClientId> all;
  for (const auto& [id, session] : process_.clients) all.push_back(id);
  for (const ClientId id : all) unblock(id, false);
  for (const ClientId id : all) {
    if (Connection* connection = find(id)) close(*connection, Closing::when_written);
  }
  finish_turn();
}

}  // namespace fencepost::server
