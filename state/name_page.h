// A page of an index of records by name: a small hash table in one block of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "base/check.h"

namespace fencepost::state {

// Open addressing with linear probing. Beside each record stands a tag of fifteen bits of its hash,
// of which the lowest choose the slot (the top bits of the hash chose the page): neither looking
// for a name that is not there nor closing a gap touches a record. Records belong to whoever has
// the page.
template <typename Record>
class NamePage {
 public:
  using Tag = std::uint16_t;

  static constexpr Tag kEmpty = 0;
  static constexpr Tag tag_of(std::uint64_t hash) { return static_cast<Tag>(hash | kTaken); }

  // With 2^n slots, at most kMostSlots; for hashes whose top `depth` bits are the same.
  static NamePage* make(unsigned depth, std::size_t slots) {
    static_assert(sizeof(NamePage) % alignof(Record*) == 0 && kLeastSlots * sizeof(Tag) % 8 == 0);
    check(slots >= kLeastSlots && slots <= kMostSlots, "a page of so many slots");
    const std::size_t bytes = sizeof(NamePage) + slots * (sizeof(Tag) + sizeof(Record*));
    return new (::operator new(bytes)) NamePage{depth, slots};
  }
  static void end(NamePage* page) { ::operator delete(page); }

  unsigned depth() const { return depth_; }
  std::size_t size() const { return size_; }
  std::size_t slot_count() const { return slots_; }
  // Taken to seven eighths, a look for what is not there reads some thirty tags, which is one line
  // of the cache.
  bool full() const { return size_ * 8 >= slots_ * 7; }
  // Null where the slot is empty.
  Record* at(std::size_t slot) const { return tags()[slot] == kEmpty ? nullptr : records()[slot]; }
  Tag tag_at(std::size_t slot) const { return tags()[slot]; }

  // The first record with that tag that is `wanted`.
  template <typename Wanted>
  Record* find(Tag tag, const Wanted& wanted) const {
    for (std::size_t at = home(tag); tags()[at] != kEmpty; at = after(at)) {
      if (tags()[at] != tag) continue;
      Record* const record = records()[at];
      // Its name is in the second line of the cache as often as in the first.
      __builtin_prefetch(reinterpret_cast<const char*>(record) + kCacheLine);
      if (wanted(*record)) return record;
    }
    return nullptr;
  }

  void insert(Tag tag, Record* record) {
    check(size_ + 1 < slots_, "a page keeps an empty slot, where probing ends");
    std::size_t at = home(tag);
    while (tags()[at] != kEmpty) at = after(at);
    tags()[at] = tag;
    records()[at] = record;
    ++size_;
  }

  // Fills the gap with whatever probed past it, so that no tombstones are needed.
  void remove(Tag tag, const Record* record) {
    std::size_t gap = home(tag);
    while (records()[gap] != record || tags()[gap] == kEmpty) {
      check(tags()[gap] != kEmpty, "the record to remove is in its page");
      gap = after(gap);
    }
    for (std::size_t at = after(gap); tags()[at] != kEmpty; at = after(at)) {
      if (((at - home(tags()[at])) & mask()) < ((at - gap) & mask())) continue;
      tags()[gap] = tags()[at];
      records()[gap] = records()[at];
      gap = at;
    }
    tags()[gap] = kEmpty;
    --size_;
  }

  static constexpr std::size_t kLeastSlots = 16;
  static constexpr std::size_t kMostSlots = std::size_t{1} << 15;

 private:
  static constexpr std::size_t kCacheLine = 64;

  NamePage(unsigned depth, std::size_t slots)
      : depth_{static_cast<std::uint32_t>(depth)}, slots_{static_cast<std::uint32_t>(slots)} {
    std::uninitialized_value_construct_n(tags(), slots);
    std::uninitialized_value_construct_n(records(), slots);
  }

  Tag* tags() const { return reinterpret_cast<Tag*>(const_cast<NamePage*>(this) + 1); }
  Record** records() const { return reinterpret_cast<Record**>(tags() + slots_); }
  std::size_t mask() const { return slots_ - 1; }
  std::size_t home(Tag tag) const { return tag & mask(); }
  std::size_t after(std::size_t at) const { return (at + 1) & mask(); }

  static constexpr Tag kTaken = 0x8000;

  std::uint32_t depth_;  // how many top bits of the hash its records share
  std::uint32_t slots_;
  std::uint64_t size_ = 0;
};

}  // namespace fencepost::state
