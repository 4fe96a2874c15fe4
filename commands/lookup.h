// How a command finds its keys, and what it answers when it cannot use them.
#pragma once

#include <string_view>

#include "commands/context.h"
#include "commands/events.h"

namespace fencepost::commands {

// Marks a key as used (OBJECT IDLETIME).
inline void note_use(Context& context, state::Item& item) {
  if (!context.session.no_touch) item.set_last_used(context.keys().clock());
}

// Counts a hit or a miss (INFO keyspace_hits); a miss is an event.
inline state::Item* count_key(Context& context, std::string_view key) {
  state::Item* item = context.keys().find(context.database(), key);
  Statistics& statistics = context.process.statistics;
  if (item == nullptr) {
    ++statistics.key_misses;
    notify(context, EventClass::key_miss, "keymiss", key);
    return nullptr;
  }
  ++statistics.key_hits;
  return item;
}

// A key that is read: counted, and marked as used.
inline state::Item* read_key(Context& context, std::string_view key) {
  state::Item* item = count_key(context, key);
  if (item != nullptr) note_use(context, *item);
  return item;
}

// A key that is only looked at: neither marked nor counted, but a miss is an event.
inline const state::Item* peek_key(Context& context, std::string_view key) {
  const state::Item* item = context.keys().find(context.database(), key);
  if (item == nullptr) notify(context, EventClass::key_miss, "keymiss", key);
  return item;
}

// A key that may be changed: the item, which is marked as used whatever becomes of it, or the place
// to make it.
inline state::Spot look_in(Context& context, DatabaseIndex database, std::string_view key) {
  const state::Spot spot = context.keys().look(database, key);
  if (spot) note_use(context, *spot.item);
  return spot;
}
inline state::Spot look(Context& context, std::string_view key) {
  return look_in(context, context.database(), key);
}

// True for a string and for no key at all; else the command is answered with WRONGTYPE.
bool string_or_reply(Context& context, const state::Item* item);

// True for all but a key held by several, whose leases are its holders' own; else the command is
// answered with WRONGTYPE.
bool single_or_reply(Context& context, const state::Item* item);

// False when no key may have that name; then the command is answered.
bool key_fits_or_reply(Context& context, std::string_view key);
bool pattern_fits_or_reply(Context& context, std::string_view pattern);

// False when a value of `size` bytes and `more` on top would be longer than proto-max-bulk-len;
// then it is answered.
bool value_fits_or_reply(Context& context, std::size_t size, std::size_t more);

// Reads a whole number; null when it is none: then the command is answered.
std::optional<std::int64_t> integer_or_reply(Context& context, std::string_view text);

// When the key's lease is over, as PTTL tells it: of a key held by several, the longest one. kNever
// for none.
Instant visible_deadline(const state::Item& item);

}  // namespace fencepost::commands
