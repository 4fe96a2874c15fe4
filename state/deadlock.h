// Whether a request would close a circle of owners that wait for each other, and which.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "state/keyspace.h"
#include "state/queues.h"
#include "state/wait_graph.h"
#include "state/waiter.h"

namespace fencepost::state {

// Looks at the requests that a new one depends on, and puts into a WaitGraph who is in whose way.
class DeadlockSearch {
 public:
  DeadlockSearch(Keyspace& keyspace, const Queues& queues) : keyspace_{keyspace}, queues_{queues} {}

  // The circle that `request`, which stands in no line yet but would stand in them at its place,
  // would close; null when there is none. Waiters in `leaving` are about to leave and do not count.
  std::optional<std::vector<WaitsFor>> find(const Waiter& request,
                                            const std::vector<Waiter*>& leaving);

 private:
  WaitGraph::RequestId id_of(const Waiter& request);
  WaitGraph::OwnerId expand(const std::string& owner);
  void explore(const Waiter& request, const std::string& key);
  std::vector<const Waiter*> those_before(const Waiter& request, const std::string& key) const;
  bool holds_already(const Waiter& request, const std::string& key) const;
  bool has_reserved(const Waiter& request, const std::string& key) const;
  void add_holders(const Waiter& request, const std::string& key);

  Keyspace& keyspace_;
  const Queues& queues_;
  const Waiter* start_ = nullptr;
  std::unordered_set<const Waiter*> leaving_;
  WaitGraph graph_;
  std::unordered_map<const Waiter*, WaitGraph::RequestId> ids_;
  std::unordered_set<WaitGraph::OwnerId> expanded_;
  std::vector<const Waiter*> todo_;
};

// "alice waits for y held by bob, bob waits for x held by alice", short enough for one line.
std::string describe(const std::vector<WaitsFor>& circle);

}  // namespace fencepost::state
