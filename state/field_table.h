// Fields and what each of them has: what hashes, sets and sorted sets are made of.
//
//   FieldTable<std::string> fields{seed};
//   fields.insert("colour", "red");
//   if (std::string* value = fields.find("colour")) *value = "blue";
//   fields.at(random.below(fields.size())).field    // any of them, with equal chance
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "state/field_index.h"
#include "state/steady_vector.h"

namespace fencepost::state {

// For sets: a field has nothing.
struct Nothing {};

// Positions 0 ... size-1 are dense. While the order is kept (from the beginning, until
// forget_order) they are the order of insertion, and erasing is O(n); then erasing moves the last
// entry to the place that became free, and is O(1). Finding and inserting is O(1), growing never
// stalls. The seed goes against chosen collisions; nothing that can be seen depends on it. Each
// call that changes the table ends all references into it.
template <typename T>
class FieldTable {
 public:
  struct Entry {
    std::string field;
    [[no_unique_address]] T value;
  };

  explicit FieldTable(std::uint64_t hash_seed) : index_{hash_seed} {}

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  bool contains(std::string_view field) const { return position_of(field) != kNowhere; }
  // What the field has; null when it is not there.
  T* find(std::string_view field) {
    const std::size_t at = position_of(field);
    return at == kNowhere ? nullptr : &entries_[at].value;
  }
  const T* find(std::string_view field) const {
    const std::size_t at = position_of(field);
    return at == kNowhere ? nullptr : &entries_[at].value;
  }

  struct Inserted {
    T& value;
    bool is_new;  // else the field was there, and keeps what it had
  };
  Inserted insert(std::string_view field, T value = {}) {
    const std::uint32_t hash = index_.hash_of(field);
    if (const auto at = position_of(field, hash); at != kNowhere)
      return {entries_[at].value, false};
    index_.append(hash);
    return {entries_.push_back({std::string{field}, std::move(value)}).value, true};
  }

  // Whether it was there.
  bool erase(std::string_view field) {
    const std::size_t at = position_of(field);
    if (at == kNowhere) return false;
    erase_at(at);
    return true;
  }
  void erase_at(std::size_t at) {
    check(at < size(), "what is erased is there");
    if (keeps_order_ && at + 1 < size()) {
      index_.erase_in_order(at);
      for (std::size_t to = at; to + 1 < size(); ++to) entries_[to] = std::move(entries_[to + 1]);
    } else {
      index_.erase_by_last(at);
      if (at + 1 < size()) entries_[at] = std::move(entries_.back());
    }
    entries_.pop_back();
  }

  static constexpr std::size_t kNowhere = FieldIndex::kNowhere;
  // Where the field stands; kNowhere when it is not there.
  std::size_t position_of(std::string_view field) const {
    return empty() ? kNowhere : position_of(field, index_.hash_of(field));
  }
  const Entry& at(std::size_t position) const { return entries_[position]; }
  T& value_at(std::size_t position) { return entries_[position].value; }

  // From now on erasing is quick, and positions mean nothing.
  void forget_order() { keeps_order_ = false; }

  // Calls `see(entry)` for up to `count` entries from `cursor` on (0: the beginning) and returns
  // the cursor to go on with, 0 at the end. A cursor is how many positions are left, counted down:
  // an entry only ever moves to a lower position, and only from above the cursor or within what is
  // left, so one that stays during the whole scan is seen. It may be seen twice; a new one may be
  // missed.
  template <typename See>
  std::uint64_t scan(std::uint64_t cursor, std::size_t count, const See& see) const {
    std::size_t left = cursor == 0 || cursor > size() ? size() : static_cast<std::size_t>(cursor);
    for (; left > 0 && count > 0; --count) see(at(--left));
    return left;
  }

  // Itself, its entries and their fields, and what values of text keep elsewhere.
  std::size_t memory_bytes() const {
    std::size_t bytes = sizeof(*this) + entries_.memory_bytes() + index_.memory_bytes();
    for (std::size_t position = 0; position < size(); ++position)
      bytes += outside_bytes(at(position).field) + outside_bytes(at(position).value);
    return bytes;
  }

 private:
  std::size_t position_of(std::string_view field, std::uint32_t hash) const {
    return index_.find(hash, [this, field](std::size_t at) { return entries_[at].field == field; });
  }

  static std::size_t outside_bytes(const std::string& text) {
    static const std::size_t kInside = std::string{}.capacity();
    return text.capacity() > kInside ? text.capacity() + 1 : 0;
  }
  template <typename Other>
  static std::size_t outside_bytes(const Other&) {
    return 0;
  }

  SteadyVector<Entry> entries_;
  FieldIndex index_;
  bool keeps_order_ = true;
};

}  // namespace fencepost::state
