// maxmemory-clients: when all clients together take too much memory, those that take most are cut
// off.
//
// What each takes is weighed when it may have changed: when bytes came from it, when bytes are to
// be sent to it, and when they were. While the setting is off nothing is weighed.
#include <utility>

#include "commands/connection/client_list.h"
#include "server/engine.h"

namespace fencepost::server {

std::size_t Engine::most_client_bytes() const {
  const commands::SettingValues& values = process_.settings.values;
  const std::int64_t most = values.max_client_memory;
  if (most >= 0) return static_cast<std::size_t>(most);
  // A share of maxmemory; without that there is no limit.
  const std::int64_t of = values.max_memory_bytes;
  return static_cast<std::size_t>(of / 100 * -most + of % 100 * -most / 100);
}

void Engine::weigh(Connection& connection) {
  if (process_.settings.values.max_client_memory == 0) return;
  if (connection.closing == Closing::now) return;
  commands::Session& session = connection.session;
  note_input(connection);
  session.output_bytes = connection.output.pending();
  const std::size_t bytes = commands::client_memory(state_, process_, session);
  client_bytes_ += bytes - std::exchange(connection.weighed_bytes, bytes);
}

void Engine::weigh_all() {
  for (const auto& [id, session] : process_.clients) weigh(*find(id));
}

// Whoever asked not to be evicted (CLIENT NO-EVICT) counts, and stays.
Connection* Engine::heaviest_client() const {
  Connection* heaviest = nullptr;
  for (const auto& [id, session] : process_.clients) {
    Connection* one = find(id);
    if (session->no_evict || one->closing == Closing::now) continue;
    if (!heaviest || one->weighed_bytes > heaviest->weighed_bytes) heaviest = one;
  }
  return heaviest;
}

void Engine::evict_clients() {
  const std::size_t most = most_client_bytes();
  if (most == 0 || is_busy()) return;
  while (client_bytes_ >= most) {
    Connection* heaviest = heaviest_client();
    if (!heaviest) return;
    ++process_.statistics.evicted_clients;
    cut_off(*heaviest, "all clients together take more memory than maxmemory-clients");
    client_bytes_ -= std::exchange(heaviest->weighed_bytes, 0);
  }
}

}  // namespace fencepost::server
