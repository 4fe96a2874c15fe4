// How a command gets at a hash, list, set, sorted set or stream.
//
//   const auto hash = change_as<state::Hash>(context, args[1]);
//   if (!hash) return;                            // of another type: answered with WRONGTYPE
//   if (hash->absent()) return context.reply.integer(0);
//   ... hash->value() ...
//   changed(context, *hash);                      // once, when something was changed
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "commands/context.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/lookup.h"

namespace fencepost::commands {

// What stands at a key: nothing, or a value of type T (which has a kType). Good until the keyspace
// is changed.
template <typename T>
class Held {
 public:
  explicit Held(state::Spot spot) : spot_{spot} {}

  bool absent() const { return spot_.item == nullptr; }
  // Only of one that is not absent.
  T& value() const { return static_cast<T&>(spot_.item->collection()); }
  state::Item& item() const { return *spot_.item; }
  // The value, made when it is absent: a key that comes into being draws a fence. Whoever makes one
  // puts something into it.
  T& value_or_make(Context& context) {
    if (absent()) spot_.item = &context.keys().create(spot_, state::Value{make(context)});
    return value();
  }
  // The same by one that has told of the new key already.
  T& value_or_make_told(Context& context) {
    if (absent()) spot_.item = &context.keys().create_told(spot_, state::Value{make(context)});
    return value();
  }

 private:
  // One that finds its elements by their hashes is given the seed for them.
  static std::unique_ptr<state::Collection> make(Context& context) {
    if constexpr (std::is_constructible_v<T, std::uint64_t>) {
      return std::make_unique<T>(context.keys().hash_seed());
    } else {
      return std::make_unique<T>();
    }
  }

  state::Spot spot_;
};

template <typename T>
bool is_a(const state::Item& item) {
  return item.is_collection() && item.collection().type() == T::kType;
}

// For a command that may change the key; null for a key of another type: then the command is
// answered.
template <typename T>
std::optional<Held<T>> change_as(Context& context, std::string_view key) {
  const state::Spot spot = look(context, key);
  if (!spot || is_a<T>(*spot.item)) return Held<T>{spot};
  context.reply.error(kWrongType);
  return std::nullopt;
}

// For a command that only reads: the value, or null when there is none. Counts a hit or a miss, and
// marks the key as used. The outer null as above.
template <typename T>
std::optional<const T*> read_as(Context& context, std::string_view key) {
  const state::Item* item = read_key(context, key);
  if (item == nullptr) return nullptr;
  if (is_a<T>(*item)) return &static_cast<const T&>(item->collection());
  context.reply.error(kWrongType);
  return std::nullopt;
}

// To be called once a value was changed: watchers, waiters and trackers are told. A value without
// elements ends its key.
template <typename T>
void changed(Context& context, const Held<T>& held) {
  if (held.value().size() > 0) return context.keys().touched(held.item());
  context.keys().erase(held.item());
}

// Who takes elements out of a value tells of "del" too if they were the last. A client that listens
// and tracks hears of the events and of the change in an order that in Redis depends on the
// command. Either `event` first, and then:
template <typename T>
void end_told_then_changed(Context& context, const Held<T>& held, std::string_view key) {
  if (held.value().size() == 0) notify(context, EventClass::generic, "del", key);
  changed(context, held);
}

// Or the change first.
template <typename T>
void changed_then_told(Context& context, const Held<T>& held, EventClass kind,
                       std::string_view event, std::string_view key) {
  const bool ends = held.value().size() == 0;
  changed(context, held);
  notify(context, kind, event, key);
  if (ends) notify(context, EventClass::generic, "del", key);
}

}  // namespace fencepost::commands
