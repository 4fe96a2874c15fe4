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
      for (const std::string& owner : need.owners) {
        for (const Waiter* waiter : queues_.present_of(owner)) {
          if (!leaving_.contains(waiter)) todo.push_back(waiter);
        }
      }
    }
  }
  release_the_free();
  if (!nodes_[key_of(request)].stuck) return std::nullopt;
  std::vector<WaitsFor> path;
  std::set<std::string> seen;
  if (!walk(request.owner, request.owner, seen, path)) return std::nullopt;
  return path;
}

void DeadlockSearch::explore(const Waiter& request) {
  Node node{.request = &request, .needs = {}, .stuck = true};
  for (const std::string& key : request.keys) node.needs.push_back(need_at(request, key));
  nodes_.emplace(key_of(request), std::move(node));
  by_owner_[request.owner].push_back(key_of(request));
}

// Walks the line from the request to its front. Those of another kind must be granted and leave
// again; the nearest of the same kind must merely be granted, and answers for everybody before it.
// At the front stand the holders.
DeadlockSearch::Need DeadlockSearch::need_at(const Waiter& request, const std::string& key) const {
  Need need{.key = key, .owners = {}, .any_is_enough = false, .after = nullptr};
  if (held_by(request, key)) return need;
  const Queues::Line* line = queues_.find(request.database, key);
  if (line != nullptr) {
    for (auto ahead = line->lower_bound(request.place); ahead != line->begin();) {
      --ahead;
      const Waiter& other = *ahead->second;
      if (leaving_.contains(&other) || other.owner == request.owner) continue;
      if (go_together(request, other)) {
        need.after = &other;
        return need;
      }
      need.owners.push_back(other.owner);
      if (other.mode == Mode::exclusive) return need;
    }
  }
  add_holders(request, need);
  return need;
}

// What an owner has already, or may have again during its grace, is given to it past everybody in
// line.
bool DeadlockSearch::held_by(const Waiter& request, const std::string& key) const {
  Item* item = keyspace_.find(request.database, key);
  if (item == nullptr) return false;
  if (item->is_string()) return item->text() == request.owner;
  return item->type() == Type::lock && item->lock().find(request.owner) != nullptr;
}

void DeadlockSearch::add_holders(const Waiter& request, Need& need) const {
  const Item* item = keyspace_.find(request.database, need.key);
  if (item == nullptr) return;
  if (item->is_string()) {
    if (item->text() != request.owner) need.owners.push_back(item->text());
    return;
  }
  if (item->type() != Type::lock) return;
  const SharedLock& lock = item->lock();
  const bool same_kind = request.mode == lock.mode() && request.limit == lock.limit();
  if (same_kind && !lock.full()) return;
  for (const auto& [owner, hold] : lock.holds()) {
    if (owner != request.owner) need.owners.push_back(owner);
  }
  // One reader's end lets a reader in, and one holder's end a semaphore's next; behind others in
  // line it takes all.
  need.any_is_enough = same_kind && need.owners.size() == lock.size();
}

bool DeadlockSearch::owner_is_stuck(const std::string& owner) const {
  const auto places = by_owner_.find(owner);
  if (places == by_owner_.end()) return false;
  return std::any_of(places->second.begin(), places->second.end(),
                     [this](const NodeKey& key) { return nodes_.at(key).stuck; });
}

bool DeadlockSearch::can_be_met(const Need& need) const {
  if (need.after != nullptr && nodes_.contains(key_of(*need.after)) &&
      nodes_.at(key_of(*need.after)).stuck) {
    return false;
  }
  const auto is_stuck = [this](const std::string& owner) { return owner_is_stuck(owner); };
  if (need.any_is_enough) return !std::all_of(need.owners.begin(), need.owners.end(), is_stuck);
  return std::none_of(need.owners.begin(), need.owners.end(), is_stuck);
}

// Rounds over what is still stuck, each from the oldest place on: a request waits for older ones
// most of the time, so that a long line without a circle is released in one round.
void DeadlockSearch::release_the_free() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto& [key, node] : nodes_) {
      if (!node.stuck) continue;
      const bool met = std::all_of(node.needs.begin(), node.needs.end(),
                                   [this](const Need& need) { return can_be_met(need); });
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
