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
  const bool has_line = queues.find(name.database, name.key) != nullptr;
  const Item* item = has_line ? keyspace_.find(name.database, name.key) : nullptr;
  const auto before = holders_.find(name);
  if (before != holders_.end() && same_as_before(before->second, item)) return;
  forget(name);
  if (!has_line) return;
  Holders& holders = holders_[name];
  if (item == nullptr) return;
  if (item->is_string()) {
    holders.hashes.push_back(keyspace_.hash_of(item->text()));
  } else if (item->is_lock()) {
    holders.fence = item->fence;
    holders.are_several = true;
    for (const auto& [owner, hold] : item->lock().holds()) {
      holders.hashes.push_back(keyspace_.hash_of(owner));
    }
  }
  for (const std::uint64_t holder : holders.hashes) ++counts_[holder];
}

bool Blockers::same_as_before(const Holders& before, const Item* item) {
  return before.are_several && item != nullptr && item->is_lock() && before.fence == item->fence &&
         before.hashes.size() == item->lock().size();
}

void Blockers::forget(const KeyName& name) {
  const auto found = holders_.find(name);
  if (found == holders_.end()) return;
  for (const std::uint64_t holder : found->second.hashes) {
    const auto count = counts_.find(holder);
    if (--count->second == 0) counts_.erase(count);
  }
  holders_.erase(found);
}

}  // namespace fencepost::state
