// client-output-buffer-limit: who does not read what it is sent is cut off, at once above the hard
// limit of its class, after a while above the soft one.
#include <algorithm>
#include <chrono>
#include <utility>

#include "server/engine.h"

namespace fencepost::server {

namespace {

constexpr std::size_t kMostUnread = std::size_t{8} * 1024 * 1024;

}  // namespace

commands::OutputLimit Engine::output_limit_of(const Connection& connection) const {
  const commands::SettingValues& values = process_.settings.values;
  if (connection.session.subscribed()) return values.output_limit_pubsub;
  commands::OutputLimit limit = values.output_soft_limit;
  limit.hard_bytes = values.output_limit_bytes;
  return limit;
}

// What a client may leave unread before no more of its requests run.
std::size_t Engine::most_unread() const {
  const std::int64_t limit = process_.settings.values.output_limit_bytes;
  return limit > 0 ? static_cast<std::size_t>(limit) : kMostUnread;
}

// Above the hard limit a client is cut off, replies or not, once the request is done. Without one a
// normal client may have any reply, and of what it did not ask for as much as may be left unread.
void Engine::check_output(Connection& connection) {
  if (connection.closing == Closing::now) return;
  const commands::OutputLimit limit = output_limit_of(connection);
  const bool is_asking = asking_ != nullptr && &asking_->connection == &connection;
  const std::size_t held = is_asking ? asking_->bytes() : 0;
  const std::size_t pending = connection.output.pending() + held;
  const std::size_t pushed = connection.pushed_bytes + (is_asking ? asking_->invalid_bytes : 0);
  const bool is_above = limit.hard_bytes > 0
                            ? std::cmp_greater(pending, limit.hard_bytes)
                            : !connection.session.subscribed() && pushed > kMostUnread;
  if (is_above) {
    ++process_.statistics.output_limit_disconnections;
    return cut_off(connection, "it does not read what it is sent");
  }
  if (limit.soft_bytes <= 0 || std::cmp_less_equal(pending, limit.soft_bytes)) {
    connection.above_soft_since = kNever;
  } else if (connection.above_soft_since == kNever) {
    connection.above_soft_since = now_.log;
    above_soft_.insert(connection.session.id);
  }
}

Instant Engine::soft_deadline(const Connection& connection) const {
  if (connection.above_soft_since == kNever) return kNever;
  return saturating_add(connection.above_soft_since,
                        std::chrono::seconds{output_limit_of(connection).soft_s});
}

Instant Engine::next_soft_deadline() const {
  Instant next = kNever;
  for (const ClientId client : above_soft_) {
    if (const Connection* connection = find(client)) {
      next = std::min(next, soft_deadline(*connection));
    }
  }
  return next;
}

void Engine::cut_off_those_above_soft_limits() {
  std::erase_if(above_soft_, [this](ClientId client) {
    Connection* connection = find(client);
    if (!connection || connection->above_soft_since == kNever) return true;
    if (now_.log < soft_deadline(*connection)) return false;
    ++process_.statistics.output_limit_disconnections;
    cut_off(*connection, "it has been above the soft output limit for too long");
    return true;
  });
}

}  // namespace fencepost::server
