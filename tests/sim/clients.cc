// Simulated clients do as real libraries do: they give up waiting for an answer, come back by
// another connection and ask the same again, while the old one is still there or long dead.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "world.h"

namespace fencepost::sim {

void World::step(std::size_t number) {
  Client& client = clients_[number];
  if (!connections_.contains(client.connection)) connect(number);
  if (client.asked.empty()) {
    client.asked = draw_requests(static_cast<int>(number), random_);
    return ask(number);
  }
  if (machine_.real_ms >= client.gives_up_at) give_up(number);
}

void World::connect(std::size_t number) {
  Client& client = clients_[number];
  client.connection = life_->engine.connect(
      {.address = fmt::format("127.0.0.1:{}", 40000 + number), .local_address = "127.0.0.1:6379"});
  connections_[client.connection];
  witness_.joined(client.connection);
  if (!client.asked.empty()) ask(number);
}

void World::ask(std::size_t number) {
  Client& client = clients_[number];
  client.answered = 0;
  client.gives_up_at = machine_.real_ms + between(50, 3000);
  const std::string bytes = bytes_of(client.asked);
  for (const Request& request : client.asked) {
    const std::string words = fmt::format("{}", fmt::join(request.words, " "));
    say(fmt::format("{} asks {}", static_cast<int>(client.connection), words.substr(0, 80)));
  }
  outcome_.requests += static_cast<int>(client.asked.size());
  witness_.received(client.connection, client.asked, machine_.real_ms);
  const std::size_t cut = chance(10) ? random_.below(bytes.size()) : bytes.size();
  life_->engine.receive(client.connection, bytes.substr(0, cut));
  look();
  if (cut == bytes.size()) return;
  if (chance(50)) pass(between(0, 5));
  if (!connections_.contains(client.connection)) return;
  life_->engine.receive(client.connection, bytes.substr(cut));
  look();
}

// The old connection: closed at once, noticed later, or never read from again.
void World::give_up(std::size_t number) {
  Client& client = clients_[number];
  const auto at = connections_.find(client.connection);
  if (at == connections_.end()) return;
  const ClientId old = std::exchange(client.connection, ClientId::nobody);
  say(fmt::format("{} is given up", static_cast<int>(old)));
  if (chance(40)) {
    disconnect(old);
  } else {
    at->second.blocked = chance(50);
    at->second.dies_at = machine_.real_ms + between(0, 6000);
  }
  if (chance(15)) client.asked.clear();  // whoever asked is gone for good
  if (chance(70)) connect(number);
}

void World::disconnect(ClientId client) {
  if (connections_.erase(client) == 0) return;
  say(fmt::format("{} is gone", static_cast<int>(client)));
  life_->engine.disconnected(client);
  look(client);
}

void World::end_dead_connections() {
  std::vector<ClientId> dead;
  for (const auto& [client, connection] : connections_) {
    if (connection.dies_at <= machine_.real_ms) dead.push_back(client);
  }
  for (const ClientId client : dead) disconnect(client);
}

}  // namespace fencepost::sim
