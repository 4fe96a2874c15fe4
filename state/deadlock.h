// Whether a request would close a circle of owners that wait for each other, and which.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "state/keyspace.h"
#include "state/queues.h"
#include "state/waiter.h"

namespace fencepost::state {

// One step of the circle: `owner` waits for `key`, which `holder` holds or is in line for.
struct WaitsFor {
  std::string owner;
  std::string key;
  std::string holder;
};

// A request is stuck when some key of it can only become free through owners that are themselves
// stuck. That is a greatest fixed point over the requests that the new one depends on: all of them
// are first taken to be stuck, and those that somebody outside can unblock are released until
// nothing changes. (Knapp, "Deadlock detection in distributed databases", 1987: the general, AND-OR
// model: a writer needs every reader gone, a semaphore any one.)
class DeadlockSearch {
 public:
  DeadlockSearch(Keyspace& keyspace, const Queues& queues) : keyspace_{keyspace}, queues_{queues} {}

  // The circle that `request`, which stands in no line yet but would stand in them at its place,
  // would close; null when there is none. Waiters in `leaving` are about to leave and do not count.
  std::optional<std::vector<WaitsFor>> find(const Waiter& request,
                                            const std::vector<Waiter*>& leaving);

 private:
  // What has to happen at one key before a request is granted.
  struct Need {
    std::string key;
    std::vector<std::string> owners;  // each of them has to leave
    std::vector<std::string>
        companions;                 // holders of the same semaphore: some of them have to leave
    const Waiter* after = nullptr;  // one of the same kind ahead in line, who has to be granted
    std::int64_t room = 0;          // of the semaphore; 0 when it is none
  };
  struct Node {
    const Waiter* request = nullptr;
    std::vector<Need> needs;
    std::int64_t crowd =
        0;  // stuck owners that keep their share of the semaphore before this one's turn
    bool stuck = true;
  };
  using NodeKey =
      std::pair<std::uint64_t, std::uint64_t>;  // place and id: the order is the same everywhere
  static NodeKey key_of(const Waiter& waiter) { return {waiter.place, waiter.id}; }

  void add_requests_of(const std::string& owner, std::vector<const Waiter*>& todo) const;
  void explore(const Waiter& request);
  Need need_at(const Waiter& request, const std::string& key) const;
  std::vector<const Waiter*> those_before(const Waiter& request, const std::string& key) const;
  bool holds_already(const Waiter& request, const std::string& key) const;
  bool has_reserved(const Waiter& request, const std::string& key) const;
  void add_holders(const Waiter& request, Need& need) const;
  bool owner_is_stuck(const std::string& owner) const;
  bool can_be_met(const Need& need, std::int64_t& crowd) const;
  void release_the_free();
  bool walk(const std::string& owner, const std::string& goal, std::set<std::string>& seen,
            std::vector<WaitsFor>& path) const;

  Keyspace& keyspace_;
  const Queues& queues_;
  const Waiter* start_ = nullptr;
  std::set<const Waiter*> leaving_;
  std::map<NodeKey, Node> nodes_;
  std::map<std::string, std::vector<NodeKey>> by_owner_;
};

// "alice waits for y held by bob, bob waits for x held by alice", short enough for one line.
std::string describe(const std::vector<WaitsFor>& circle);

}  // namespace fencepost::state
