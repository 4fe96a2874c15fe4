// Client-side caching: who has read which key, and who listens to which prefix.
#include "commands/tracking/tracked_keys.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fencepost::commands {

namespace {

// A key with fewer readers is not looked through for those who are gone.
constexpr std::size_t kFewReaders = 16;

// Of noting one key, about.
std::size_t cost_of(std::string_view key) {
  return key.size() + 64;
}

}  // namespace

void TrackedKeys::add(ClientId client, bool broadcast) {
  if (broadcast) {
    if (prefixes_of_.try_emplace(client).second) ++broadcast_count_;
  } else {
    readers_.insert(client);
  }
}

void TrackedKeys::remove(ClientId client) {
  readers_.erase(client);
  if (readers_.empty()) forget_keys();
  const auto own = prefixes_of_.find(client);
  if (own == prefixes_of_.end()) return;
  for (const std::string& name : own->second) {
    const auto at = prefixes_.find(name);
    check(at != prefixes_.end(), "a prefix that somebody listens to is in the table");
    at->second.clients.erase(client);
    if (!at->second.clients.empty()) continue;
    for (const auto& [key, by] : at->second.changed) note_bytes_ -= cost_of(key);
    noted_.erase(name);
    const auto length = lengths_.find(name.size());
    if (--length->second == 0) lengths_.erase(length);
    prefixes_.erase(at);
  }
  prefixes_of_.erase(own);
  --broadcast_count_;
}

void TrackedKeys::remember(ClientId client, std::string_view key) {
  std::vector<ClientId>& readers = keys_[std::string{key}];
  auto at = std::lower_bound(readers.begin(), readers.end(), client);
  if (at != readers.end() && *at == client) return;
  // Before it takes twice the room: clients may come, read and go for ever.
  if (readers.size() >= kFewReaders && readers.size() == readers.capacity()) {
    prune(readers);
    at = std::lower_bound(readers.begin(), readers.end(), client);
  }
  readers.insert(at, client);
  ++item_count_;
}

void TrackedKeys::prune(std::vector<ClientId>& readers) {
  item_count_ -=
      std::erase_if(readers, [this](ClientId client) { return !readers_.contains(client); });
}

void TrackedKeys::take_readers(std::string_view key, std::vector<ClientId>& into) {
  into.clear();
  if (keys_.empty()) return;
  const auto at = keys_.find(std::string{key});
  if (at == keys_.end()) return;
  into = std::move(at->second);
  item_count_ -= into.size();
  keys_.erase(at);
}

// A hand goes round the buckets, so that each key has its turn and an emptied table costs one
// round.
std::string TrackedKeys::next_to_evict() {
  for (std::size_t looked = 0; looked < keys_.bucket_count(); ++looked) {
    hand_ = (hand_ + 1) % keys_.bucket_count();
    if (keys_.bucket_size(hand_) > 0) return keys_.begin(hand_)->first;
  }
  return {};
}

void TrackedKeys::forget_keys() {
  keys_ = {};
  item_count_ = 0;
}

void TrackedKeys::add_prefix(ClientId client, std::string_view prefix) {
  const auto [at, is_new] = prefixes_.try_emplace(std::string{prefix});
  if (is_new) ++lengths_[prefix.size()];
  at->second.clients.insert(client);
  prefixes_of_[client].insert(std::string{prefix});
}

// The name stands with the prefix and with the client.
std::size_t TrackedKeys::prefix_bytes_of(ClientId client) const {
  constexpr std::size_t kPerPrefix = 256;
  const auto found = prefixes_of_.find(client);
  if (found == prefixes_of_.end()) return 0;
  std::size_t bytes = 0;
  for (const std::string& prefix : found->second) bytes += kPerPrefix + 2 * prefix.size();
  return bytes;
}

std::vector<std::string> TrackedKeys::prefixes_of(ClientId client) const {
  const auto own = prefixes_of_.find(client);
  if (own == prefixes_of_.end()) return {};
  return {own->second.begin(), own->second.end()};
}

// One look-up for each length that a prefix has.
void TrackedKeys::note_change(std::string_view key, ClientId by) {
  for (const auto& [length, count] : lengths_) {
    if (length > key.size()) return;
    const auto at = prefixes_.find(key.substr(0, length));
    if (at == prefixes_.end()) continue;
    if (!at->second.changed.try_emplace(std::string{key}, by).second) continue;
    noted_.insert(at->first);
    note_bytes_ += cost_of(key);
  }
}

void TrackedKeys::take_broadcasts(std::vector<Broadcast>& into) {
  into.clear();
  for (const std::string_view name : noted_) {
    const auto at = prefixes_.find(name);
    check(at != prefixes_.end(), "a prefix with changes is in the table");
    Prefix& prefix = at->second;
    into.push_back({.keys = std::exchange(prefix.changed, {}), .clients = prefix.clients});
  }
  noted_.clear();
  note_bytes_ = 0;
}

}  // namespace fencepost::commands
