// Holds on single keys: whether an owner may have one, taking it, ending it.
#include "state/holds.h"

#include <algorithm>
#include <span>
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
  const Spot spot = keyspace_.look(ask.database, ask.key);
  const Taken taken =
      ask.mode == Mode::exclusive ? take_exclusive(ask, spot) : take_shared(ask, spot);
  note_bound(ask, taken.name);
  return taken;
}

Taken Holds::take_exclusive(const HoldAsk& ask, const Spot& spot) {
  Item* item = spot.item;
  const Instant deadline = saturating_add(keyspace_.present(), ask.lease);
  const bool renews =
      item != nullptr && item->is_string() && item->text() == ask.owner && !item->in_grace;
  if (item == nullptr) {
    item = &keyspace_.create_text(spot, ask.owner, deadline);
  } else {
    if (renews) {
      item->known = item->known || item->client != ask.client;
      keyspace_.touched(*item);
    } else {
      keyspace_.assign(*item, ask.owner);
    }
    keyspace_.schedule(*item, deadline);
  }
  item->client = ask.client;
  item->set_terms(terms_of(ask));
  if (!renews) keyspace_.tell(EventClass::string, "set", *item);
  keyspace_.tell(EventClass::generic, "expire", *item);
  return {.fence = item->fence,
          .is_new = !renews,
          .name = {.home = keyspace_.home_of(item->database), .key_hash = spot.hash}};
}

Taken Holds::take_shared(const HoldAsk& ask, Spot spot) {
  Item*& item = spot.item;
  const Instant now = keyspace_.present();
  const Instant deadline = saturating_add(now, ask.lease);
  if (item != nullptr && (!item->is_lock() || item->lock().mode() != ask.mode)) {
    keyspace_.erase(*item);  // the owner's own grace in another mode
    item = nullptr;
  }
  Hold* hold = nullptr;
  if (item == nullptr) {
    item = &keyspace_.create(spot, std::make_unique<SharedLock>(ask.mode, ask.limit), deadline);
  } else {
    hold = item->lock().find(ask.owner);
    if (hold == nullptr || hold->in_grace) {
      hold = nullptr;
      keyspace_.draw(*item);
    }
  }
  const bool is_new = hold == nullptr;
  if (is_new) {
    hold = &item->lock().grant(ask.owner, item->fence, deadline);
    hold->since = now;
    item->lock().forget_released();
  } else {
    hold->known = hold->known || hold->client != ask.client;
    item->lock().set_deadline(ask.owner, deadline);
  }
  hold->client = ask.client;
  hold->terms = terms_of(ask);
  keyspace_.tell(EventClass::generic, is_new ? "lock" : "expire", *item);
  const Taken taken{.fence = hold->fence,
                    .is_new = is_new,
                    .name = {.home = keyspace_.home_of(item->database),
                             .key_hash = spot.hash,
                             .number = hold->number}};
  settle_shared(*item);
  return taken;
}

Release Holds::release(DatabaseIndex database, std::string_view key, std::string_view owner) {
  // Without the keyspace's seed, which is another after a restart.
  const std::uint64_t owner_hash = XXH3_64bits(owner.data(), owner.size());
  const auto contains = [owner_hash](std::span<const std::uint64_t> releasers) {
    return std::find(releasers.begin(), releasers.end(), owner_hash) != releasers.end();
  };
  Item* item = keyspace_.find(database, key);
  if (item == nullptr) {
    const IdleRecord* idle = keyspace_.fences().find(database, key);
    return idle != nullptr && contains(idle->releasers()) ? Release::was_last_to_release
                                                          : Release::not_held;
  }
  if (item->is_string()) {
    if (item->text() != owner) return Release::not_held;
    keyspace_.tell(EventClass::generic, "del", *item);
    keyspace_.erase_released(*item, {&owner_hash, 1});
    return Release::freed;
  }
  if (!item->is_lock()) return Release::not_held;
  SharedLock& lock = item->lock();
  if (lock.find(owner) == nullptr) {
    return contains(lock.released()) ? Release::was_last_to_release : Release::not_held;
  }
  lock.remove(owner);
  lock.note_released(owner_hash);
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
  Hold* hold = item->lock().find(owner);
  if (hold == nullptr || hold->in_grace) return false;
  hold->known = hold->known || hold->client != keyspace_.caller();
  item->lock().set_deadline(owner, deadline);
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
  if (item.in_grace || item.terms() == nullptr || item.terms()->grace == Duration{0}) {
    keyspace_.erase_lapsed(item, {});
    return;
  }
  item.in_grace = true;
  keyspace_.schedule(item, saturating_add(lapsed_at, item.terms()->grace));
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
  lock.set_deadline(owner, saturating_add(lapsed_at, hold->terms->grace));
}

// After any change among the holders: the key ends with its last hold, and is due with its
// earliest.
void Holds::settle_shared(Item& item) {
  SharedLock& lock = item.lock();
  if (lock.empty()) {
    keyspace_.tell(EventClass::generic, "del", item);
    keyspace_.erase_released(item, lock.released());
    return;
  }
  keyspace_.schedule(item, lock.earliest_deadline());
  keyspace_.touched(item);
  keyspace_.room_made(item);
}

// The same where it was time that ended holds: a key that goes with them has expired.
void Holds::settle_lapsed(Item& item) {
  SharedLock& lock = item.lock();
  if (lock.empty()) return keyspace_.erase_lapsed(item, lock.released());
  settle_shared(item);
}

bool Holds::Found::bound() const {
  const HoldTerms* terms = among != nullptr ? among->second.terms.get() : item->terms();
  return terms != nullptr && terms->bind;
}

// Of an exclusive hold the client says enough: whatever it had on the key before is gone.
Holds::Found Holds::find(const HoldName& name, ClientId client) {
  Found found;
  const auto wanted = [&found, &name, client](const Item& candidate) {
    if (candidate.is_string()) return candidate.client == client;
    if (!candidate.is_lock()) return false;
    found.among = candidate.lock().with_number(name.number);
    return found.among != nullptr && found.among->second.client == client;
  };
  const DatabaseIndex database = keyspace_.database_at(name.home);
  found.item = keyspace_.find_hashed(database, name.key_hash, wanted);
  if (found.item != nullptr && keyspace_.clock() > found.item->deadline) {
    const std::string key{found.item->key()};
    keyspace_.find(database, key);  // what is over ends first
    found.item = keyspace_.find_hashed(database, name.key_hash, wanted);
  }
  if (found.item != nullptr && found.item->is_string()) found.among = nullptr;
  return found;
}

void Holds::note_bound(const HoldAsk& ask, const HoldName& name) {
  if (!ask.terms->bind) return;
  Bound& bound = bound_[ask.client];
  bound.names.insert(name);
  if (bound.names.size() < bound.prune_at) return;
  std::erase_if(bound.names, [this, &ask](const HoldName& noted) {
    const Found found = find(noted, ask.client);
    return found.item == nullptr || !found.bound();
  });
  bound.prune_at = std::max<std::size_t>(16, 2 * bound.names.size());
}

void Holds::end_bound(ClientId client) {
  const auto noted = bound_.find(client);
  if (noted == bound_.end()) return;
  const Bound bound = std::move(noted->second);
  bound_.erase(noted);
  for (const HoldName& name : bound.names) {
    const Found found = find(name, client);
    if (found.item == nullptr || !found.bound() || found.in_grace()) continue;
    if (found.among == nullptr) {
      end_or_grace(*found.item, keyspace_.clock());
      continue;
    }
    const std::string owner = found.among->first;
    end_or_grace(*found.item, owner, keyspace_.clock());
    settle_lapsed(*found.item);
  }
}

void Holds::end_all_bound() {
  const auto is_bound = [](const HoldTerms* terms) { return terms != nullptr && terms->bind; };
  std::vector<KeyName> names;
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    keyspace_.for_each(database, [&](const Item& item) {
      bool ends = !item.in_grace && is_bound(item.terms());
      if (item.is_lock()) {
        const auto& holds = item.lock().holds();
        ends = std::any_of(holds.begin(), holds.end(),
                           [&](const auto& hold) { return is_bound(hold.second.terms.get()); });
      }
      if (ends) names.push_back({database, std::string{item.key()}});
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
      if (is_bound(hold.terms.get()) && !hold.in_grace) owners.push_back(owner);
    }
    for (const std::string& owner : owners) end_or_grace(*item, owner, keyspace_.clock());
    settle_shared(*item);
  }
}

std::optional<Undone> Holds::undo(const HoldName& name, ClientId client) {
  const Found found = find(name, client);
  if (found.item == nullptr || found.in_grace() || found.known()) return std::nullopt;
  Undone undone{.key = std::string{found.item->key()}, .owner = {}};
  if (found.among == nullptr) {
    undone.owner = found.item->text();
    keyspace_.tell(EventClass::generic, "del", *found.item);
    keyspace_.erase(*found.item);
  } else {
    undone.owner = found.among->first;
    found.item->lock().remove(undone.owner);
    keyspace_.tell(EventClass::generic, "unlock", *found.item);
    settle_shared(*found.item);
  }
  return undone;
}

}  // namespace fencepost::state
