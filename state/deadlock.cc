// Whether a request would close a circle of owners that wait for each other, and which.
#include "state/deadlock.h"

#include <algorithm>

#include "base/check.h"

namespace fencepost::state {

namespace {

bool go_together(const Waiter& a, const Waiter& b) {
  return a.mode != Mode::exclusive && a.mode == b.mode && a.limit == b.limit;
}

}  // namespace

std::optional<std::vector<WaitsFor>> DeadlockSearch::find(const Waiter& request,
                                                          const std::vector<Waiter*>& leaving) {
  start_ = &request;
  leaving_.insert(leaving.begin(), leaving.end());
  std::vector<const Waiter*> todo{&request};
  while (!todo.empty()) {
    const Waiter& next = *todo.back();
    todo.pop_back();
    if (nodes_.contains(key_of(next))) continue;
    explore(next);
    for (const Need& need : nodes_[key_of(next)].needs) {
      if (need.after != nullptr) todo.push_back(need.after);
      for (const auto* owners : {&need.owners, &need.companions}) {
        for (const std::string& owner : *owners) add_requests_of(owner, todo);
      }
      if (need.room > 0 && need.after != nullptr) add_requests_of(need.after->owner, todo);
    }
  }
  release_the_free();
  if (!nodes_[key_of(request)].stuck) return std::nullopt;
  std::vector<WaitsFor> path;
  std::set<std::string> seen;
  if (!walk(request.owner, request.owner, seen, path)) return std::nullopt;
  return path;
}

void DeadlockSearch::add_requests_of(const std::string& owner,
                                     std::vector<const Waiter*>& todo) const {
  for (const Waiter* waiter : queues_.present_of(owner)) {
    if (!leaving_.contains(waiter)) todo.push_back(waiter);
  }
}

void DeadlockSearch::explore(const Waiter& request) {
  Node node{.request = &request, .needs = {}, .crowd = 0, .stuck = true};
  for (const std::string& key : request.keys) node.needs.push_back(need_at(request, key));
  nodes_.emplace(key_of(request), std::move(node));
  by_owner_[request.owner].push_back(key_of(request));
}

// Walks the line from the request to its front. Those of another kind must be granted and leave
// again; the nearest of the same kind must merely be granted, and answers for everybody before it.
// At the front stand the holders.
DeadlockSearch::Need DeadlockSearch::need_at(const Waiter& request, const std::string& key) const {
  Need need{.key = key, .owners = {}, .companions = {}, .after = nullptr, .room = request.limit};
  if (holds_already(request, key)) return need;
  if (has_reserved(request, key)) {
    add_holders(request, need);
    return need;
  }
  for (const Waiter* other : those_before(request, key)) {
    if (go_together(request, *other)) {
      need.after = other;
      return need;
    }
    need.owners.push_back(other->owner);
    if (other->mode == Mode::exclusive) return need;
  }
  add_holders(request, need);
  return need;
}

// The nearest first, as far as need_at looks. The request that is being asked stands in no line
// yet, but with a place that was kept for it it would stand before others.
std::vector<const Waiter*> DeadlockSearch::those_before(const Waiter& request,
                                                        const std::string& key) const {
  std::vector<const Waiter*> before;
  const auto wants = [&key](const std::string& wanted) { return wanted == key; };
  bool start_is_before = &request != start_ && start_->database == request.database &&
                         start_->place < request.place && start_->owner != request.owner &&
                         std::any_of(start_->keys.begin(), start_->keys.end(), wants);
  const auto ends_the_walk = [&request](const Waiter& other) {
    return other.mode == Mode::exclusive || go_together(request, other);
  };
  const Queues::Line* line = queues_.find(request.database, key);
  if (line != nullptr) {
    for (auto ahead = line->lower_bound(request.place); ahead != line->begin();) {
      --ahead;
      const Waiter& other = *ahead->second;
      if (start_is_before && other.place < start_->place) {
        start_is_before = false;
        before.push_back(start_);
        if (ends_the_walk(*start_)) return before;
      }
      if (leaving_.contains(&other) || other.owner == request.owner || holds_already(other, key)) {
        continue;
      }
      before.push_back(&other);
      if (ends_the_walk(other)) return before;
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
void DeadlockSearch::add_holders(const Waiter& request, Need& need) const {
  const Item* item = keyspace_.find(request.database, need.key);
  if (item == nullptr) return;
  if (item->is_string()) {
    if (item->text() != request.owner && !item->in_grace) need.owners.push_back(item->text());
    return;
  }
  if (!item->is_lock()) return;
  const SharedLock& lock = item->lock();
  const bool same_kind = request.mode == lock.mode() && request.limit == lock.limit();
  if (same_kind && request.mode == Mode::shared) return;
  std::vector<std::string>& in_the_way = same_kind ? need.companions : need.owners;
  for (const auto& [owner, hold] : lock.holds()) {
    if (owner != request.owner && !hold.in_grace) in_the_way.push_back(owner);
  }
}

bool DeadlockSearch::owner_is_stuck(const std::string& owner) const {
  const auto places = by_owner_.find(owner);
  if (places == by_owner_.end()) return false;
  return std::any_of(places->second.begin(), places->second.end(),
                     [this](const NodeKey& key) { return nodes_.at(key).stuck; });
}

// In a semaphore's line everybody before has been granted when it is one's turn; the stuck ones
// among them stay, and so do the stuck holders: there must be room beside them.
bool DeadlockSearch::can_be_met(const Need& need, std::int64_t& crowd) const {
  const auto is_stuck = [this](const std::string& owner) { return owner_is_stuck(owner); };
  const Node* after = need.after != nullptr ? &nodes_.at(key_of(*need.after)) : nullptr;
  if (after != nullptr) {
    crowd = after->crowd + (is_stuck(need.after->owner) ? 1 : 0);
  } else {
    crowd = std::count_if(need.companions.begin(), need.companions.end(), is_stuck);
  }
  if (after != nullptr && after->stuck) return false;
  if (need.room > 0 && crowd >= need.room) return false;
  return std::none_of(need.owners.begin(), need.owners.end(), is_stuck);
}

// Rounds over what is still stuck, each from the oldest place on: a request waits for older ones
// most of the time, so that a long line without a circle is released in one round.
void DeadlockSearch::release_the_free() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto& entry : nodes_) {
      Node& node = entry.second;  // clang 14 lets no lambda capture a structured binding
      if (!node.stuck) continue;
      const bool met =
          std::all_of(node.needs.begin(), node.needs.end(),
                      [this, &node](const Need& need) { return can_be_met(need, node.crowd); });
      if (!met) continue;
      node.stuck = false;
      changed = true;
    }
  }
}

// Follows stuck owners from `owner` until `goal` is met again. Iterative would be no clearer: the
// depth is bounded by kLongestCircle, and a longer circle is refused without being named in full.
bool DeadlockSearch::walk(const std::string& owner, const std::string& goal,
                          std::set<std::string>& seen, std::vector<WaitsFor>& path) const {
  constexpr std::size_t kLongestCircle = 1000;
  const auto places = by_owner_.find(owner);
  if (places == by_owner_.end() || path.size() >= kLongestCircle) return false;
  for (const NodeKey& key : places->second) {
    const Node& node = nodes_.at(key);
    // The goal's own older requests are not what is being asked.
    if (!node.stuck || (path.empty() && node.request != start_)) continue;
    for (const Need& need : node.needs) {
      std::vector<std::string> in_the_way = need.owners;
      in_the_way.insert(in_the_way.end(), need.companions.begin(), need.companions.end());
      if (need.after != nullptr) in_the_way.push_back(need.after->owner);
      for (const std::string& other : in_the_way) {
        if (other != goal && (!owner_is_stuck(other) || !seen.insert(other).second)) continue;
        path.push_back({owner, need.key, other});
        if (other == goal || walk(other, goal, seen, path)) return true;
        path.pop_back();
      }
    }
  }
  return false;
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
