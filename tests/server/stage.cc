// An engine with its transport played by hand.
#include "stage.h"

#include <gtest/gtest.h>

namespace fencepost::server {

namespace {

Engine::Options options(const Stage::Parameters& parameters) {
  Engine::Options made;
  made.hash_seed = 1;
  made.chance_seed = 2;
  for (const auto& [name, value] : parameters) {
    const Result<void> set = made.settings.set_at_start(name, value);
    EXPECT_TRUE(set) << set.error().what;
  }
  return made;
}

}  // namespace

Stage::Stage(const Parameters& parameters) : engine_{options(parameters), clock_} {}

ClientId Stage::join(Peer peer) {
  const ClientId client = engine_.connect(std::move(peer));
  open_.insert(client);
  flush();
  return client;
}

std::string Stage::say(ClientId client, std::string_view bytes) {
  // A copy that ends with the call: whoever keeps a view into it is found out by the sanitizers.
  const std::vector<char> room{bytes.begin(), bytes.end()};
  engine_.receive(client, {room.data(), room.size()});
  flush();
  return heard(client);
}

std::string Stage::ask(ClientId client, std::string_view line) {
  return say(client, std::string{line} + "\r\n");
}

std::string Stage::heard(ClientId client) {
  return std::exchange(heard_[client], {});
}

void Stage::leave(ClientId client) {
  open_.erase(client);
  engine_.disconnected(client);
  flush();
}

void Stage::pass(Duration duration) {
  clock_.pass(duration);
  engine_.tick();
  flush();
}

void Stage::read_again(ClientId client) {
  deaf_.erase(client);
  flush(client);
  flush();
}

void Stage::flush() {
  std::vector<ClientId> dirty;
  for (int turn = 0; turn < 100'000; ++turn) {
    engine_.take_dirty(dirty);
    for (const ClientId client : dirty) flush(client);
    if (dirty.empty() && !engine_.has_more_to_do()) return;
    if (dirty.empty()) engine_.tick();
  }
  FAIL() << "the engine never comes to rest";
}

void Stage::flush(ClientId client) {
  if (!is_open(client)) return;
  const Closing wanted = engine_.wants_close(client);
  if (wanted == Closing::now) return leave(client);
  std::vector<std::string> blocks;
  engine_.take_output(client, blocks);
  std::string& unsent = unsent_[client];
  for (std::string& block : blocks) {
    unsent += block;
    engine_.give_back(std::move(block));
  }
  if (deaf_.contains(client)) return engine_.output_written(client, 0);
  heard_[client] += unsent;
  engine_.output_written(client, std::exchange(unsent, {}).size());
  if (wanted == Closing::when_written) leave(client);
}

std::string request(const std::vector<std::string>& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  return bytes;
}

}  // namespace fencepost::server
