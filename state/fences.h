// The counters of keys that do not exist now, and the floor that keeps the promise for those that
// were dropped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "state/idle_fence.h"
#include "state/name_index.h"

namespace fencepost::state {

// A fence never goes back and never repeats for a key: a counter of its own goes on; a key without
// one starts above the floor; dropping a counter raises the floor to it. At most `capacity` idle
// counters, the oldest dropped first.
class Fences {
 public:
  explicit Fences(std::uint64_t hash_seed = 0);
  ~Fences() = default;
  Fences(const Fences&) = delete;
  Fences& operator=(const Fences&) = delete;

  std::uint64_t floor() const { return floor_; }
  void raise_floor(std::uint64_t to);
  // Greater than every number drawn so far, or equal.
  std::uint64_t highest() const { return highest_; }
  std::size_t idle_count() const { return count_; }
  void set_capacity(std::size_t capacity);

  // The newest numbers may have been lost with the power: every counter of a gone key is dropped,
  // and whatever is drawn from now on, for keys that exist too, is greater than all that can have
  // been drawn (`lost` numbers at most are missing).
  void leap(std::uint64_t lost);
  // What leap() has set; 0 when it never happened.
  std::uint64_t leapt_to() const { return leapt_to_; }
  void restore_leap(std::uint64_t leapt_to) { leapt_to_ = std::max(leapt_to_, leapt_to); }
  // A number that was drawn before what this remembers.
  void note_drawn(std::uint64_t fence) { highest_ = std::max(highest_, fence); }
  // The next number for a key whose newest is `newest`.
  std::uint64_t next(std::uint64_t newest);
  // The newest of an absent key: what its counter says, or the floor if that is higher.
  std::uint64_t newest(DatabaseIndex database, std::string_view key) const;
  // The next number for a key that comes into being; its idle counter is used up.
  std::uint64_t first(DatabaseIndex database, std::string_view key);
  // The key is gone; the owners are those that gave it back last, as hashes.
  void retire(DatabaseIndex database, std::string_view key, std::uint64_t fence,
              std::span<const std::uint64_t> releasers);
  // The counter of an absent key, with whoever gave it back; null when it has none.
  const IdleRecord* find(DatabaseIndex database, std::string_view key) const;
  // Oldest first. For writing them down.
  void for_each(const std::function<void(const IdleRecord& idle)>& see) const;
  // What was written down: in place of what is known of the key. A null means that it has no
  // counter of its own, for it exists or was dropped.
  void restore(DatabaseIndex database, std::string_view key, std::optional<IdleFence> idle);
  // Drops the counters of a database, raising the floor above them.
  void forget(DatabaseIndex database);

 private:
  using Index = NameIndex<IdleRecord>;

  IdleRecord* find_record(DatabaseIndex database, std::string_view key) const;
  // Out of the index and the line; nothing is raised.
  std::unique_ptr<IdleRecord> extract(IdleRecord& record);
  void drop(IdleRecord& record);

  std::uint64_t floor_ = 0;
  std::uint64_t highest_ = 0;
  std::uint64_t leapt_to_ = 0;
  std::size_t capacity_ = 1'000'000;
  std::vector<Index> by_name_;  // by database
  std::size_t count_ = 0;
  IdleRecord* oldest_ = nullptr;
  IdleRecord* newest_ = nullptr;
};

}  // namespace fencepost::state
