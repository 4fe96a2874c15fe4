// The counters of keys that do not exist now, and the floor that keeps the promise for those that
// were dropped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "state/item.h"

namespace fencepost::state {

// What is remembered of a key that is gone.
struct IdleFence {
  std::uint64_t fence = 0;
  std::vector<std::uint64_t> releasers;  // hashes of the owners that gave it back last
};

// A fence never goes back and never repeats for a key: a counter of its own goes on; a key without
// one starts above the floor; dropping a counter raises the floor to it. At most `capacity` idle
// counters, the oldest dropped first.
class Fences {
 public:
  std::uint64_t floor() const { return floor_; }
  void raise_floor(std::uint64_t to);
  // Greater than every number drawn so far, or equal.
  std::uint64_t highest() const { return highest_; }
  std::size_t idle_count() const { return by_name_.size(); }
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
  // The next number for a key that comes into being; its idle counter is used up.
  std::uint64_t first(DatabaseIndex database, std::string_view key);
  // The key is gone.
  void retire(DatabaseIndex database, std::string_view key, IdleFence idle);
  // What an absent key's counter says; null when it has none.
  const IdleFence* find(DatabaseIndex database, std::string_view key) const;
  // Oldest first. For writing them down.
  void for_each(const std::function<void(const KeyName& name, const IdleFence& idle)>& see) const;
  // What was written down: in place of what is known of the key. A null means that it has no
  // counter of its own, for it exists or was dropped.
  void restore(DatabaseIndex database, std::string_view key, std::optional<IdleFence> idle);
  // Drops the counters of a database, raising the floor above them.
  void forget(DatabaseIndex database);

 private:
  struct Record {
    KeyName name;
    IdleFence idle;
  };
  using Records = std::list<Record>;  // oldest first
  struct NameView {
    DatabaseIndex database;
    std::string_view key;
    bool operator==(const NameView&) const = default;
  };
  struct NameHash {
    std::size_t operator()(const NameView& name) const;
  };

  void drop(Records::iterator record);

  std::uint64_t floor_ = 0;
  std::uint64_t highest_ = 0;
  std::uint64_t leapt_to_ = 0;
  std::size_t capacity_ = 1'000'000;
  Records records_;
  std::unordered_map<NameView, Records::iterator, NameHash> by_name_;
};

}  // namespace fencepost::state
