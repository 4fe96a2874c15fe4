// Clients that wait for a key to have something for them.
#include "state/parked.h"

#include "base/check.h"

namespace fencepost::state {

const Parked* ParkedClients::find(ClientId client) const {
  const auto found = by_client_.find(client);
  return found == by_client_.end() ? nullptr : &found->second->parked;
}

void ParkedClients::park(Parked parked) {
  check(!by_client_.contains(parked.client), "a client waits for one thing at a time");
  check(!parked.keys.empty(), "whoever is parked waits for a key");
  const std::uint64_t order = ++last_order_;
  const ClientId client = parked.client;
  for (const std::string& key : parked.keys) {
    lines_[KeyName{parked.database, key}].emplace(order, client);
  }
  if (parked.deadline != kNever) {
    by_time_.emplace(parked.deadline, order);
    by_order_.emplace(order, client);
  }
  by_client_.emplace(client, std::make_unique<Place>(Place{order, std::move(parked)}));
}

bool ParkedClients::remove(ClientId client) {
  const auto found = by_client_.find(client);
  if (found == by_client_.end()) return false;
  const std::unique_ptr<Place> place = std::move(found->second);
  by_client_.erase(found);
  for (const std::string& key : place->parked.keys) {
    const auto line = lines_.find(NameLess::View{place->parked.database, key});
    if (line == lines_.end()) continue;  // the same key was named twice
    line->second.erase(place->order);
    if (line->second.empty()) lines_.erase(line);
  }
  by_time_.erase({place->parked.deadline, place->order});
  by_order_.erase(place->order);
  return true;
}

bool ParkedClients::unblock(ClientId client, bool with_error) {
  if (!remove(client)) return false;
  answers_.push_back({.client = client, .unblocked_with_error = with_error});
  return true;
}

void ParkedClients::touch(DatabaseIndex database, std::string_view key) {
  if (lines_.empty()) return;
  const NameLess::View name{database, key};
  if (!lines_.contains(name) || is_ready_.contains(name)) return;
  is_ready_.insert(KeyName{database, std::string{key}});
  ready_.push_back(KeyName{database, std::string{key}});
}

std::optional<ReadyKey> ParkedClients::take_ready() {
  if (ready_.empty()) return std::nullopt;
  ReadyKey ready{.name = std::move(ready_.front()), .clients = {}};
  ready_.pop_front();
  is_ready_.erase(ready.name);
  if (const auto line = lines_.find(ready.name); line != lines_.end()) {
    for (const auto& [order, client] : line->second) ready.clients.push_back(client);
  }
  return ready;
}

Instant ParkedClients::next_deadline() const {
  return by_time_.empty() ? kNever : by_time_.begin()->first;
}

void ParkedClients::end_next() {
  check(!by_time_.empty(), "somebody's wait is over");
  const auto first = by_order_.find(by_time_.begin()->second);
  check(first != by_order_.end(), "whoever has a deadline is known by its place");
  unblock(first->second, false);
}

void ParkedClients::take_answers(std::vector<ParkedAnswer>& into) {
  into.clear();
  std::swap(into, answers_);
}

}  // namespace fencepost::state
