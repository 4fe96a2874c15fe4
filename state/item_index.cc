// The items of one database by name: pages of a hash table that split one at a time.
#include "state/item_index.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace fencepost::state {

namespace {

// A scan cursor is the top 48 bits of a hash: safe as a number of JSON.
constexpr unsigned kPointBits = 48;

std::uint64_t point_of(const Item& item) {
  return item.hash >> (64 - kPointBits);
}

}  // namespace

// A small open-addressed table with linear probing; the low bits of the hash choose the slot (the
// top bits chose the page), and a byte of it is kept beside the pointers so that most misses touch
// no item.
class ItemIndex::Page {
 public:
  Page(unsigned depth, std::size_t slots) : depth_{depth}, tags_(slots), items_(slots) {}
  ~Page() {
    for (Item* item : items_) delete item;
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  unsigned depth() const { return depth_; }
  std::size_t size() const { return size_; }
  // Whether the bit that a split goes by differs among the items.
  bool next_bit_parts() const {
    const auto bit = [this](const Item* item) { return item->hash << depth_ >> 63; };
    const Item* first = nullptr;
    for (const Item* item : items_) {
      if (item == nullptr) continue;
      if (first == nullptr) first = item;
      if (bit(item) != bit(first)) return true;
    }
    return false;
  }
  // Linear probing looks at some eight tags for a key that is not there when three quarters are
  // taken.
  bool full() const { return size_ * 4 >= items_.size() * 3; }
  const std::vector<Item*>& slots() const { return items_; }

  template <typename Same>
  Item* find(std::uint64_t hash, const Same& same) const {
    const std::uint8_t wanted = tag(hash);
    for (std::size_t at = home(hash); tags_[at] != kEmpty; at = after(at)) {
      if (tags_[at] != wanted) continue;
      Item* item = items_[at];
      if (item->hash == hash && same(*item)) return item;
    }
    return nullptr;
  }

  void insert(Item* item) {
    check(size_ + 1 < items_.size(), "a page keeps an empty slot, where probing ends");
    std::size_t at = home(item->hash);
    while (tags_[at] != kEmpty) at = after(at);
    items_[at] = item;
    tags_[at] = tag(item->hash);
    ++size_;
  }

  // Fills the gap with whatever probed past it, so that no tombstones are needed.
  void remove(const Item* item) {
    std::size_t gap = home(item->hash);
    while (items_[gap] != item) {
      check(items_[gap] != nullptr, "the item to remove is in its page");
      gap = after(gap);
    }
    for (std::size_t at = after(gap); items_[at] != nullptr; at = after(at)) {
      const std::size_t wanted = home(items_[at]->hash);
      if (((at - wanted) & mask()) < ((at - gap) & mask())) continue;
      items_[gap] = items_[at];
      tags_[gap] = tags_[at];
      gap = at;
    }
    items_[gap] = nullptr;
    tags_[gap] = kEmpty;
    --size_;
  }

  // Empties the page without ending the items.
  std::vector<Item*> release() {
    size_ = 0;
    return std::exchange(items_, {});
  }

 private:
  std::size_t mask() const { return items_.size() - 1; }
  std::size_t home(std::uint64_t hash) const { return static_cast<std::size_t>(hash) & mask(); }
  std::size_t after(std::size_t at) const { return (at + 1) & mask(); }
  // Seven bits of the hash, and one that says that the slot is taken.
  static std::uint8_t tag(std::uint64_t hash) {
    return static_cast<std::uint8_t>(hash >> 16 | kTaken);
  }

  static constexpr std::uint8_t kEmpty = 0;
  static constexpr std::uint8_t kTaken = 0x80;

  unsigned depth_;  // how many top bits of the hash its items share
  std::size_t size_ = 0;
  std::vector<std::uint8_t> tags_;
  std::vector<Item*> items_;
};

namespace {

constexpr std::size_t kPageSlots = 256;
constexpr std::size_t kMergeBelow = kPageSlots / 4;  // far below the 3/4 that split: no to and fro

}  // namespace

ItemIndex::ItemIndex() {
  clear();
}
ItemIndex::~ItemIndex() = default;
ItemIndex::ItemIndex(ItemIndex&&) noexcept = default;
ItemIndex& ItemIndex::operator=(ItemIndex&&) noexcept = default;

void ItemIndex::clear() {
  constexpr std::size_t kFirstPageSlots = 16;  // most of the 16 databases stay empty
  directory_.assign(1, std::make_shared<Page>(0, kFirstPageSlots));
  depth_ = 0;
  deepest_pages_ = 0;
  size_ = 0;
}

std::size_t ItemIndex::slot_of(std::uint64_t hash) const {
  return depth_ == 0 ? 0 : static_cast<std::size_t>(hash >> (64 - depth_));
}

Item* ItemIndex::find(std::uint64_t hash, std::string_view key) const {
  return directory_[slot_of(hash)]->find(hash, [key](const Item& item) { return item.key == key; });
}

Item* ItemIndex::find_hashed(std::uint64_t hash,
                             const std::function<bool(const Item&)>& wanted) const {
  return directory_[slot_of(hash)]->find(hash, wanted);
}

void ItemIndex::insert(std::unique_ptr<Item> item) {
  const std::uint64_t hash = item->hash;
  while (directory_[slot_of(hash)]->full()) split(slot_of(hash));
  directory_[slot_of(hash)]->insert(item.release());
  ++size_;
}

std::unique_ptr<Item> ItemIndex::extract(const Item& item) {
  Page& page = *directory_[slot_of(item.hash)];
  Item* own = page.find(item.hash, [&item](const Item& other) { return &other == &item; });
  check(own != nullptr, "an item is taken out of the index that it is in");
  page.remove(own);
  --size_;
  merge(slot_of(item.hash));
  return std::unique_ptr<Item>{own};
}

// A full page gives half of its items to a new page. One that is small yet, or whose items the next
// bit would not part (equal hashes, which only chance or a known seed can make), grows instead.
void ItemIndex::split(std::size_t slot) {
  const std::shared_ptr<Page> old = directory_[slot];
  const std::size_t slots = old->slots().size();
  if (slots < kPageSlots || !old->next_bit_parts()) {
    replace(*old, slot, std::make_shared<Page>(old->depth(), slots * 2), nullptr);
    return;
  }
  if (old->depth() == depth_) {
    double_directory();
    slot *= 2;
  }
  const unsigned depth = old->depth() + 1;
  if (depth == depth_) deepest_pages_ += 2;
  replace(*old, slot, std::make_shared<Page>(depth, slots), std::make_shared<Page>(depth, slots));
}

// Puts one page, or two for its lower and upper half, where `old` was, and moves the items over.
void ItemIndex::replace(Page& old, std::size_t slot, const std::shared_ptr<Page>& low,
                        const std::shared_ptr<Page>& high) {
  const std::size_t span = span_of(old);
  const std::size_t first = slot / span * span;
  for (std::size_t i = 0; i < span; ++i) {
    directory_[first + i] = high != nullptr && i >= span / 2 ? high : low;
  }
  for (Item* item : old.release()) {
    if (item != nullptr) directory_[slot_of(item->hash)]->insert(item);
  }
}

void ItemIndex::double_directory() {
  std::vector<std::shared_ptr<Page>> wider(directory_.size() * 2);
  for (std::size_t i = 0; i < wider.size(); ++i) wider[i] = directory_[i / 2];
  directory_ = std::move(wider);
  ++depth_;
  deepest_pages_ = 0;
}

// Two neighbours that have become nearly empty share one page again, and a directory that no page
// needs in full is halved: a keyspace that was once large does not stay slow to scan.
void ItemIndex::merge(std::size_t slot) {
  for (;;) {
    const std::shared_ptr<Page> page = directory_[slot];
    if (page->depth() == 0 || page->size() >= kMergeBelow) return;
    const std::size_t span = span_of(*page);
    const std::size_t first = slot / (2 * span) * (2 * span);
    const std::shared_ptr<Page> low = directory_[first];
    const std::shared_ptr<Page> high = directory_[first + span];
    if (low->depth() != high->depth() || low->size() + high->size() >= kMergeBelow) return;
    const auto both = std::make_shared<Page>(page->depth() - 1, kPageSlots);
    if (page->depth() == depth_) deepest_pages_ -= 2;
    for (std::size_t i = 0; i < 2 * span; ++i) directory_[first + i] = both;
    for (Page* half : {low.get(), high.get()}) {
      for (Item* item : half->release()) {
        if (item != nullptr) both->insert(item);
      }
    }
    slot = first;
    while (depth_ > 0 && deepest_pages_ == 0) {
      halve_directory();
      slot /= 2;
    }
  }
}

void ItemIndex::halve_directory() {
  std::vector<std::shared_ptr<Page>> narrower(directory_.size() / 2);
  for (std::size_t i = 0; i < narrower.size(); ++i) narrower[i] = std::move(directory_[2 * i]);
  directory_ = std::move(narrower);
  --depth_;
  for (const std::shared_ptr<Page>& page : directory_) {
    if (page->depth() == depth_) ++deepest_pages_;
  }
}

std::size_t ItemIndex::span_of(const Page& page) const {
  return std::size_t{1} << (depth_ - page.depth());
}

std::uint64_t ItemIndex::collect(std::uint64_t from, std::size_t count,
                                 std::vector<Item*>& into) const {
  std::size_t slot = slot_of(from << (64 - kPointBits));
  while (slot < directory_.size()) {
    const Page& page = *directory_[slot];
    const std::size_t begin = into.size();
    for (Item* item : page.slots()) {
      if (item != nullptr && point_of(*item) >= from) into.push_back(item);
    }
    const auto first = into.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, into.end(), [](const Item* a, const Item* b) {
      return std::tie(a->hash, a->key) < std::tie(b->hash, b->key);
    });
    const std::size_t wanted = std::max<std::size_t>(count, 1);
    if (into.size() > wanted) {
      std::size_t end = wanted;  // items of one point are never torn apart
      while (end < into.size() && point_of(*into[end]) == point_of(*into[end - 1])) ++end;
      if (end < into.size()) {
        const std::uint64_t next = point_of(*into[end]);
        into.resize(end);
        return next;
      }
    }
    const std::size_t span = span_of(page);
    slot = slot / span * span + span;
    if (into.size() >= wanted && slot < directory_.size()) {
      return static_cast<std::uint64_t>(slot) << (kPointBits - depth_);
    }
  }
  return 0;
}

Item* ItemIndex::random(Random& random) const {
  if (size_ == 0) return nullptr;
  for (;;) {
    const Page& page = *directory_[random.below(directory_.size())];
    Item* item = page.slots()[random.below(page.slots().size())];
    if (item != nullptr) return item;
  }
}

}  // namespace fencepost::state
