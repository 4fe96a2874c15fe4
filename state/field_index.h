// Where a field stands among the entries of a FieldTable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "state/steady_vector.h"

namespace fencepost::state {

// Linear hashing (Litwin, 1980): about as many buckets as entries, one of which is split (or
// merged) with an insertion (or erasure), so that growing never stalls. A bucket is a chain of
// positions. A few entries are simply looked through. Knows hashes alone; the fields are the
// table's.
class FieldIndex {
 public:
  using Position = std::uint32_t;
  static constexpr Position kNowhere = std::numeric_limits<Position>::max();

  explicit FieldIndex(std::uint64_t seed) : seed_{seed} {}

  std::size_t size() const { return places_.size(); }
  std::uint32_t hash_of(std::string_view field) const;

  // The position with that hash for which `is_it(position)`; kNowhere when there is none.
  template <typename IsIt>
  Position find(std::uint32_t hash, const IsIt& is_it) const {
    if (!in_use()) {
      for (Position at = 0; at < places_.size(); ++at) {
        if (places_[at].hash == hash && is_it(at)) return at;
      }
      return kNowhere;
    }
    Position at = heads_[bucket_of(hash)];
    while (at != kNowhere && !(places_[at].hash == hash && is_it(at))) at = places_[at].next;
    return at;
  }

  // An entry was put behind the last one.
  void append(std::uint32_t hash);
  // The entry there is gone, and all behind it move down by one.
  void erase_in_order(std::size_t at);
  // The entry there is gone, and the last one takes its position.
  void erase_by_last(std::size_t at);

  std::size_t memory_bytes() const { return places_.memory_bytes() + heads_.memory_bytes(); }

 private:
  struct Place {
    std::uint32_t hash;
    Position next = kNowhere;  // in the chain
  };

  bool in_use() const { return !heads_.empty(); }
  std::size_t bucket_of(std::uint32_t hash) const;
  Position& link_to(std::size_t at);
  void link(Position at);
  void relink(Position chain);
  void split();
  void shrink();

  std::uint64_t seed_;
  SteadyVector<Place> places_;    // of every entry
  SteadyVector<Position> heads_;  // of every bucket; none while there are few entries
};

}  // namespace fencepost::state
