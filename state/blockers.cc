// Whether anybody waits for an owner.
#include "state/blockers.h"

#include <string>

namespace fencepost::state {

void Blockers::line_grew(const Waiter& waiter) {
  for (const std::string& key : waiter.keys) {
    KeyName name{waiter.database, key};
    if (!holders_.contains(name)) stale_.insert(std::move(name));
  }
}

void Blockers::holder_changed(DatabaseIndex database, std::string_view key) {
  stale_.insert(KeyName{database, std::string{key}});
}

bool Blockers::may_block(std::string_view owner, const Queues& queues) {
  for (const KeyName& name : stale_) refresh(name, queues);
  stale_.clear();
  return counts_.contains(keyspace_.hash_of(owner));
}

void Blockers::refresh(const KeyName& name, const Queues& queues) {
  forget(name);
  if (queues.find(name.database, name.key) == nullptr) return;
  std::vector<std::uint64_t>& holders = holders_[name];
  const Item* item = keyspace_.find(name.database, name.key);
  if (item == nullptr) return;
  if (item->is_string()) {
    holders.push_back(keyspace_.hash_of(item->text()));
  } else if (item->is_lock()) {
    for (const auto& [owner, hold] : item->lock().holds())
      holders.push_back(keyspace_.hash_of(owner));
  }
  for (const std::uint64_t holder : holders) ++counts_[holder];
}

void Blockers::forget(const KeyName& name) {
  const auto found = holders_.find(name);
  if (found == holders_.end()) return;
  for (const std::uint64_t holder : found->second) {
    const auto count = counts_.find(holder);
    if (--count->second == 0) counts_.erase(count);
  }
  holders_.erase(found);
}

}  // namespace fencepost::state
