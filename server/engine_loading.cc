// While the state is read back: who asks for nothing of it is served, others are told LOADING. Log
// time stands still until it is known where it goes on from.
#include "server/engine.h"

namespace fencepost::server {

void Engine::begin_loading() {
  read_clock();
  process_.loading = {.active = true, .began_s = to_unix_ms(now_.log, now_) / 1000};
}

void Engine::note_loading(std::uint64_t bytes, std::uint64_t of_bytes) {
  process_.loading.bytes = bytes;
  process_.loading.bytes_in_all = of_bytes;
}

void Engine::end_loading(Duration moved) {
  process_.loading.active = false;
  const auto move = [moved](Instant& moment) { moment = saturating_add(moment, moved); };
  move(process_.identity.started_at);
  move(process_.pause.until);
  for (const auto& [id, connection] : connections_) {
    move(connection->session.connected_at);
    move(connection->session.last_active_at);
    move(connection->progress_at);
    if (connection->above_soft_since != kNever) move(connection->above_soft_since);
  }
  read_clock();
  state_.advance(now_.log, /*budget=*/0);
  apply_settings();
}

}  // namespace fencepost::server
