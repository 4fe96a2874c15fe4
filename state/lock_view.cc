// What LOCKINFO and LOCKSCAN show of a key.
#include <algorithm>

#include "state/lock_parts.h"
#include "state/lock_table.h"

namespace fencepost::state {

namespace {

constexpr std::size_t kShownWaiters = 16;

// Without a lease: -1. Over but not yet reaped never shows: the look-up has ended it.
Duration time_left(Instant deadline, Instant now) {
  return deadline == kNever ? Duration{-1} : std::max(deadline - now, Duration{0});
}

HolderView view_exclusive(const Item& item, Instant now) {
  return {.owner = std::string{item.text()},
          .fence = item.fence,
          .ttl = time_left(item.deadline, now),
          .held = now - item.since,
          .client = item.client,
          .meta = item.terms() != nullptr ? item.terms()->meta : std::string{},
          .in_grace = item.in_grace};
}

HolderView view_shared(const std::string& owner, const Hold& hold, Instant now) {
  return {.owner = owner,
          .fence = hold.fence,
          .ttl = time_left(hold.deadline, now),
          .held = now - hold.since,
          .client = hold.client,
          .meta = hold.terms != nullptr ? hold.terms->meta : std::string{},
          .in_grace = hold.in_grace};
}

}  // namespace

std::optional<LockView> LockTable::view(DatabaseIndex database, std::string_view key) {
  const Item* item = parts_->keyspace.find(database, key);
  const Queues::Line* line = parts_->queues.find(database, key);
  if (item == nullptr && line == nullptr) return std::nullopt;
  const Instant now = parts_->keyspace.present();
  LockView view;
  view.fence = newest_fence(database, key);
  if (item != nullptr && item->is_string()) {
    view.in_grace = item->in_grace;
    view.holders.push_back(view_exclusive(*item, now));
  } else if (item != nullptr && item->is_lock()) {
    view.mode = item->lock().mode();
    view.limit = item->lock().limit();
    for (const auto& [owner, hold] : item->lock().holds())
      view.holders.push_back(view_shared(owner, hold, now));
  }
  if (line == nullptr) return view;
  view.waiters = line->size();
  for (const auto& [place, waiter] : *line) {
    if (view.queue.size() == kShownWaiters) break;
    view.queue.push_back({.owner = waiter->owner, .waited = now - waiter->since});
  }
  return view;
}

bool LockTable::has_waiters(DatabaseIndex database, std::string_view key) const {
  return parts_->queues.find(database, key) != nullptr;
}

std::vector<std::string> LockTable::queued_keys(DatabaseIndex database) const {
  return parts_->queues.keys_with_lines(database);
}

}  // namespace fencepost::state
