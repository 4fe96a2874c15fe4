// A whole server without sockets, on a clock that is set by hand.
#include "tests/commands/conversation.h"

#include <utility>

namespace fencepost::tests {

namespace {

server::Engine::Options options_with(commands::Settings settings) {
  server::Engine::Options options;
  options.settings = std::move(settings);
  options.identity.run_id = std::string(40, '0');
  options.identity.process_id = 1;
  options.identity.tcp_port = 6379;
  options.hash_seed = 1;
  options.chance_seed = 1;
  return options;
}

}  // namespace

std::string request(const std::vector<std::string>& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    bytes.append("$").append(std::to_string(word.size())).append("\r\n");
    bytes.append(word).append("\r\n");
  }
  return bytes;
}

void Client::send(std::string_view bytes) {
  if (closed()) return;
  server_->engine_.receive(id_, bytes);
  server_->carry();
}

std::string Client::take() {
  return std::exchange(server_->lines_.at(id_).received, {});
}

void Client::stop_reading() {
  server_->lines_.at(id_).reading = false;
}

void Client::hang_up() {
  if (closed()) return;
  server_->lines_.at(id_).closed = true;
  server_->engine_.disconnected(id_);
  server_->carry();
}

bool Client::closed() const {
  return server_->lines_.at(id_).closed;
}

Server::Server(commands::Settings settings)
    : engine_{options_with(std::move(settings)), clock_}, first_{client()} {}

Client Server::client(Protocol protocol) {
  const ClientId id = engine_.connect({.address = "127.0.0.1:40112",
                                       .local_address = "127.0.0.1:6379",
                                       .descriptor = static_cast<int>(lines_.size()) + 8});
  lines_[id];
  const auto session = engine_.process().clients.find(id);
  if (session != engine_.process().clients.end()) session->second->protocol = protocol;
  carry();
  return {*this, id};
}

void Server::pass(std::int64_t ms) {
  const Instant end = clock_.now().log + Duration{ms};
  while (engine_.next_deadline() <= end) {
    clock_.set(std::max(engine_.next_deadline(), clock_.now().log));
    engine_.tick();
    carry();
  }
  clock_.set(end);
  engine_.tick();
  carry();
}

void Server::sleep_through(std::int64_t ms) {
  clock_.pass(Duration{ms});
  engine_.tick();
  carry();
}

void Server::carry() {
  std::vector<ClientId> dirty;
  while (true) {
    engine_.take_dirty(dirty);
    for (const ClientId client : dirty) carry(client);
    if (dirty.empty() && !engine_.has_more_to_do()) return;
    if (engine_.has_more_to_do()) engine_.tick();
  }
}

void Server::carry(ClientId client) {
  Line& line = lines_[client];
  if (line.closed) return;
  std::size_t written = 0;
  // An attempt that writes nothing is reported as well, as libuv's transport does.
  if (line.reading) {
    std::vector<std::string> blocks;
    engine_.take_output(client, blocks);
    for (const std::string& block : blocks) {
      line.received += block;
      written += block.size();
    }
  }
  engine_.output_written(client, written);
  if (engine_.wants_close(client) == server::Closing::no) return;
  line.closed = true;
  engine_.disconnected(client);
}

}  // namespace fencepost::tests
