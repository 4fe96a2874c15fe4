// Whether a request would close a circle of owners that wait for each other, and which.
#include "state/deadlock.h"

#include <algorithm>

namespace fencepost::state {

namespace {

bool go_together(const Waiter& a, const Waiter& b) {
  return a.mode != Mode::exclusive && a.mode == b.mode && a.limit == b.limit;
}

// Whether whoever is still further ahead need not be looked at. The nearest of the same kind, or
// one that wants the key for itself, has to be granted after all of them. Two of different kinds do
// as well: each waits for everybody ahead but its own kind.
bool answer_for_the_rest(const Waiter& request, const std::vector<const Waiter*>& before) {
  if (before.empty()) return false;
  const Waiter& last = *before.back();
  return last.mode == Mode::exclusive || go_together(request, last) ||
         !go_together(*before.front(), last);
}

}  // namespace

std::optional<std::vector<WaitsFor>> DeadlockSearch::find(const Waiter& request,
                                                          const std::vector<Waiter*>& leaving) {
  start_ = &request;
  leaving_.insert(leaving.begin(), leaving.end());
  const WaitGraph::RequestId asked = id_of(request);
  while (!todo_.empty()) {
    const Waiter& next = *todo_.back();
    todo_.pop_back();
    for (const std::string& key : next.keys) explore(next, key);
  }
  graph_.release_the_free();
  if (!graph_.is_stuck(asked)) return std::nullopt;
  return graph_.circle_from(asked);
}

// What is met for the first time is to be explored.
WaitGraph::RequestId DeadlockSearch::id_of(const Waiter& request) {
  const auto known = ids_.find(&request);
  if (known != ids_.end()) return known->second;
  const WaitGraph::RequestId id = graph_.add_request(graph_.owner(request.owner));
  ids_.emplace(&request, id);
  todo_.push_back(&request);
  return id;
}

// Somebody waits for the owner, so all that it waits for itself counts.
WaitGraph::OwnerId DeadlockSearch::expand(const std::string& owner) {
  const WaitGraph::OwnerId id = graph_.owner(owner);
  if (!expanded_.insert(id).second) return id;
  for (const Waiter* waiter : queues_.present_of(owner)) {
    if (!leaving_.contains(waiter)) id_of(*waiter);
  }
  return id;
}

// Walks the line from the request to its front. Those of another kind must be granted and leave
// again; the nearest of the same kind must merely be granted, and answers for everybody before it.
// At the front stand the holders.
void DeadlockSearch::explore(const Waiter& request, const std::string& key) {
  if (holds_already(request, key)) return;
  const WaitGraph::RequestId id = id_of(request);
  graph_.needs_room(id, request.limit);
  if (has_reserved(request, key)) return add_holders(request, key);
  const std::vector<const Waiter*> before = those_before(request, key);
  for (const Waiter* other : before) {
    if (go_together(request, *other)) {
      graph_.goes_after(id, id_of(*other), key);
      if (request.mode == Mode::limit) expand(other->owner);
      return;
    }
    graph_.needs_gone(id, expand(other->owner), key);
  }
  if (!answer_for_the_rest(request, before)) add_holders(request, key);
}

// The nearest first, as far as explore() looks. The request that is being asked stands in no line
// yet, but with a place that was kept for it it would stand before others.
std::vector<const Waiter*> DeadlockSearch::those_before(const Waiter& request,
                                                        const std::string& key) const {
  std::vector<const Waiter*> before;
  const auto wants = [&key](const std::string& wanted) { return wanted == key; };
  bool start_is_before = &request != start_ && start_->database == request.database &&
                         start_->place < request.place && start_->owner != request.owner &&
                         std::any_of(start_->keys.begin(), start_->keys.end(), wants);
  const Queues::Line* line = queues_.find(request.database, key);
  if (line != nullptr) {
    for (auto ahead = line->lower_bound(request.place); ahead != line->begin();) {
      --ahead;
      const Waiter& other = *ahead->second;
      if (start_is_before && other.place < start_->place) {
        start_is_before = false;
        before.push_back(start_);
        if (answer_for_the_rest(request, before)) return before;
      }
      if (leaving_.contains(&other) || other.owner == request.owner || holds_already(other, key)) {
        continue;
      }
      before.push_back(&other);
      if (answer_for_the_rest(request, before)) return before;
    }
  }
  if (start_is_before) before.push_back(start_);
  return before;
}

// What an owner holds already is given to it past everybody in line, and its place there stands in
// nobody's way that its hold does not stand in.
bool DeadlockSearch::holds_already(const Waiter& request, const std::string& key) const {
  Item* item = keyspace_.find(request.database, key);
  if (item == nullptr) return false;
  if (item->is_string()) return item->text() == request.owner && !item->in_grace;
  if (!item->is_lock()) return false;
  const Hold* hold = item->lock().find(request.owner);
  return hold != nullptr && !hold->in_grace;
}

// So is what its own grace keeps the others from, as soon as whoever else holds it has left.
bool DeadlockSearch::has_reserved(const Waiter& request, const std::string& key) const {
  Item* item = keyspace_.find(request.database, key);
  if (item == nullptr) return false;
  if (item->is_string()) return item->text() == request.owner && item->in_grace;
  if (!item->is_lock()) return false;
  const Hold* hold = item->lock().find(request.owner);
  return hold != nullptr && hold->in_grace;
}

// Holds in grace are in nobody's way for ever: a grace ends by itself, and nothing extends it.
void DeadlockSearch::add_holders(const Waiter& request, const std::string& key) {
  const Item* item = keyspace_.find(request.database, key);
  if (item == nullptr) return;
  const WaitGraph::RequestId id = id_of(request);
  if (item->is_string()) {
    if (item->text() != request.owner && !item->in_grace) {
      graph_.needs_gone(id, expand(std::string{item->text()}), key);
    }
    return;
  }
  if (!item->is_lock()) return;
  const SharedLock& lock = item->lock();
  const bool same_kind = request.mode == lock.mode() && request.limit == lock.limit();
  if (same_kind && request.mode == Mode::shared) return;
  for (const auto& [owner, hold] : lock.holds()) {
    if (owner == request.owner || hold.in_grace) continue;
    if (same_kind) {
      graph_.shares_with(id, expand(owner), key);
    } else {
      graph_.needs_gone(id, expand(owner), key);
    }
  }
}

std::string describe(const std::vector<WaitsFor>& circle) {
  constexpr std::size_t kNamed = 8;
  constexpr std::size_t kNameBytes = 64;
  const auto shortened = [](const std::string& name) {
    return name.size() <= kNameBytes ? name : name.substr(0, kNameBytes) + "...";
  };
  std::string text;
  for (std::size_t i = 0; i < circle.size() && i < kNamed; ++i) {
    if (i > 0) text += ", ";
    text += shortened(circle[i].owner) + " waits for " + shortened(circle[i].key) + " held by " +
            shortened(circle[i].holder);
  }
  if (circle.size() > kNamed) text += " and " + std::to_string(circle.size() - kNamed) + " more";
  return text;
}

}  // namespace fencepost::state
