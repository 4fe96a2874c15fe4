// WAITAOF: who waits for what it wrote to be synced, and is told once it is.
#include <algorithm>

#include "commands/errors.h"
#include "commands/server/replication.h"
#include "server/engine.h"

namespace fencepost::server {

// Within a transaction what it has changed so far counts as well.
bool Engine::is_synced(const Connection& connection) const {
  if (!journal_kept_ || (applying_ && !state_.changed_keys().empty())) return false;
  return !is_beyond(connection, synced_);
}

void Engine::synced(std::uint64_t number) {
  synced_ = std::max(synced_, number);
  sync_news_ = !sync_waiters_.empty();
}

void Engine::wait_for_sync(const Connection& connection) {
  sync_waiters_.push_back(connection.session.id);
  next_sync_deadline_ = std::min(next_sync_deadline_, connection.session.sync_deadline);
}

// Those whose writes are synced, and those whose time is over.
void Engine::tell_synced() {
  if (!sync_news_ && now_.log <= next_sync_deadline_) return;
  sync_news_ = false;
  next_sync_deadline_ = kNever;
  std::vector<ClientId> waiters;
  std::swap(waiters, sync_waiters_);
  for (const ClientId client : waiters) {
    Connection* connection = find(client);
    if (!connection || !connection->session.waits_for_sync) continue;
    if (is_synced(*connection) || now_.log > connection->session.sync_deadline) {
      end_sync_wait(*connection, /*with_error=*/false);
    } else {
      wait_for_sync(*connection);
    }
  }
}

bool Engine::end_sync_wait(Connection& connection, bool with_error) {
  if (!connection.session.waits_for_sync) return false;
  connection.session.waits_for_sync = false;
  end_wait(connection, [this, &connection, with_error](resp::ReplyWriter& reply) {
    if (!with_error) return commands::write_synced(reply, is_synced(connection));
    const std::size_t start = reply.size();
    reply.error(commands::kUnblocked);
    count_error(reply.since(start).substr(1));
  });
  return true;
}

}  // namespace fencepost::server
