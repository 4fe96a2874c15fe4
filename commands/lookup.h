// How a command finds its keys, and what it answers when it cannot use them.
#pragma once

#include <string_view>

#include "commands/context.h"
#include "commands/events.h"

namespace fencepost::commands {

// A key that is read: marks it as used and counts a hit or a miss (INFO keyspace_hits); a miss is
// an event.
inline state::Item* read_key(Context& context, std::string_view key) {
  state::Item* item = context.keys().find(context.database(), key);
  Statistics& statistics = context.process.statistics;
  if (item == nullptr) {
    ++statistics.key_misses;
    notify(context, EventClass::key_miss, "keymiss", key);
    return nullptr;
  }
  ++statistics.key_hits;
  if (!context.session.no_touch) item->set_last_used(context.keys().clock());
  return item;
}

// A key that is only looked at: neither marked nor counted, but a miss is an event.
inline const state::Item* peek_key(Context& context, std::string_view key) {
  const state::Item* item = context.keys().find(context.database(), key);
  if (item == nullptr) notify(context, EventClass::key_miss, "keymiss", key);
  return item;
}

// A key that may be changed: the item, or the place to make it.
inline state::Spot look(Context& context, std::string_view key) {
  return context.keys().look(context.database(), key);
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
