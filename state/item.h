// One key of the keyspace: its name, its value, its lease, and the fence that the present hold
// drew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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
//
// One block of memory, for there may be ten million of them: the fields, then the room for a short
// text or for the pointer to any other value, then the name.
class Item {
 public:
  // Copies of both. The fence, the database and the moments are for the caller to set.
  static std::unique_ptr<Item> with_text(std::string_view key, std::string_view text);
  static std::unique_ptr<Item> with_value(std::string_view key, Value value);
  ~Item();
  Item(const Item&) = delete;
  Item& operator=(const Item&) = delete;
  // A block is longer than the class, so it is given back without a size.
  static void* operator new(std::size_t bytes) { return ::operator new(bytes); }
  static void operator delete(void* block) { ::operator delete(block); }

  std::string_view key() const;

  Type type() const {
    if (is_string()) return Type::string;
    return is_lock() ? Type::lock : collection().type();
  }
  bool is_string() const { return kind_ <= Kind::long_text; }
  bool is_lock() const { return kind_ == Kind::lock; }
  bool is_collection() const { return kind_ == Kind::collection; }
  // The text of a string item, good until it is changed.
  std::string_view text() const {
    return kind_ == Kind::short_text ? std::string_view{room(), text_size_} : long_text().text;
  }
  SharedLock& lock() { return *static_cast<SharedLock*>(pointer()); }
  const SharedLock& lock() const { return *static_cast<SharedLock*>(pointer()); }
  Collection& collection() { return *static_cast<Collection*>(pointer()); }
  const Collection& collection() const { return *static_cast<Collection*>(pointer()); }
  // GRACE, BIND, META of an exclusive hold; null when none was asked for, and for all other types.
  const HoldTerms* terms() const {
    return kind_ == Kind::long_text ? long_text().terms.get() : nullptr;
  }

  // In place of whatever value there was; its terms are gone. The text may not be the item's own.
  void set_text(std::string_view text);
  void set_value(Value value);
  // Changes the text of a string item in place.
  void edit_text(const std::function<void(std::string&)>& change);
  // Of a string item.
  void set_terms(std::unique_ptr<HoldTerms> terms);
  // Leaves an empty text behind.
  Value take_value();

  // What a journal was told of the value under this name; null for a text, which has no parts.
  Steps* steps();
  void forget_steps();

  // For OBJECT IDLETIME, which tells whole seconds.
  Instant last_used() const { return Instant{std::chrono::seconds{last_used_s_}}; }
  void set_last_used(Instant at) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
    last_used_s_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(seconds, 0, UINT32_MAX));
  }

  // What the block takes, and what a text outside of it does.
  std::size_t memory_bytes() const;

  std::uint64_t fence = 0;  // the newest that was drawn for the key
  // The lease is over when the clock is past this moment. For type lock: when its earliest hold is.
  Instant deadline = kNever;
  Instant since{};                     // when the present hold (or value) came into being
  ClientId client = ClientId::nobody;  // whose LOCK made the hold; nobody for a SET
  std::uint32_t due_position = 0;      // its place among the deadlines, 0 = none (DueHeap)
  DatabaseIndex database = 0;
  bool in_grace : 1 = false;  // an exclusive hold that lapsed; deadline is the end of the grace
  // Renewed by another client than the one that was granted it: its owner knows of it, whether or
  // not that one was told.
  bool known : 1 = false;
  // Of a string item, as OBJECT ENCODING tells it: by what it is; a text though it is a number
  // (INCRBYFLOAT); changed in place (APPEND, SETRANGE).
  enum class Form : std::uint8_t { plain, text, raw };
  Form form : 2 = Form::plain;

 private:
  enum class Kind : std::uint8_t { short_text, long_text, lock, collection };

  // A text that is long, or has terms, or was one of these.
  struct LongText {
    std::string text;
    std::unique_ptr<HoldTerms> terms;
  };

  Item(std::string_view key, std::size_t room);
  static std::unique_ptr<Item> with_room(std::string_view key, std::size_t room);
  static void* operator new(std::size_t, void* block) { return block; }

  // Behind the last field, which is before sizeof(Item).
  char* room();
  const char* room() const;
  void* pointer() const;
  void set_pointer(void* to);
  LongText& long_text() const { return *static_cast<LongText*>(pointer()); }
  LongText& make_long();
  void end_value();

  Kind kind_ : 2 = Kind::short_text;
  std::uint16_t key_size_ = 0;  // kLongKey: the size stands before the name
  std::uint32_t last_used_s_ = 0;
  std::uint8_t room_ = 0;       // bytes for a short text, at least those of a pointer
  std::uint8_t text_size_ = 0;  // of a short text
};

}  // namespace fencepost::state
