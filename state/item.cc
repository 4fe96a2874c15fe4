// One key of the keyspace.
#include "state/item.h"

#include <cstring>
#include <new>
#include <utility>

#include "base/check.h"

namespace fencepost::state {

namespace {

// The owner of a lock is mostly a UUID or a number in hexadecimal; what is longer is a value that
// is rather used as such.
constexpr std::size_t kLongestShortText = 64;
constexpr std::uint16_t kLongKey = UINT16_MAX;
// Blocks come in steps of so many bytes, of which the allocator has the first few for itself
// (glibc); what is over is room for a text that grows.
constexpr std::size_t kBlockStep = 16;
constexpr std::size_t kBlockHead = 8;
// Where the last field ends.
constexpr std::size_t kFieldBytes = 46;

std::size_t round_up(std::size_t bytes) {
  return (bytes + kBlockHead + kBlockStep - 1) / kBlockStep * kBlockStep - kBlockHead;
}

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::string:
      return "string";
    case Type::lock:
      return "lock";
    case Type::hash:
      return "hash";
    case Type::list:
      return "list";
    case Type::set:
      return "set";
    case Type::sorted_set:
      return "zset";
    case Type::stream:
      return "stream";
  }
  return "none";
}

char* Item::room() {
  static_assert(sizeof(Item) == kFieldBytes + 2, "the room begins in the padding at the end");
  return reinterpret_cast<char*>(this) + kFieldBytes;
}

const char* Item::room() const {
  return const_cast<Item*>(this)->room();
}

std::unique_ptr<Item> Item::with_room(std::string_view key, std::size_t room) {
  const std::size_t key_bytes = key.size() + (key.size() < kLongKey ? 0 : sizeof(std::size_t));
  room = std::max(room, sizeof(void*));
  const std::size_t bytes = round_up(kFieldBytes + room + key_bytes);
  room = std::min<std::size_t>(bytes - kFieldBytes - key_bytes, UINT8_MAX);
  return std::unique_ptr<Item>{new (::operator new(bytes)) Item{key, room}};
}

Item::Item(std::string_view key, std::size_t room)
    : key_size_{static_cast<std::uint16_t>(std::min<std::size_t>(key.size(), kLongKey))},
      room_{static_cast<std::uint8_t>(room)} {
  char* at = this->room() + room;
  if (key_size_ == kLongKey) {
    const std::size_t size = key.size();
    std::memcpy(at, &size, sizeof size);
    at += sizeof size;
  }
  std::copy_n(key.data(), key.size(), at);
}

std::unique_ptr<Item> Item::with_text(std::string_view key, std::string_view text) {
  std::unique_ptr<Item> item = with_room(key, text.size() <= kLongestShortText ? text.size() : 0);
  item->set_text(text);
  return item;
}

std::unique_ptr<Item> Item::with_value(std::string_view key, Value value) {
  if (const std::string* text = std::get_if<std::string>(&value)) {
    if (text->size() <= kLongestShortText) return with_text(key, *text);
  }
  std::unique_ptr<Item> item = with_room(key, 0);
  item->set_value(std::move(value));
  return item;
}

Item::~Item() {
  end_value();
}

std::string_view Item::key() const {
  const char* at = room() + room_;
  if (key_size_ != kLongKey) return {at, key_size_};
  std::size_t size = 0;
  std::memcpy(&size, at, sizeof size);
  return {at + sizeof size, size};
}

// The room need not lie at a pointer's boundary.
void* Item::pointer() const {
  void* to = nullptr;
  std::memcpy(&to, room(), sizeof to);
  return to;
}

void Item::set_pointer(void* to) {
  std::memcpy(room(), &to, sizeof to);
}

void Item::end_value() {
  switch (kind_) {
    case Kind::short_text:
      break;
    case Kind::long_text:
      delete &long_text();
      break;
    case Kind::lock:
      delete &lock();
      break;
    case Kind::collection:
      delete &collection();
      break;
  }
  kind_ = Kind::short_text;
  text_size_ = 0;
}

void Item::set_text(std::string_view text) {
  if (text.size() > room_) return set_value(std::string{text});
  end_value();
  std::copy_n(text.data(), text.size(), room());
  text_size_ = static_cast<std::uint8_t>(text.size());
}

void Item::set_value(Value value) {
  end_value();
  if (auto* text = std::get_if<std::string>(&value)) {
    set_pointer(new LongText{std::move(*text), nullptr});
    kind_ = Kind::long_text;
  } else if (auto* lock = std::get_if<std::unique_ptr<SharedLock>>(&value)) {
    set_pointer(lock->release());
    kind_ = Kind::lock;
  } else {
    set_pointer(std::get<std::unique_ptr<Collection>>(value).release());
    kind_ = Kind::collection;
  }
  forget_steps();
}

Steps* Item::steps() {
  if (is_lock()) return &lock().steps();
  return is_collection() ? &collection().steps() : nullptr;
}

void Item::forget_steps() {
  if (Steps* noted = steps()) noted->forget();
}

Item::LongText& Item::make_long() {
  if (kind_ == Kind::short_text) set_value(std::string{text()});
  return long_text();
}

void Item::edit_text(const std::function<void(std::string&)>& change) {
  check(is_string(), "only text is edited");
  if (kind_ == Kind::long_text) return change(long_text().text);
  std::string text{this->text()};
  change(text);
  if (text.size() <= room_) return set_text(text);
  set_value(std::move(text));
}

void Item::set_terms(std::unique_ptr<HoldTerms> terms) {
  check(is_string(), "only an exclusive hold has terms of its own");
  if (terms != nullptr || kind_ == Kind::long_text) make_long().terms = std::move(terms);
}

Value Item::take_value() {
  Value value;
  switch (kind_) {
    case Kind::short_text:
      value = std::string{text()};
      break;
    case Kind::long_text:
      value = std::move(long_text().text);
      break;
    case Kind::lock:
      value = std::unique_ptr<SharedLock>{&lock()};
      break;
    case Kind::collection:
      value = std::unique_ptr<Collection>{&collection()};
      break;
  }
  if (kind_ >= Kind::lock) kind_ = Kind::short_text;  // it is the caller's
  end_value();
  return value;
}

std::size_t Item::memory_bytes() const {
  const std::size_t prefix = key_size_ == kLongKey ? sizeof(std::size_t) : 0;
  std::size_t bytes = kFieldBytes + room_ + prefix + key().size() + kBlockHead;
  if (kind_ != Kind::long_text) return bytes;
  const std::string& text = long_text().text;
  bytes += sizeof(LongText) + kBlockStep;
  const bool apart = text.capacity() > std::string{}.capacity();
  return apart ? bytes + text.capacity() + 1 + kBlockStep : bytes;
}

}  // namespace fencepost::state
