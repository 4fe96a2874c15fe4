// A naive model of locks.md: plain lists, everything looked at each time. The oracle of
// lock_model_test.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "state/shared_lock.h"

namespace fencepost::tests {

using state::Mode;

struct ModelAsk {
  int client = 0;
  std::vector<std::string> keys;
  std::string owner;
  Mode mode = Mode::exclusive;
  int limit = 0;
  int lease = 0;
  int wait = 0;
  int grace = 0;
  bool bind = false;
};

// "42", "1,2", "nil", "wait", "MODEMISMATCH" ...; to a client that waited: "client:answer".
class LockModel {
 public:
  static constexpr int kQueueHold = 2000;

  // `theirs` is what the lock table said. It is believed in two matters, where both answers can be
  // right: whether a circle is closed while some key is in grace (it depends on whether the grace
  // or a hold ends first), and while others are in a circle already (a DEL has made one).
  std::string acquire(const ModelAsk& ask, const std::string& theirs) {
    std::vector<std::string> trouble;
    bool all_own = true;
    bool all_open = true;
    for (const std::string& key : ask.keys) {
      const std::string stand = standing(key, ask);
      if (stand == "MODEMISMATCH" || stand == "LIMITMISMATCH") return stand;
      all_own = all_own && stand == "own";
      all_open = all_open && stand != "busy";
    }
    if (all_own) return take(ask);
    std::vector<Waiter> older = places(ask.owner, ask.keys);
    Waiter request{ask, older_place(older, ask), now_, now_ + ask.wait};
    if (all_open && in_turn(request, older)) {
      leave(older);
      const std::string fences = take(ask);
      settle();
      return fences;
    }
    if (ask.wait > 0 && closes_circle(request, older, theirs)) return "DEADLOCK";
    leave(older);
    if (ask.wait == 0) {
      if (!older.empty()) keep(request);
      settle();
      return "nil";
    }
    waiting_.push_back(request);
    sort_waiting();
    settle();
    return "wait";
  }

  int release(const std::vector<std::string>& keys, const std::string& owner) {
    int count = 0;
    std::vector<Waiter> given_up;
    const std::vector<Waiter> mine = places(owner, keys);
    for (const std::string& key : std::set<std::string>(keys.begin(), keys.end())) {
      Key& at = keys_[key];
      const auto hold = find(at, owner);
      const bool queued =
          std::any_of(mine.begin(), mine.end(), [&](const Waiter& w) { return wants(w, key); });
      if (hold != at.holds.end()) {
        at.holds.erase(hold);
        at.released.insert(owner);
        ++count;
        continue;
      }
      if (queued || at.released.contains(owner)) ++count;
      for (const Waiter& waiter : mine) {
        if (wants(waiter, key)) given_up.push_back(waiter);
      }
    }
    leave(given_up);
    settle();
    return count;
  }

  int extend(const std::vector<std::string>& keys, const std::string& owner, int lease) {
    int count = 0;
    for (const std::string& key : std::set<std::string>(keys.begin(), keys.end())) {
      const auto hold = find(keys_[key], owner);
      if (hold == keys_[key].holds.end() || hold->in_grace) continue;
      hold->deadline = now_ + lease;
      ++count;
    }
    return count;
  }

  bool set_nx(const std::string& key, const std::string& owner, int lease) {
    Key& at = keys_[key];
    if (!at.holds.empty()) return false;
    at.released.clear();
    at.mode = Mode::exclusive;
    at.holds.push_back({owner, ++at.fence, now_ + lease, 0, 0, false, false});
    return true;
  }

  bool del(const std::string& key) {
    Key& at = keys_[key];
    if (at.holds.empty()) return false;
    at.holds.clear();
    at.released.clear();
    settle();
    return true;
  }

  bool break_hold(const std::string& key) {
    if (keys_[key].holds.empty()) return false;
    ++keys_[key].fence;
    return del(key);
  }

  void client_gone(int client) {
    give_up_of(client);
    for (auto& [name, key] : keys_) {
      for (std::size_t i = key.holds.size(); i-- > 0;) {
        Hold& hold = key.holds[i];
        if (hold.client == client && hold.bind && !hold.in_grace) lapse(key, i, now_);
      }
    }
    settle();
  }

  bool unblock(int client) {
    const bool waited = std::any_of(waiting_.begin(), waiting_.end(),
                                    [client](const Waiter& w) { return w.ask.client == client; });
    if (waited) answers.insert({client, "nil"});
    give_up_of(client);
    settle();
    return waited;
  }

  // Everything that is over when the clock is past its moment ends, in the order of the moments.
  void pass(int milliseconds) {
    now_ += milliseconds;
    while (end_first()) settle();
    seen_ = now_;
  }

  std::uint64_t fence(const std::string& key) { return keys_[key].fence; }
  std::map<std::string, std::uint64_t> holders(const std::string& key) {
    std::map<std::string, std::uint64_t> holders;
    for (const Hold& hold : keys_[key].holds) holders[hold.owner] = hold.fence;
    return holders;
  }
  std::vector<std::string> line(const std::string& key) const {
    std::vector<std::string> owners;
    for (const Waiter& waiter : waiting_) {
      if (wants(waiter, key)) owners.push_back(waiter.ask.owner);
    }
    return owners;
  }
  bool is_waiting(int client) const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [client](const Waiter& w) { return w.ask.client == client; });
  }

  std::multiset<std::pair<int, std::string>>
      answers;  // told to clients that waited, since they were last cleared

 private:
  struct Hold {
    std::string owner;
    std::uint64_t fence = 0;
    long deadline = 0;
    int grace = 0;
    int client = 0;
    bool bind = false;
    bool in_grace = false;
  };
  struct Key {
    Mode mode = Mode::exclusive;
    int limit = 0;
    std::uint64_t fence = 0;
    std::vector<Hold> holds;
    std::set<std::string> released;
  };
  struct Waiter {
    ModelAsk ask;
    long place = 0;
    long since = 0;
    long deadline = 0;
  };

  static bool wants(const Waiter& waiter, const std::string& key) {
    return std::find(waiter.ask.keys.begin(), waiter.ask.keys.end(), key) != waiter.ask.keys.end();
  }
  static std::vector<Hold>::iterator find(Key& key, const std::string& owner) {
    return std::find_if(key.holds.begin(), key.holds.end(),
                        [&](const Hold& h) { return h.owner == owner; });
  }

  std::string standing(const std::string& name, const ModelAsk& ask) {
    while (end_over(keys_[name])) continue;
    Key& key = keys_[name];
    if (key.holds.empty()) return "free";
    const bool same_kind = key.mode == ask.mode;
    const auto own = find(key, ask.owner);
    if (own != key.holds.end()) {
      if (own->in_grace && (key.mode == Mode::exclusive || (!same_kind && key.holds.size() == 1)))
        return "reserved";
      if (!same_kind) return own->in_grace ? "busy" : "MODEMISMATCH";
      if (key.limit != ask.limit) return "LIMITMISMATCH";
      return own->in_grace ? "reserved" : "own";
    }
    if (!same_kind || key.mode == Mode::exclusive) return "busy";
    if (key.limit != ask.limit) return "LIMITMISMATCH";
    const bool full =
        key.mode == Mode::limit && key.holds.size() >= static_cast<std::size_t>(key.limit);
    return full ? "busy" : "free";
  }

  std::string take(const ModelAsk& ask) {
    std::string fences;
    for (const std::string& name : ask.keys) {
      Key& key = keys_[name];
      auto hold = find(key, ask.owner);
      if (hold != key.holds.end() && (hold->in_grace || key.mode != ask.mode)) {
        key.holds.erase(hold);
        hold = key.holds.end();
      }
      if (hold == key.holds.end()) {
        key.mode = ask.mode;
        key.limit = ask.limit;
        key.released.clear();
        key.holds.push_back({ask.owner, ++key.fence, 0, 0, 0, false, false});
        hold = std::prev(key.holds.end());
      }
      hold->deadline = now_ + ask.lease;
      hold->grace = ask.grace;
      hold->client = ask.client;
      hold->bind = ask.bind;
      fences += (fences.empty() ? "" : ",") + std::to_string(hold->fence);
    }
    return fences;
  }

  std::vector<Waiter> places(const std::string& owner, const std::vector<std::string>& keys) const {
    std::vector<Waiter> found;
    for (const auto* list : {&waiting_, &kept_}) {
      for (const Waiter& waiter : *list) {
        const bool overlaps = std::any_of(keys.begin(), keys.end(),
                                          [&](const auto& key) { return wants(waiter, key); });
        if (waiter.ask.owner == owner && overlaps) found.push_back(waiter);
      }
    }
    return found;
  }

  long older_place(const std::vector<Waiter>& older, const ModelAsk& ask) {
    const bool covered =
        !older.empty() && std::all_of(ask.keys.begin(), ask.keys.end(), [&](const auto& key) {
          return std::any_of(older.begin(), older.end(),
                             [&](const Waiter& w) { return wants(w, key); });
        });
    if (!covered) return ++last_place_;
    long place = 0;
    for (const Waiter& waiter : older) place = std::max(place, waiter.place);
    return place;
  }

  static bool same(const Waiter& a, const Waiter& b) {
    return a.place == b.place && a.ask.owner == b.ask.owner && a.ask.keys == b.ask.keys;
  }
  static bool among(const std::vector<Waiter>& list, const Waiter& waiter) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Waiter& other) { return same(other, waiter); });
  }

  bool in_turn(const Waiter& request, const std::vector<Waiter>& leaving) {
    return std::all_of(
        request.ask.keys.begin(), request.ask.keys.end(), [&](const std::string& key) {
          const std::string stand = standing(key, request.ask);
          if (stand == "own" || stand == "reserved") return true;
          return std::none_of(waiting_.begin(), waiting_.end(), [&](const Waiter& other) {
            return other.place < request.place && wants(other, key) && !among(leaving, other);
          });
        });
  }

  void leave(const std::vector<Waiter>& older) {
    for (const Waiter& place : older) {
      for (const Waiter& waiter : waiting_) {
        if (same(waiter, place)) answers.insert({waiter.ask.client, "nil"});
      }
      std::erase_if(waiting_, [&](const Waiter& w) { return same(w, place); });
      std::erase_if(kept_, [&](const Waiter& w) { return same(w, place); });
    }
  }

  void keep(Waiter waiter) {
    waiter.deadline = now_ + kQueueHold;
    kept_.push_back(waiter);
  }

  void give_up_of(int client) {
    for (std::size_t i = waiting_.size(); i-- > 0;) {
      if (waiting_[i].ask.client != client) continue;
      keep(waiting_[i]);
      waiting_.erase(waiting_.begin() + static_cast<long>(i));
    }
  }

  void sort_waiting() {
    std::sort(waiting_.begin(), waiting_.end(),
              [](const Waiter& a, const Waiter& b) { return a.place < b.place; });
  }

  void settle() {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const Waiter waiter = waiting_[i];
      const bool open =
          std::all_of(waiter.ask.keys.begin(), waiter.ask.keys.end(), [&](const std::string& key) {
            const std::string stand = standing(key, waiter.ask);
            return stand == "free" || stand == "own" || stand == "reserved";
          });
      if (!open || !in_turn(waiter, {})) continue;
      waiting_.erase(waiting_.begin() + static_cast<long>(i));
      answers.insert({waiter.ask.client, take(waiter.ask)});
      i = static_cast<std::size_t>(-1);  // from the front again
    }
  }

  void lapse(Key& key, std::size_t at, long moment) {
    Hold& hold = key.holds[at];
    if (hold.in_grace || hold.grace == 0) {
      key.holds.erase(key.holds.begin() + static_cast<long>(at));
      if (key.holds.empty() && key.mode == Mode::exclusive) key.released.clear();
      return;
    }
    hold.in_grace = true;
    hold.deadline = moment + hold.grace;
  }

  // The first thing that is over: a lapse before a wait of the same moment.
  bool end_first() {
    long moment = now_;
    for (auto& [name, key] : keys_) {
      for (const Hold& hold : key.holds) moment = std::min(moment, hold.deadline);
    }
    for (const auto* list : {&waiting_, &kept_}) {
      for (const Waiter& waiter : *list) moment = std::min(moment, waiter.deadline);
    }
    if (moment == now_) return false;
    seen_ = moment + 1;
    for (auto& [name, key] : keys_) {
      if (end_over(key)) return true;
    }
    std::erase_if(kept_, [moment](const Waiter& w) { return w.deadline == moment; });
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i].deadline != moment) continue;
      const Waiter over = waiting_[i];
      waiting_.erase(waiting_.begin() + static_cast<long>(i));
      answers.insert({over.ask.client, "nil"});
      keep(over);
      return true;
    }
    return true;
  }

  bool end_over(Key& key) {
    bool ended = false;
    for (std::size_t i = key.holds.size(); i-- > 0;) {
      if (seen_ <= key.holds[i].deadline) continue;
      lapse(key, i, key.holds[i].deadline);
      ended = true;
    }
    return ended;
  }

  // Who can never be granted. Optimism: whoever waits for nothing gives back all it holds, whoever
  // is granted so stops waiting, and so on.
  std::vector<Waiter> stuck_for_ever() const {
    LockModel dream = *this;
    for (std::size_t before = dream.waiting_.size() + 1; before != dream.waiting_.size();) {
      before = dream.waiting_.size();
      for (auto& [name, key] : dream.keys_) {
        std::erase_if(key.holds,
                      [&dream](const Hold& hold) { return !dream.owner_waits(hold.owner); });
      }
      dream.settle();
    }
    return dream.waiting_;
  }

  bool closes_circle(const Waiter& request, const std::vector<Waiter>& older,
                     const std::string& theirs) const {
    LockModel dream = *this;
    for (const Waiter& place : older) {
      std::erase_if(dream.waiting_, [&](const Waiter& w) { return same(w, place); });
    }
    if (any_grace() || !dream.stuck_for_ever().empty()) return theirs == "DEADLOCK";
    dream.waiting_.push_back(request);
    dream.sort_waiting();
    return among(dream.stuck_for_ever(), request);
  }
  bool any_grace() const {
    return std::any_of(keys_.begin(), keys_.end(), [](const auto& key) {
      return std::any_of(key.second.holds.begin(), key.second.holds.end(),
                         [](const Hold& hold) { return hold.in_grace; });
    });
  }
  bool owner_waits(const std::string& owner) const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](const Waiter& w) { return w.ask.owner == owner; });
  }

  long now_ = 0;   // from which new leases run
  long seen_ = 0;  // against which they are held: lags behind while what is over ends in order
  long last_place_ = 0;
  std::map<std::string, Key> keys_;
  std::vector<Waiter> waiting_;  // by place
  std::vector<Waiter> kept_;
};

}  // namespace fencepost::tests
