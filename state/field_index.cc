// Where a field stands among the entries of a FieldTable: linear hashing.
#include "state/field_index.h"

#include <bit>
#include <utility>

#include <xxhash.h>

#include "base/check.h"

namespace fencepost::state {

namespace {

// Up to so many entries there are no buckets.
constexpr std::size_t kLookedThrough = 8;

}  // namespace

std::uint32_t FieldIndex::hash_of(std::string_view field) const {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(field.data(), field.size(), seed_));
}

void FieldIndex::append(std::uint32_t hash) {
  check(places_.size() < kNowhere, "positions have 32 bits");
  places_.push_back({hash});
  if (in_use()) {
    link(static_cast<Position>(places_.size() - 1));
  } else if (places_.size() > kLookedThrough) {
    heads_.push_back(kNowhere);
    for (Position at = 0; at < places_.size(); ++at) link(at);
  }
  while (in_use() && heads_.size() < places_.size()) split();
}

void FieldIndex::erase_in_order(std::size_t at) {
  check(at < places_.size(), "what is erased is there");
  if (in_use()) link_to(at) = places_[at].next;
  for (std::size_t to = at; to + 1 < places_.size(); ++to) places_[to] = places_[to + 1];
  places_.pop_back();
  const auto renumber = [at](Position& link) {
    if (link != kNowhere && link > at) --link;
  };
  for (std::size_t bucket = 0; bucket < heads_.size(); ++bucket) renumber(heads_[bucket]);
  for (std::size_t place = 0; place < places_.size(); ++place) renumber(places_[place].next);
  shrink();
}

void FieldIndex::erase_by_last(std::size_t at) {
  check(at < places_.size(), "what is erased is there");
  const std::size_t last = places_.size() - 1;
  if (in_use()) {
    link_to(at) = places_[at].next;
    if (at != last) link_to(last) = static_cast<Position>(at);
  }
  places_[at] = places_[last];
  places_.pop_back();
  shrink();
}

// As many low bits of the hash as name a bucket that is there already.
std::size_t FieldIndex::bucket_of(std::uint32_t hash) const {
  const std::size_t all = std::bit_ceil(heads_.size());
  const std::size_t bucket = hash & (all - 1);
  return bucket < heads_.size() ? bucket : bucket & (all / 2 - 1);
}

// What names the position in its chain.
FieldIndex::Position& FieldIndex::link_to(std::size_t at) {
  Position* link = &heads_[bucket_of(places_[at].hash)];
  while (*link != at) {
    check(*link != kNowhere, "an entry is in the chain of its bucket");
    link = &places_[*link].next;
  }
  return *link;
}

void FieldIndex::link(Position at) {
  Position& head = heads_[bucket_of(places_[at].hash)];
  places_[at].next = std::exchange(head, at);
}

void FieldIndex::relink(Position chain) {
  while (chain != kNowhere) {
    const Position next = places_[chain].next;
    link(chain);
    chain = next;
  }
}

// A new bucket takes its share of the one that is named by the same bits but for the highest.
void FieldIndex::split() {
  const std::size_t made = heads_.size();
  const Position chain = std::exchange(heads_[made - std::bit_floor(made)], kNowhere);
  heads_.push_back(kNowhere);
  relink(chain);
}

// There is an entry less. Some slack is left, so that a size that goes to and fro costs nothing.
void FieldIndex::shrink() {
  if (places_.size() < kLookedThrough / 2) return heads_.clear();
  if (heads_.size() <= places_.size() + places_.size() / 2) return;
  const Position chain = heads_.back();
  heads_.pop_back();
  relink(chain);
}

}  // namespace fencepost::state
