// Records by name: pages of a hash table that split one at a time, so that growth never stalls.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "state/name_hash.h"
#include "state/name_page.h"

namespace fencepost::state {

// Extendible hashing (Fagin et al., 1979): a directory indexed by the top bits of the hash points
// to pages; a full page splits by its next bit. The longest step of an insertion is one page's
// split, or the doubling of the directory (8 bytes for some hundred records). Pages in directory
// order are hashes in order, which scans use. A Record has a key(), which stays.
template <typename Record>
class NameIndex {
 public:
  explicit NameIndex(std::uint64_t seed = 0, NameHash hash = name_hash)
      : seed_{seed}, hash_{hash}, directory_(1, Page::make(0, Page::kLeastSlots)) {}
  ~NameIndex() {
    end_records();
    end_pages();
  }
  NameIndex(NameIndex&& other) noexcept : NameIndex{other.seed_, other.hash_} { swap(other); }
  NameIndex& operator=(NameIndex&&) = delete;

  void swap(NameIndex& other) noexcept {
    std::swap(seed_, other.seed_);
    std::swap(hash_, other.hash_);
    std::swap(directory_, other.directory_);
    std::swap(depth_, other.depth_);
    std::swap(deepest_pages_, other.deepest_pages_);
    std::swap(size_, other.size_);
  }

  std::size_t size() const { return size_; }
  std::uint64_t hash_of(std::string_view key) const { return hash_(key, seed_); }

  Record* find(std::uint64_t hash, std::string_view key) const {
    return page_of(hash).find(Page::tag_of(hash),
                              [key](const Record& record) { return record.key() == key; });
  }
  // The record with that hash that is `wanted`, if any.
  Record* find_hashed(std::uint64_t hash, const std::function<bool(const Record&)>& wanted) const {
    return page_of(hash).find(Page::tag_of(hash), [&](const Record& record) {
      return hash_of(record.key()) == hash && wanted(record);
    });
  }

  // Takes over a record whose key, which has that hash, is not in the index.
  void insert(std::uint64_t hash, std::unique_ptr<Record> record) {
    while (page_of(hash).full()) split(slot_of(hash));
    page_of(hash).insert(Page::tag_of(hash), record.release());
    ++size_;
  }
  // A record of this index.
  std::unique_ptr<Record> extract(Record& record) {
    const std::uint64_t hash = hash_of(record.key());
    page_of(hash).remove(Page::tag_of(hash), &record);
    --size_;
    merge(slot_of(hash));
    return std::unique_ptr<Record>{&record};
  }
  void clear() {
    end_records();
    end_pages();
    directory_.assign(1, Page::make(0, Page::kLeastSlots));
    depth_ = 0;
    deepest_pages_ = 0;
    size_ = 0;
  }

  // Records whose hash_point is at least `from`, in order, until `count` or more were taken and the
  // point is finished. Returns the point to go on at; 0 at the end. Points are the top 48 bits of
  // the hash.
  std::uint64_t collect(std::uint64_t from, std::size_t count, std::vector<Record*>& into) const;

  Record* random(Random& random) const {
    if (size_ == 0) return nullptr;
    for (;;) {
      const Page& page = *directory_[random.below(directory_.size())];
      if (Record* record = page.at(random.below(page.slot_count()))) return record;
    }
  }

 private:
  using Page = NamePage<Record>;

  // A cursor is the top 48 bits of a hash: safe as a number of JSON.
  static constexpr unsigned kPointBits = 48;
  static constexpr std::size_t kPageSlots = 256;
  // Far below the seven eighths that split: no to and fro.
  static constexpr std::size_t kMergeBelow = kPageSlots / 4;
  // The directory may have 2^12 times the slots that evenly spread hashes need.
  static constexpr unsigned kSpareBits = 12;

  std::size_t slot_of(std::uint64_t hash) const {
    return depth_ == 0 ? 0 : static_cast<std::size_t>(hash >> (64 - depth_));
  }
  Page& page_of(std::uint64_t hash) const { return *directory_[slot_of(hash)]; }
  // How many slots of the directory point to it.
  std::size_t span_of(const Page& page) const { return std::size_t{1} << (depth_ - page.depth()); }
  std::uint64_t hash_of(const Record& record) const { return hash_of(record.key()); }

  template <typename See>
  static void for_each(const Page& page, const See& see) {
    for (std::size_t slot = 0; slot < page.slot_count(); ++slot) {
      if (Record* record = page.at(slot)) see(page.tag_at(slot), record);
    }
  }

  void split(std::size_t slot);
  bool grows(const Page& page) const;
  unsigned common_bits(const Page& page) const;
  void put(std::size_t first, std::size_t span, Page* page) {
    std::fill_n(directory_.begin() + static_cast<std::ptrdiff_t>(first), span, page);
  }
  void double_directory();
  void merge(std::size_t slot);
  void halve_directory();
  void end_records();
  void end_pages();

  std::uint64_t seed_;
  NameHash hash_;
  std::vector<Page*> directory_;  // each page once or, in neighbouring slots, a power of two times
  unsigned depth_ = 0;            // the directory has 2^depth_ slots
  // Pages of depth_, when depth_ > 0: while there is one, all slots are needed.
  std::size_t deepest_pages_ = 0;
  std::size_t size_ = 0;
};

// How many top bits the hashes of the records share. They are made anew from the names; all are on
// their way into the cache before the first is needed.
template <typename Record>
unsigned NameIndex<Record>::common_bits(const Page& page) const {
  for_each(page, [](auto, const Record* record) { __builtin_prefetch(record); });
  std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t any = 0;
  for_each(page, [&](auto, const Record* record) {
    const std::uint64_t hash = hash_of(*record);
    all &= hash;
    any |= hash;
  });
  return static_cast<unsigned>(std::countl_zero(all ^ any));
}

// A full page that is small yet grows rather than splits, and so does one whose records only a
// directory would part that is too large for them: equal hashes, which chance or a known seed can
// make. Hashes that come in order, as a scan of another index tells them, share some bits at first,
// and are parted.
template <typename Record>
bool NameIndex<Record>::grows(const Page& page) const {
  if (page.slot_count() < kPageSlots) return true;
  const unsigned common = common_bits(page);
  if (page.slot_count() < Page::kMostSlots) {
    return common >= static_cast<unsigned>(std::bit_width(size_ / kPageSlots)) + kSpareBits;
  }
  check(common < kPointBits, "thousands of names have different hashes");
  return false;
}

// A full page gives those of its records that have the next bit to a new page.
template <typename Record>
void NameIndex<Record>::split(std::size_t slot) {
  Page* const old = directory_[slot];
  const std::size_t slots = old->slot_count();
  if (grows(*old)) {
    Page* const larger = Page::make(old->depth(), slots * 2);
    for_each(*old, [larger](auto tag, Record* record) { larger->insert(tag, record); });
    const std::size_t span = span_of(*old);
    put(slot / span * span, span, larger);
    return Page::end(old);
  }
  if (old->depth() == depth_) {
    double_directory();
    slot *= 2;
  }
  const unsigned depth = old->depth() + 1;
  if (depth == depth_) deepest_pages_ += 2;
  Page* const halves[2] = {Page::make(depth, slots), Page::make(depth, slots)};
  for_each(*old, [&](auto tag, Record* record) {
    halves[hash_of(*record) << old->depth() >> 63]->insert(tag, record);
  });
  const std::size_t span = span_of(*old);
  const std::size_t first = slot / span * span;
  put(first, span / 2, halves[0]);
  put(first + span / 2, span / 2, halves[1]);
  Page::end(old);
}

template <typename Record>
void NameIndex<Record>::double_directory() {
  std::vector<Page*> wider(directory_.size() * 2);
  for (std::size_t i = 0; i < wider.size(); ++i) wider[i] = directory_[i / 2];
  directory_ = std::move(wider);
  ++depth_;
  deepest_pages_ = 0;
}

// Two neighbours that have become nearly empty share one page again, and a directory that no page
// needs in full is halved: an index that was once large does not stay slow to scan.
template <typename Record>
void NameIndex<Record>::merge(std::size_t slot) {
  for (;;) {
    const Page& page = *directory_[slot];
    if (page.depth() == 0 || page.size() >= kMergeBelow) return;
    const std::size_t span = span_of(page);
    const std::size_t first = slot / (2 * span) * (2 * span);
    Page* const low = directory_[first];
    Page* const high = directory_[first + span];
    if (low->depth() != high->depth() || low->size() + high->size() >= kMergeBelow) return;
    Page* const both = Page::make(page.depth() - 1, kPageSlots);
    if (page.depth() == depth_) deepest_pages_ -= 2;
    put(first, 2 * span, both);
    for (Page* half : {low, high}) {
      for_each(*half, [both](auto tag, Record* record) { both->insert(tag, record); });
      Page::end(half);
    }
    slot = first;
    while (depth_ > 0 && deepest_pages_ == 0) {
      halve_directory();
      slot /= 2;
    }
  }
}

template <typename Record>
void NameIndex<Record>::halve_directory() {
  for (std::size_t i = 0; i < directory_.size() / 2; ++i) directory_[i] = directory_[2 * i];
  directory_.resize(directory_.size() / 2);
  directory_.shrink_to_fit();
  --depth_;
  deepest_pages_ = static_cast<std::size_t>(
      std::count_if(directory_.begin(), directory_.end(),
                    [this](const Page* page) { return page->depth() == depth_; }));
}

template <typename Record>
void NameIndex<Record>::end_records() {
  for (std::size_t slot = 0; slot < directory_.size(); slot += span_of(*directory_[slot])) {
    for_each(*directory_[slot], [](auto, Record* record) { std::unique_ptr<Record> ends{record}; });
  }
}

template <typename Record>
void NameIndex<Record>::end_pages() {
  for (std::size_t slot = 0; slot < directory_.size();) {
    Page* const page = directory_[slot];
    slot += span_of(*page);
    Page::end(page);
  }
}

template <typename Record>
std::uint64_t NameIndex<Record>::collect(std::uint64_t from, std::size_t count,
                                         std::vector<Record*>& into) const {
  const auto point_of = [](std::uint64_t hash) { return hash >> (64 - kPointBits); };
  const std::size_t wanted = into.size() + std::max<std::size_t>(count, 1);
  std::vector<std::pair<std::uint64_t, Record*>> here;
  std::size_t slot = slot_of(from << (64 - kPointBits));
  while (slot < directory_.size()) {
    const Page& page = *directory_[slot];
    here.clear();
    for_each(page, [&](auto, Record* record) {
      const std::uint64_t hash = hash_of(*record);
      if (point_of(hash) >= from) here.emplace_back(hash, record);
    });
    std::sort(here.begin(), here.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second->key() < b.second->key();
    });
    for (std::size_t i = 0; i < here.size(); ++i) {
      // Records of one point are never torn apart.
      const bool begins = i == 0 || point_of(here[i].first) != point_of(here[i - 1].first);
      if (into.size() >= wanted && begins) return point_of(here[i].first);
      into.push_back(here[i].second);
    }
    const std::size_t span = span_of(page);
    slot = slot / span * span + span;
    if (into.size() >= wanted && slot < directory_.size()) {
      return static_cast<std::uint64_t>(slot) << (kPointBits - depth_);
    }
  }
  return 0;
}

}  // namespace fencepost::state
