// Clients that wait for a key to have something for them.
#include "state/parked.h"

#include "base/check.h"

namespace fencepost::state {

const Parked* ParkedClients::find(ClientId client) const {
  const auto found = by_client_.find(client);
  return found == by_client_.end() ? nullptr : &found->second->parked;
}

std::size_t ParkedClients::bytes_of(std::span<const std::string_view> request,
                                    std::size_t key_count) {
  // A place in a line, and the line, which may have no other.
  constexpr std::size_t kPerKey = 256;
  std::size_t bytes = sizeof(Place) + request.size() * sizeof(std::string) + key_count * kPerKey;
  for (const std::string_view word : request) bytes += 2 * word.size();
  return bytes;
}

void ParkedClients::park(Parked parked) {
  check(!by_client_.contains(parked.client), "a client waits for one thing at a time");
  check(parked.key_count > 0, "whoever is parked waits for a key");
  const std::uint64_t number = ++last_place_;
  const ClientId client = parked.client;
  for (const std::string& key : parked.keys()) {
    lines_[KeyName{parked.database, key}].emplace(number, Waiting{client, parked.wanted});
  }
  if (parked.deadline != kNever) {
    by_time_.emplace(parked.deadline, number);
    by_place_.emplace(number, client);
  }
  ++count_of(parked.wanted);
  const std::vector<std::string_view> words{parked.request.begin(), parked.request.end()};
  const std::size_t bytes = bytes_of(words, parked.key_count);
  bytes_ += bytes;
  by_client_.emplace(client, std::make_unique<Place>(Place{number, bytes, std::move(parked)}));
}

// Null when it was not parked.
std::unique_ptr<ParkedClients::Place> ParkedClients::take_out(ClientId client) {
  const auto found = by_client_.find(client);
  if (found == by_client_.end()) return nullptr;
  std::unique_ptr<Place> place = std::move(found->second);
  by_client_.erase(found);
  for (const std::string& key : place->parked.keys()) {
    const auto line = lines_.find(NameLess::View{place->parked.database, key});
    if (line == lines_.end()) continue;  // the same key was named twice
    line->second.erase(place->number);
    if (line->second.empty()) lines_.erase(line);
  }
  by_time_.erase({place->parked.deadline, place->number});
  by_place_.erase(place->number);
  check(count_of(place->parked.wanted) > 0, "whoever waits is counted");
  --count_of(place->parked.wanted);
  bytes_ -= place->bytes;
  return place;
}

bool ParkedClients::remove(ClientId client) {
  return take_out(client) != nullptr;
}

bool ParkedClients::unblock(ClientId client, bool with_error) {
  const std::unique_ptr<Place> place = take_out(client);
  if (!place) return false;
  answers_.push_back({.client = client,
                      .unblocked_with_error = with_error,
                      .request = std::move(place->parked.request)});
  return true;
}

void ParkedClients::touch(DatabaseIndex database, std::string_view key, Type type) {
  if (count_of(type) == 0) return;
  const NameLess::View name{database, key};
  if (!lines_.contains(name) || is_ready_.contains(name)) return;
  is_ready_.insert(KeyName{database, std::string{key}});
  ready_.push_back(KeyName{database, std::string{key}});
}

std::optional<KeyName> ParkedClients::take_ready() {
  if (ready_.empty()) return std::nullopt;
  KeyName ready = std::move(ready_.front());
  ready_.pop_front();
  is_ready_.erase(ready);
  return ready;
}

std::optional<ParkedClients::InLine> ParkedClients::next_in_line(const KeyName& name, Type type,
                                                                 std::uint64_t behind) const {
  const auto line = lines_.find(name);
  if (line == lines_.end()) return std::nullopt;
  for (auto at = line->second.upper_bound(behind); at != line->second.end(); ++at) {
    if (at->second.wanted == type) return InLine{at->first, at->second.client};
  }
  return std::nullopt;
}

Instant ParkedClients::next_deadline() const {
  return by_time_.empty() ? kNever : by_time_.begin()->first;
}

void ParkedClients::end_next() {
  check(!by_time_.empty(), "somebody's wait is over");
  const auto first = by_place_.find(by_time_.begin()->second);
  check(first != by_place_.end(), "whoever has a deadline is known by its place");
  unblock(first->second, false);
}

void ParkedClients::take_answers(std::vector<ParkedAnswer>& into) {
  into.clear();
  std::swap(into, answers_);
}

}  // namespace fencepost::state
