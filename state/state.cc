// All that a snapshot would hold: keys, holds, waiters, fences, watches.
#include "state/state.h"

#include <algorithm>

namespace fencepost::state {

State::State(std::uint64_t hash_seed) : keys_{hash_seed, *this}, locks_{keys_, limits_} {}

State::~State() = default;

// Leases and waits end in the order of their moments, and each end's hand-over is settled before
// the next, so that a wait that was over before a lease does not get the key.
bool State::advance(Instant now, std::size_t budget) {
  keys_.set_clock(now);
  keys_.fences().set_capacity(limits_.fence_idle_keys);
  for (std::size_t done = 0; done < budget; ++done) {
    Item* lapsed_item = keys_.next_lapsed();
    const Instant next_wait = locks_.next_deadline();
    if (lapsed_item != nullptr && lapsed_item->deadline <= next_wait) {
      lapsed(*lapsed_item);
    } else if (!locks_.end_next_wait()) {
      return true;
    }
    locks_.settle();
  }
  return keys_.clock() <= next_deadline();
}

Instant State::next_deadline() const {
  return std::min(keys_.next_deadline(), locks_.next_deadline());
}

void State::client_gone(ClientId client) {
  locks_.client_gone(client);
  watches_.forget(client);
}

void State::lapsed(Item& item) {
  ++lapsed_count_;
  locks_.lapsed(item);
}

void State::changed(DatabaseIndex database, std::string_view key) {
  ++change_count_;
  watches_.touch(database, key);
}

void State::freed(DatabaseIndex database, std::string_view key) {
  locks_.freed(database, key);
}

}  // namespace fencepost::state
