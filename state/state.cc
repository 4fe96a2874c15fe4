// All that a snapshot would hold: keys, holds, waiters, fences, watches.
#include "state/state.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fencepost::state {

State::State(std::uint64_t hash_seed) : keys_{hash_seed, *this}, locks_{keys_, limits_} {}

State::~State() = default;

// Leases and waits end in the order of their moments, and the hand-over at each end is settled
// before the next, so that a wait that was over before a lease does not get the key.
bool State::advance(Instant now, std::size_t budget) {
  keys_.set_present(now);
  keys_.fences().set_capacity(limits_.fence_idle_keys);
  changed_keys_.note_floor(keys_.fences().floor());
  bool done = false;
  for (std::size_t i = 0; i < budget && !done; ++i) done = !end_next(now);
  keys_.set_clock(now);
  return done;
}

void State::settle() {
  locks_.settle();
  changed_keys_.note_floor(keys_.fences().floor());
}

bool State::end_next(Instant now) {
  const Instant next = next_deadline();
  if (next >= now) return false;
  keys_.set_clock(saturating_add(next, Duration{1}));
  if (Item* item = keys_.next_lapsed()) {
    lapsed(*item);
  } else if (parked_.next_deadline() <= next) {
    parked_.end_next();
  } else {
    const bool ended = locks_.end_next_wait();
    check(ended, "what is next is over");
  }
  locks_.settle();
  return true;
}

Instant State::next_deadline() const {
  return std::min({keys_.next_deadline(), locks_.next_deadline(), parked_.next_deadline()});
}

void State::client_gone(ClientId client) {
  locks_.client_gone(client);
  watches_.forget(client);
  parked_.remove(client);
}

void State::flush(DatabaseIndex first, DatabaseIndex last) {
  check(first <= last && last < kDatabaseCount, "only databases that are there are flushed");
  flushing_ = true;
  for (DatabaseIndex database = first; database <= last; ++database) keys_.clear(database);
  flushing_ = false;
  happenings_.flushed(first);
}

void State::all_clients_gone() {
  locks_.all_clients_gone();
  locks_.settle();
}

void State::lapsed(Item& item) {
  ++lapsed_count_;
  const bool within = std::exchange(lapsing_, true);
  locks_.lapsed(item);
  lapsing_ = within;
}

void State::event(EventClass kind, std::string_view name, DatabaseIndex database,
                  std::string_view key) {
  happenings_.event(kind, name, database, key);
}

void State::came(const Item& item) {
  parked_.touch(item.database, item.key(), item.type());
}

void State::changed(DatabaseIndex database, std::string_view key) {
  ++change_count_;
  watches_.touch(database, key);
  changed_keys_.note(database, key);
  if (!flushing_) happenings_.changed(database, key, lapsing_);
}

void State::rescheduled(const Item& item) {
  changed_keys_.note(item.database, item.key());
}

void State::freed(DatabaseIndex database, std::string_view key) {
  locks_.freed(database, key);
}

}  // namespace fencepost::state
