// Whether anybody waits for an owner: a quick "no" for nearly every request, before the search for
// a circle.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "state/keyspace.h"
#include "state/queues.h"

namespace fencepost::state {

// Keeps, for each key with a line, the hashes of its holders, brought up to date only when they are
// asked for.
class Blockers {
 public:
  explicit Blockers(Keyspace& keyspace) : keyspace_{keyspace} {}

  // A waiter has joined the lines of its keys.
  void line_grew(const Waiter& waiter);
  // The holder of a key with a line may be another now, or the line is gone.
  void holder_changed(DatabaseIndex database, std::string_view key);
  // May be true for an owner that blocks nobody (never false for one that does).
  bool may_block(std::string_view owner, const Queues& queues);

 private:
  void refresh(const KeyName& name, const Queues& queues);
  void forget(const KeyName& name);

  // As they were when the key had that fence, and so many: the same two say that nobody came or
  // went among several holders.
  struct Holders {
    std::vector<std::uint64_t> hashes;
    std::uint64_t fence = 0;
    bool are_several = false;
  };

  static bool same_as_before(const Holders& before, const Item* item);

  Keyspace& keyspace_;
  std::set<KeyName> stale_;
  std::map<KeyName, Holders> holders_;
  std::unordered_map<std::uint64_t, std::size_t> counts_;
};

}  // namespace fencepost::state
