// The counters of keys that do not exist now, and the floor that keeps the promise for those that
// were dropped.
#include "state/fences.h"

#include <algorithm>

#include <xxhash.h>

#include "base/check.h"
#include "base/limits.h"

namespace fencepost::state {

std::size_t Fences::NameHash::operator()(const NameView& name) const {
  return static_cast<std::size_t>(
      XXH3_64bits_withSeed(name.key.data(), name.key.size(), name.database));
}

void Fences::raise_floor(std::uint64_t to) {
  check(to <= kMaxFence, "a floor is a number that a fence can have");
  floor_ = std::max(floor_, to);
  highest_ = std::max(highest_, floor_);
}

void Fences::leap(std::uint64_t lost) {
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) forget(database);
  check(highest_ <= kMaxFence - lost, "there are numbers left");
  leapt_to_ = highest_ + lost;
  raise_floor(leapt_to_);
}

void Fences::set_capacity(std::size_t capacity) {
  capacity_ = capacity;
  while (records_.size() > capacity_) drop(records_.begin());
}

std::uint64_t Fences::next(std::uint64_t newest) {
  check(newest < kMaxFence, "2^53 holds of one key never happen");
  const std::uint64_t fence = std::max(newest, leapt_to_) + 1;
  highest_ = std::max(highest_, fence);
  return fence;
}

std::uint64_t Fences::first(DatabaseIndex database, std::string_view key) {
  const auto found = by_name_.find({database, key});
  if (found == by_name_.end()) return next(floor_);
  const std::uint64_t newest = found->second->idle.fence;
  records_.erase(found->second);
  by_name_.erase(found);
  return next(newest);
}

void Fences::retire(DatabaseIndex database, std::string_view key, IdleFence idle) {
  check(idle.fence <= highest_, "only numbers that were drawn are retired");
  records_.push_back({KeyName{database, std::string{key}}, std::move(idle)});
  const auto record = std::prev(records_.end());
  const bool fresh = by_name_.emplace(NameView{database, record->name.key}, record).second;
  check(fresh, "a key that existed had no idle counter");
  if (records_.size() > capacity_) drop(records_.begin());
}

const IdleFence* Fences::find(DatabaseIndex database, std::string_view key) const {
  const auto found = by_name_.find({database, key});
  return found == by_name_.end() ? nullptr : &found->second->idle;
}

void Fences::for_each(
    const std::function<void(const KeyName& name, const IdleFence& idle)>& see) const {
  for (const Record& record : records_) see(record.name, record.idle);
}

void Fences::restore(DatabaseIndex database, std::string_view key, std::optional<IdleFence> idle) {
  if (const auto found = by_name_.find({database, key}); found != by_name_.end()) {
    records_.erase(found->second);
    by_name_.erase(found);
  }
  if (!idle) return;
  note_drawn(idle->fence);
  retire(database, key, std::move(*idle));
}

void Fences::forget(DatabaseIndex database) {
  for (auto record = records_.begin(); record != records_.end();) {
    const auto here = record++;
    if (here->name.database == database) drop(here);
  }
}

void Fences::drop(Records::iterator record) {
  raise_floor(record->idle.fence);
  by_name_.erase({record->name.database, record->name.key});
  records_.erase(record);
}

}  // namespace fencepost::state
