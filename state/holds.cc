// Holds on single keys: whether an owner may have one, taking it, ending it.
#include "state/holds.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <xxhash.h>

#include "base/check.h"

namespace fencepost::state {

namespace {

std::unique_ptr<HoldTerms> terms_of(const HoldAsk& ask) {
  const HoldTerms& terms = *ask.terms;
  if (terms.grace == Duration{0} && !terms.bind && terms.meta.empty()) return nullptr;
  return std::make_unique<HoldTerms>(terms);
}

Standing standing_among(SharedLock& lock, std::string_view owner, Mode mode, std::int64_t limit) {
  const bool same_kind = mode == lock.mode();
  const bool same_limit = limit == lock.limit();
  if (const Hold* hold = lock.find(owner)) {
    if (hold->in_grace && !same_kind) return lock.size() == 1 ? Standing::reserved : Standing::busy;
    if (!same_kind) return Standing::mode_mismatch;
    if (!same_limit) return Standing::limit_mismatch;
    return hold->in_grace ? Standing::reserved : Standing::own;
  }
  if (!same_kind) return Standing::busy;
  if (!same_limit) return Standing::limit_mismatch;
  return lock.full() ? Standing::busy : Standing::free;
}

}  // namespace

Standing Holds::standing(DatabaseIndex database, std::string_view key, std::string_view owner,
                         Mode mode, std::int64_t limit) {
  Item* item = keyspace_.find(database, key);
  if (item == nullptr) return Standing::free;
  if (item->is_lock()) return standing_among(item->lock(), owner, mode, limit);
  if (!item->is_string()) return Standing::wrong_type;
  if (item->text() != owner) return Standing::busy;
  if (item->in_grace) return Standing::reserved;
  return mode == Mode::exclusive ? Standing::own : Standing::mode_mismatch;
}

Taken Holds::take(const HoldAsk& ask) {
  Item* item = keyspace_.find(ask.database, ask.key);
  const Taken taken =
      ask.mode == Mode::exclusive ? take_exclusive(ask, item) : take_shared(ask, item);
  note_bound(ask);
  return taken;
}

Taken Holds::take_exclusive(const HoldAsk& ask, Item* item) {
  const Instant deadline = saturating_add(keyspace_.present(), ask.lease);
  const bool renews =
      item != nullptr && item->is_string() && item->text() == ask.owner && !item->in_grace;
  if (item == nullptr) {
    item =
        &keyspace_.create(keyspace_.look(ask.database, ask.key), std::string{ask.owner}, deadline);
  } else {
    if (renews) {
      keyspace_.touched(*item);
    } else {
      keyspace_.assign(*item, ask.owner);
    }
    keyspace_.schedule(*item, deadline);
  }
  item->client = ask.client;
  item->terms = terms_of(ask);
  if (!renews) keyspace_.tell(EventClass::string, "set", *item);
  keyspace_.tell(EventClass::generic, "expire", *item);
  return {item->fence, !renews};
}

Taken Holds::take_shared(const HoldAsk& ask, Item* item) {
  const Instant now = keyspace_.present();
  const Instant deadline = saturating_add(now, ask.lease);
  if (item != nullptr && (!item->is_lock() || item->lock().mode() != ask.mode)) {
    keyspace_.erase(*item);  // the owner's own grace in another mode
    item = nullptr;
  }
  bool is_new = true;
  if (item == nullptr) {
    item = &keyspace_.create(keyspace_.look(ask.database, ask.key),
                             std::make_unique<SharedLock>(ask.mode, ask.limit), deadline);
  } else {
    const Hold* before = item->lock().find(ask.owner);
    is_new = before == nullptr || before->in_grace;
    if (is_new) keyspace_.draw(*item);
  }
  Hold& hold = item->lock().put(ask.owner, deadline);
  if (is_new) {
    hold.fence = item->fence;
    hold.since = now;
    hold.in_grace = false;
    item->lock().released.clear();
  }
  hold.client = ask.client;
  hold.terms = terms_of(ask);
  keyspace_.tell(EventClass::generic, is_new ? "lock" : "expire", *item);
  settle_shared(*item);
  return {hold.fence, is_new};
}

Release Holds::release(DatabaseIndex database, std::string_view key, std::string_view owner) {
  // Without the keyspace's seed, which is another after a restart.
  const std::uint64_t owner_hash = XXH3_64bits(owner.data(), owner.size());
  const auto contains = [owner_hash](const std::vector<std::uint64_t>& releasers) {
    return std::find(releasers.begin(), releasers.end(), owner_hash) != releasers.end();
  };
  Item* item = keyspace_.find(database, key);
  if (item == nullptr) {
    const IdleFence* idle = keyspace_.fences().find(database, key);
    return idle != nullptr && contains(idle->releasers) ? Release::was_last_to_release
                                                        : Release::not_held;
  }
  if (item->is_string()) {
    if (item->text() != owner) return Release::not_held;
    keyspace_.tell(EventClass::generic, "del", *item);
    keyspace_.erase_released(*item, {owner_hash});
    return Release::freed;
  }
  if (!item->is_lock()) return Release::not_held;
  SharedLock& lock = item->lock();
  if (lock.find(owner) == nullptr) {
    return contains(lock.released) ? Release::was_last_to_release : Release::not_held;
  }
  lock.remove(owner);
  lock.released.push_back(owner_hash);
  keyspace_.tell(EventClass::generic, "unlock", *item);
  settle_shared(*item);
  return Release::freed;
}

bool Holds::extend(DatabaseIndex database, std::string_view key, std::string_view owner,
                   Duration lease) {
  Item* item = keyspace_.find(database, key);
  if (item == nullptr) return false;
  const Instant deadline = saturating_add(keyspace_.present(), lease);
  if (item->is_string()) {
    if (item->text() != owner || !keyspace_.set_deadline(*item, deadline)) return false;
    keyspace_.tell(EventClass::generic, "expire", *item);
    return true;
  }
  if (!item->is_lock()) return false;
  const Hold* hold = item->lock().find(owner);
  if (hold == nullptr || hold->in_grace) return false;
  item->lock().put(owner, deadline);
  keyspace_.tell(EventClass::generic, "expire", *item);
  settle_shared(*item);
  return true;
}

void Holds::lapse(Item& item) {
  if (!item.is_lock()) {
    end_or_grace(item, item.deadline);
    return;
  }
  SharedLock& lock = item.lock();
  while (!lock.empty() && keyspace_.clock() > lock.earliest_deadline()) {
    const std::string owner = lock.earliest_owner();
    end_or_grace(item, owner, lock.earliest_deadline());
  }
  settle_lapsed(item);
}

// Without a grace, or after it, the key is gone; else it stands on for the length of the grace.
void Holds::end_or_grace(Item& item, Instant lapsed_at) {
  if (item.in_grace || item.terms == nullptr || item.terms->grace == Duration{0}) {
    keyspace_.erase_lapsed(item, {});
    return;
  }
  item.in_grace = true;
  keyspace_.schedule(item, saturating_add(lapsed_at, item.terms->grace));
  keyspace_.room_made(item);  // its owner may be in line itself
}

void Holds::end_or_grace(Item& item, const std::string& owner, Instant lapsed_at) {
  SharedLock& lock = item.lock();
  Hold* hold = lock.find(owner);
  check(hold != nullptr, "a hold that lapses is there");
  if (hold->in_grace || hold->terms == nullptr || hold->terms->grace == Duration{0}) {
    lock.remove(owner);
    if (!lock.empty()) keyspace_.tell(EventClass::generic, "unlock", item);
    return;
  }
  hold->in_grace = true;
  lock.put(owner, saturating_add(lapsed_at, hold->terms->grace));
}

// After any change among the holders: the key ends with its last hold, and is due with its
// earliest.
void Holds::settle_shared(Item& item) {
  SharedLock& lock = item.lock();
  if (lock.empty()) {
    keyspace_.tell(EventClass::generic, "del", item);
    keyspace_.erase_released(item, std::move(lock.released));
    return;
  }
  keyspace_.schedule(item, lock.earliest_deadline());
  keyspace_.touched(item);
  keyspace_.room_made(item);
}

// The same where it was time that ended holds: a key that goes with them has expired.
void Holds::settle_lapsed(Item& item) {
  SharedLock& lock = item.lock();
  if (lock.empty()) return keyspace_.erase_lapsed(item, std::move(lock.released));
  settle_shared(item);
}

void Holds::note_bound(const HoldAsk& ask) {
  if (!ask.terms->bind) return;
  Bound& bound = bound_[ask.client];
  bound.names.insert(KeyName{ask.database, std::string{ask.key}});
  if (bound.names.size() < bound.prune_at) return;
  std::erase_if(bound.names,
                [this, &ask](const KeyName& name) { return !still_bound(ask.client, name); });
  bound.prune_at = std::max<std::size_t>(16, 2 * bound.names.size());
}

bool Holds::still_bound(ClientId client, const KeyName& name) {
  Item* item = keyspace_.find(name.database, name.key);
  if (item == nullptr) return false;
  const auto is_bound = [client](ClientId holder, const std::unique_ptr<HoldTerms>& terms) {
    return holder == client && terms != nullptr && terms->bind;
  };
  if (!item->is_lock()) return is_bound(item->client, item->terms);
  const auto& holds = item->lock().holds();
  return std::any_of(holds.begin(), holds.end(), [&is_bound](const auto& hold) {
    return is_bound(hold.second.client, hold.second.terms);
  });
}

void Holds::end_bound(ClientId client) {
  const auto found = bound_.find(client);
  if (found == bound_.end()) return;
  const Bound bound = std::move(found->second);
  bound_.erase(found);
  for (const KeyName& name : bound.names) {
    Item* item = keyspace_.find(name.database, name.key);
    if (item == nullptr) continue;
    if (!item->is_lock()) {
      const bool ends = item->client == client && item->terms != nullptr && item->terms->bind;
      if (ends && !item->in_grace) end_or_grace(*item, keyspace_.clock());
      continue;
    }
    std::vector<std::string> owners;
    for (const auto& [owner, hold] : item->lock().holds()) {
      const bool ends = hold.client == client && hold.terms != nullptr && hold.terms->bind;
      if (ends && !hold.in_grace) owners.push_back(owner);
    }
    for (const std::string& owner : owners) end_or_grace(*item, owner, keyspace_.clock());
    settle_lapsed(*item);
  }
}

void Holds::end_all_bound() {
  const auto is_bound = [](const std::unique_ptr<HoldTerms>& terms) {
    return terms != nullptr && terms->bind;
  };
  std::vector<KeyName> names;
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    keyspace_.for_each(database, [&](const Item& item) {
      bool ends = !item.in_grace && is_bound(item.terms);
      if (item.is_lock()) {
        const auto& holds = item.lock().holds();
        ends = std::any_of(holds.begin(), holds.end(),
                           [&](const auto& hold) { return is_bound(hold.second.terms); });
      }
      if (ends) names.push_back({database, item.key});
    });
  }
  for (const KeyName& name : names) {
    Item* item = keyspace_.find(name.database, name.key);
    if (item == nullptr) continue;
    if (!item->is_lock()) {
      end_or_grace(*item, keyspace_.clock());
      continue;
    }
    std::vector<std::string> owners;
    for (const auto& [owner, hold] : item->lock().holds()) {
      if (is_bound(hold.terms) && !hold.in_grace) owners.push_back(owner);
    }
    for (const std::string& owner : owners) end_or_grace(*item, owner, keyspace_.clock());
    settle_shared(*item);
  }
}

std::optional<std::string> Holds::undo(DatabaseIndex database, std::uint64_t key_hash,
                                       std::uint64_t fence, ClientId client, std::string& key) {
  std::string owner;
  Item* item = keyspace_.find_hashed(database, key_hash, [&](const Item& candidate) {
    if (candidate.is_string()) {
      owner = candidate.text();
      return candidate.fence == fence && candidate.client == client && !candidate.in_grace;
    }
    if (!candidate.is_lock()) return false;
    for (const auto& [holder, hold] : candidate.lock().holds()) {
      owner = holder;
      if (hold.fence == fence) return hold.client == client && !hold.in_grace;
    }
    return false;
  });
  if (item == nullptr) return std::nullopt;
  key = item->key;
  if (item->is_string()) {
    keyspace_.tell(EventClass::generic, "del", *item);
    keyspace_.erase(*item);
  } else {
    item->lock().remove(owner);
    keyspace_.tell(EventClass::generic, "unlock", *item);
    settle_shared(*item);
  }
  return owner;
}

}  // namespace fencepost::state
