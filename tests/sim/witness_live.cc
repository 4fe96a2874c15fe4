// What the state shows of each lock must be explained: by what was asked, and by time.
#include <algorithm>

#include <fmt/format.h>

#include "witness.h"

namespace fencepost::sim {

namespace {

using Kind = Request::Kind;

// lock-queue-hold.
constexpr std::int64_t kPlaceKeptMs = 2000;

bool names(const Request& request, const std::string& key) {
  return std::find(request.keys.begin(), request.keys.end(), key) != request.keys.end();
}

bool frees(const Request& request, const std::string& key, const std::string& owner) {
  if (!names(request, key)) return false;
  return request.kind == Kind::free_all || (request.kind == Kind::unlock && request.owner == owner);
}

bool asks(const Request& request, const std::string& key, const std::string& owner) {
  return (request.kind == Kind::lock || request.kind == Kind::many) && request.owner == owner &&
         names(request, key);
}

std::size_t place_in(const std::vector<std::string>& line, const std::string& owner) {
  return static_cast<std::size_t>(std::find(line.begin(), line.end(), owner) - line.begin());
}

}  // namespace

template <typename Wanted>
const Request* Witness::find_open(Wanted wanted) const {
  for (const auto& [client, requests] : open_) {
    for (const Request& request : requests) {
      if (wanted(client, request)) return &request;
      for (const Request& inner : request.inner) {
        if (wanted(client, inner)) return &inner;
      }
    }
  }
  return nullptr;
}

void Witness::received(ClientId client, std::vector<Request> requests, std::int64_t real_ms) {
  for (Request& request : requests) {
    note(request, real_ms);
    for (Request& inner : request.inner) note(inner, real_ms);
    open_[client].push_back(std::move(request));
  }
}

// From here on it may happen.
void Witness::note(Request& request, std::int64_t real_ms) {
  request.received_ms = real_ms;
  request.sequence = ++sequence_;
  for (const std::string& key : request.keys) {
    request.told_before[key] = request.kind == Kind::count   ? counts_[key].first
                               : request.kind == Kind::fence ? fence_told_[key]
                                                             : told_top_[key];
    std::uint64_t& held = request.held_before[key];
    for (const auto& [fence, owner] : seen_[key]) {
      if (request.owner.empty() || owner == request.owner) held = fence;
    }
    if (request.kind == Kind::free_all) all_freed_[key] = sequence_;
    if (request.kind == Kind::unlock) asked_[key][request.owner].freed = sequence_;
    // To ask once more without waiting keeps a place that there is; so does a grant that is undone.
    if (request.kind == Kind::lock || request.kind == Kind::many) {
      if (may_return(key, request.owner, real_ms)) {
        returns_[key][request.owner] = real_ms + kPlaceKeptMs;
      }
    }
    if (request.bind) asked_[key][request.owner].bound = true;
    if (request.grace) asked_[key][request.owner].graced = true;
    for (auto& [fence, fact] : facts_[key]) {
      if (frees(request, key, fact.owner)) fact.maybe_freed = true;
      if (request.lease_ms > 0 && request.owner == fact.owner) {
        fact.end_ms = std::min(fact.end_ms, real_ms + request.lease_ms);
        fact.bound = fact.bound || request.bind;
      }
    }
  }
}

void Witness::look(server::Engine& engine, Instant log_now, std::int64_t real_ms,
                   ClientId departed) {
  waiting_.clear();
  for (const auto& [client, session] : engine.process().clients) {
    waiting_[client] = session->waiting;
  }
  for (const LockKey& key : kLockKeys) {
    Live after = see(engine, key, log_now, real_ms);
    Live& before = live_[key.name];
    compare(key, before, after, real_ms, departed);
    before = std::move(after);
  }
  looked_ = sequence_;
  if (departed != ClientId::nobody) depart(departed);
  for (const LockKey& key : kLockKeys) check_places(engine, key.name, live_[key.name], log_now);
}

void Witness::depart(ClientId departed) {
  for (auto& [key, facts] : facts_) {
    for (auto& [fence, fact] : facts) fact.maybe_freed = fact.maybe_freed || fact.bound;
  }
  for (auto& [key, owners] : asked_) {
    for (auto& [owner, asked] : owners) {
      if (asked.bound) asked.freed = sequence_;
    }
  }
  open_.erase(departed);
}

Witness::Live Witness::see(server::Engine& engine, const LockKey& key, Instant log_now,
                           std::int64_t real_ms) const {
  Live live;
  const std::optional<state::LockView> view = engine.state().locks().view(0, key.name);
  if (!view) return live;
  const std::int64_t behind = (log_now - engine.state().clock()).count();
  live.in_grace = view->in_grace;
  for (const state::HolderView& holder : view->holders) {
    if (holder.in_grace) live.in_grace = true;
    if (holder.in_grace || view->in_grace) continue;
    live.holds[holder.fence] = {.owner = holder.owner,
                                .end_ms = real_ms + holder.ttl.count() - behind};
  }
  for (const state::WaiterView& waiter : view->queue) {
    live.line.push_back(waiter.owner);
    const Request* waits = find_open([&](ClientId client, const Request& request) {
      const auto at = waiting_.find(client);
      // Who came with this very event may have lost a place to the time that passed before it.
      return request.waits && request.sequence <= looked_ &&
             asks(request, key.name, waiter.owner) && at != waiting_.end() && at->second;
    });
    if (waits != nullptr) live.present.insert(waiter.owner);
  }
  return live;
}

void Witness::compare(const LockKey& key, const Live& before, const Live& after,
                      std::int64_t real_ms, ClientId departed) {
  const std::string name = key.name;
  check_count(key, after);
  check_line(name, before, after, real_ms);
  for (const auto& [fence, hold] : before.holds) {
    const auto still = after.holds.find(fence);
    if (still == after.holds.end()) {
      check_vanished(name, hold, fence, real_ms, departed);
      ended_[name][fence] = std::min(hold.end_ms, real_ms);
    } else if (still->second.owner != hold.owner) {
      violated(name, fmt::format("fence {} was {}'s and is {}'s", fence, hold.owner,
                                 still->second.owner));
    } else if (still->second.end_ms < hold.end_ms) {
      if (!sets_lease(name, hold.owner)) {
        violated(name, fmt::format("the lease of {} became shorter by {} ms", hold.owner,
                                   hold.end_ms - still->second.end_ms));
      }
      // Nobody may read the answer to that: an older request of its own, which was still in line.
      const auto fact = facts_[name].find(fence);
      if (fact != facts_[name].end()) {
        fact->second.end_ms = std::min(fact->second.end_ms, still->second.end_ms);
      }
    }
  }
  std::uint64_t newest = top_[name];
  for (const auto& [fence, hold] : after.holds) {
    if (before.holds.contains(fence)) continue;
    check_new(key, fence, hold, before, after, real_ms);
    newest = std::max(newest, fence);
  }
  top_[name] = newest;
  // Whoever is first in the line for that key alone gets it as soon as it is free.
  if (name == "x2" && after.holds.empty() && !after.in_grace && !after.present.empty()) {
    violated(name, fmt::format("it is free, and {} waits", *after.present.begin()));
  }
}

bool Witness::sets_lease(const std::string& key, const std::string& owner) const {
  return find_open([&](ClientId, const Request& request) {
           return request.lease_ms > 0 && request.owner == owner && names(request, key);
         }) != nullptr;
}

void Witness::check_vanished(const std::string& key, const Hold& hold, std::uint64_t fence,
                             std::int64_t real_ms, ClientId departed) {
  if (real_ms > hold.end_ms) return;
  const Request* freed = find_open([&](ClientId client, const Request& request) {
    // A hold that its client was not told of is undone with its connection.
    return frees(request, key, hold.owner) ||
           (client == departed && asks(request, key, hold.owner));
  });
  if (departed != ClientId::nobody) returns_[key][hold.owner] = real_ms + kPlaceKeptMs;
  if (freed != nullptr) return;
  const auto asked = asked_.find(key);
  if (departed != ClientId::nobody && asked != asked_.end()) {
    const auto owner = asked->second.find(hold.owner);
    if (owner != asked->second.end() && owner->second.bound) return;
  }
  violated(key, fmt::format("{} lost the hold with fence {} {} ms early", hold.owner, fence,
                            hold.end_ms - real_ms));
}

void Witness::check_new(const LockKey& key, std::uint64_t fence, const Hold& hold,
                        const Live& before, const Live& after, std::int64_t real_ms) {
  const std::string name = key.name;
  ++grant_count_;
  if (fence <= top_[name]) {
    violated(name, fmt::format("{} got fence {} after {}", hold.owner, fence, top_[name]));
  }
  std::int64_t lease_ms = INT64_MAX;
  bool by_set = false;
  find_open([&](ClientId, const Request& request) {
    if (!asks(request, name, hold.owner)) return false;
    lease_ms = std::min(lease_ms, request.lease_ms);
    by_set = by_set || request.by_set;
    return false;
  });
  if (lease_ms == INT64_MAX) {
    violated(name, fmt::format("{} got fence {}, and no client of its asks", hold.owner, fence));
  }
  if (hold.end_ms - real_ms < lease_ms) {
    violated(name, fmt::format("{} got {} ms and asked for {}", hold.owner, hold.end_ms - real_ms,
                               lease_ms));
  }
  const bool in_line = place_in(before.line, hold.owner) < before.line.size();
  if (!before.in_grace && !may_be_in_grace(name, hold.owner, before, real_ms) &&
      (in_line || !may_return(name, hold.owner, real_ms)))
    check_turn(name, hold.owner, by_set, before, after);
  seen_[name][fence] = hold.owner;
}

// A hold of its own that ended since the last look keeps the key for it.
bool Witness::may_be_in_grace(const std::string& key, const std::string& owner, const Live& before,
                              std::int64_t real_ms) {
  if (!asked_[key][owner].graced) return false;
  return std::any_of(before.holds.begin(), before.holds.end(), [&](const auto& one) {
    const Hold& hold = one.second;
    return hold.owner == owner && hold.end_ms < real_ms && real_ms <= hold.end_ms + kGraceMs;
  });
}

// Nobody who stood further in front, and stands there still with a client that waits, is passed
// over. A SET of a free key passes those who wait for another key besides, and whoever is behind
// them.
void Witness::check_turn(const std::string& key, const std::string& owner, bool by_set,
                         const Live& before, const Live& after) const {
  const std::size_t place = place_in(before.line, owner);
  bool many = false;
  for (std::size_t i = 0; i < place; ++i) {
    const std::string& other = before.line[i];
    many = many || other.front() == 'm';
    if (by_set && many) continue;
    if (!before.present.contains(other) || !after.present.contains(other)) continue;
    // Who gives the place up and asks anew in one breath stands behind.
    const Request* gives_up = find_open([&](ClientId, const Request& request) {
      return request.kind == Kind::unlock && request.owner == other && names(request, key);
    });
    if (gives_up != nullptr) continue;
    violated(key, fmt::format("{} was granted before {}, who stood in front", owner, other));
  }
}

// Who stays in line keeps the place; who comes stands behind.
// Who comes back to a kept place stands where that is.
void Witness::check_line(const std::string& key, const Live& before, const Live& after,
                         std::int64_t real_ms) {
  std::size_t furthest = 0;
  bool newcomer = false;
  for (const std::string& owner : after.line) {
    const std::size_t place = place_in(before.line, owner);
    if (place == before.line.size()) {
      newcomer = newcomer || !may_return(key, owner, real_ms);
      continue;
    }
    const Request* gives_up = find_open([&](ClientId, const Request& request) {
      return request.kind == Kind::unlock && request.owner == owner && names(request, key);
    });
    if (gives_up != nullptr) continue;
    if (newcomer || place < furthest) {
      violated(key, fmt::format("{} stands further behind than before", owner));
    }
    furthest = place;
  }
  for (const std::string& owner : before.line) returns_[key][owner] = real_ms + kPlaceKeptMs;
  for (const std::string& owner : after.line) returns_[key][owner] = real_ms + kPlaceKeptMs;
}

// A place whose owner is gone, or asks no more, is kept for so long and no longer.
void Witness::check_places(server::Engine& engine, const std::string& key, const Live& live,
                           Instant log_now) {
  std::map<std::string, Instant> deserted;
  for (const std::string& owner : live.line) {
    const Request* asked =
        find_open([&](ClientId, const Request& request) { return asks(request, key, owner); });
    if (asked != nullptr) continue;
    const auto before = deserted_[key].find(owner);
    const Instant since = before != deserted_[key].end() ? before->second : log_now;
    // What is over by the state's own time has ended.
    if (engine.state().clock() > since + Duration{kPlaceKeptMs + 1}) {
      violated(key, fmt::format("{} stands in line, and nobody has asked for that for {} ms", owner,
                                (engine.state().clock() - since).count()));
    }
    deserted[owner] = since;
  }
  deserted_[key] = std::move(deserted);
}

bool Witness::may_return(const std::string& key, const std::string& owner,
                         std::int64_t real_ms) const {
  const auto at = returns_.find(key);
  if (at == returns_.end()) return false;
  const auto until = at->second.find(owner);
  return until != at->second.end() && until->second >= real_ms;
}

void Witness::check_count(const LockKey& key, const Live& live) {
  std::size_t allowed = 1;
  if (key.mode == KeyMode::limit) allowed = kLimit;
  if (key.mode == KeyMode::shared) {
    allowed = live.holds.size();
    for (const auto& [fence, hold] : live.holds) {
      if (is_writer(hold.owner)) allowed = 1;
    }
  }
  if (live.holds.size() > allowed) {
    violated(key.name, fmt::format("{} hold it at once", live.holds.size()));
  }
}

}  // namespace fencepost::sim
