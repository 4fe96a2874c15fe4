// One key of the keyspace: its name, its value, its lease, and the fence that the present hold
// drew.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/ids.h"
#include "base/time.h"
#include "state/collection.h"
#include "state/shared_lock.h"

namespace fencepost::state {

// A text (which may be an exclusive hold), a key held by several, or a hash, list, set ...
using Value = std::variant<std::string, std::unique_ptr<SharedLock>, std::unique_ptr<Collection>>;

// Names a key in whichever database.
struct KeyName {
  DatabaseIndex database = 0;
  std::string key;

  auto operator<=>(const KeyName&) const = default;
};

// Made and ended by Keyspace alone; stays at its address for as long as the key exists.
// An exclusive lock is an item of type string: its text is the owner.
struct Item {
  std::string key;
  Value value;
  std::uint64_t hash = 0;
  std::uint64_t fence = 0;  // the newest that was drawn for the key
  // The lease is over when the clock is past this moment. For type lock: when its earliest hold is.
  Instant deadline = kNever;
  Instant since{};                     // when the present hold (or value) came into being
  Instant last_used{};                 // for OBJECT IDLETIME
  ClientId client = ClientId::nobody;  // whose LOCK made the hold; nobody for a SET
  std::unique_ptr<HoldTerms>
      terms;  // GRACE, BIND, META of an exclusive hold; null when none was asked for
  std::uint32_t due_position = 0;  // its place among the deadlines, 0 = none (DueHeap)
  DatabaseIndex database = 0;
  bool in_grace = false;  // an exclusive hold that lapsed; deadline is the end of the grace
  // Renewed by another client than the one that was granted it: its owner knows of it, whether or
  // not that one was told.
  bool known = false;
  bool edited = false;  // changed in place by APPEND or SETRANGE (OBJECT ENCODING says raw)

  Type type() const {
    if (is_string()) return Type::string;
    return is_lock() ? Type::lock : collection().type();
  }
  bool is_string() const { return std::holds_alternative<std::string>(value); }
  bool is_lock() const { return std::holds_alternative<std::unique_ptr<SharedLock>>(value); }
  bool is_collection() const { return !is_string() && !is_lock(); }
  // The text of a string item.
  const std::string& text() const { return std::get<std::string>(value); }
  SharedLock& lock() { return *std::get<std::unique_ptr<SharedLock>>(value); }
  const SharedLock& lock() const { return *std::get<std::unique_ptr<SharedLock>>(value); }
  Collection& collection() { return *std::get<std::unique_ptr<Collection>>(value); }
  const Collection& collection() const { return *std::get<std::unique_ptr<Collection>>(value); }
};

}  // namespace fencepost::state
