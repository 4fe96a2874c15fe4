// The counters of keys that do not exist now, and the floor that keeps the promise for those that
// were dropped.
#include "state/fences.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/limits.h"

namespace fencepost::state {

Fences::Fences(std::uint64_t hash_seed) {
  by_name_.reserve(kDatabaseCount);
  for (int i = 0; i < kDatabaseCount; ++i) by_name_.emplace_back(hash_seed);
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
  while (count_ > capacity_) drop(*oldest_);
}

std::uint64_t Fences::next(std::uint64_t newest) {
  check(newest < kMaxFence, "2^53 holds of one key never happen");
  const std::uint64_t fence = std::max(newest, leapt_to_) + 1;
  highest_ = std::max(highest_, fence);
  return fence;
}

std::uint64_t Fences::first(DatabaseIndex database, std::string_view key) {
  const std::uint64_t before = newest(database, key);
  if (IdleRecord* record = find_record(database, key)) extract(*record);
  return next(before);
}

// A counter below the floor counts no more than one that was dropped: which ones were is not
// written down.
std::uint64_t Fences::newest(DatabaseIndex database, std::string_view key) const {
  const IdleRecord* record = find_record(database, key);
  return record == nullptr ? floor_ : std::max(floor_, record->fence());
}

void Fences::retire(DatabaseIndex database, std::string_view key, std::uint64_t fence,
                    std::span<const std::uint64_t> releasers) {
  check(fence <= highest_, "only numbers that were drawn are retired");
  Index& names = by_name_[database];
  const std::uint64_t hash = names.hash_of(key);
  check(names.find(hash, key) == nullptr, "a key that existed had no idle counter");
  std::unique_ptr<IdleRecord> made = IdleRecord::make(database, key, fence, releasers);
  made->older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = made.get();
  newest_ = made.get();
  names.insert(hash, std::move(made));
  ++count_;
  if (count_ > capacity_) drop(*oldest_);
}

const IdleRecord* Fences::find(DatabaseIndex database, std::string_view key) const {
  return find_record(database, key);
}

IdleRecord* Fences::find_record(DatabaseIndex database, std::string_view key) const {
  const Index& names = by_name_[database];
  return names.size() == 0 ? nullptr : names.find(names.hash_of(key), key);
}

void Fences::for_each(const std::function<void(const IdleRecord& idle)>& see) const {
  for (const IdleRecord* record = oldest_; record != nullptr; record = record->newer) see(*record);
}

void Fences::restore(DatabaseIndex database, std::string_view key, std::optional<IdleFence> idle) {
  if (IdleRecord* record = find_record(database, key)) extract(*record);
  if (!idle) return;
  note_drawn(idle->fence);
  retire(database, key, idle->fence, idle->releasers);
}

void Fences::forget(DatabaseIndex database) {
  for (IdleRecord* record = oldest_; record != nullptr;) {
    IdleRecord& here = *std::exchange(record, record->newer);
    if (here.database() == database) drop(here);
  }
}

std::unique_ptr<IdleRecord> Fences::extract(IdleRecord& record) {
  (record.older != nullptr ? record.older->newer : oldest_) = record.newer;
  (record.newer != nullptr ? record.newer->older : newest_) = record.older;
  --count_;
  return by_name_[record.database()].extract(record);
}

void Fences::drop(IdleRecord& record) {
  raise_floor(record.fence());
  extract(record);
}

}  // namespace fencepost::state
