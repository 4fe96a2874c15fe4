// The items of one database by name: pages of a hash table that split one at a time, so that growth
// never stalls.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "state/item.h"

namespace fencepost::state {

// Extendible hashing (Fagin et al., 1979): a directory indexed by the top bits of the hash points
// to pages; a full page splits by its next bit. The longest step of an insertion is one page's
// split, or the doubling of the directory (8 bytes for some hundred items). Pages in directory
// order are hashes in order, which scans use.
class ItemIndex {
 public:
  ItemIndex();
  ~ItemIndex();
  ItemIndex(ItemIndex&&) noexcept;
  ItemIndex& operator=(ItemIndex&&) noexcept;

  std::size_t size() const { return size_; }
  Item* find(std::uint64_t hash, std::string_view key) const;
  // The item with that hash that is `wanted`, if any.
  Item* find_hashed(std::uint64_t hash, const std::function<bool(const Item&)>& wanted) const;
  // Takes over an item whose key is not in the index.
  void insert(std::unique_ptr<Item> item);
  std::unique_ptr<Item> extract(const Item& item);
  void clear();

  // Items whose hash_point is at least `from`, in order, until `count` or more were taken and the
  // point is finished. Returns the point to go on at; 0 at the end. Points are the top 48 bits of
  // the hash.
  std::uint64_t collect(std::uint64_t from, std::size_t count, std::vector<Item*>& into) const;
  Item* random(Random& random) const;

 private:
  class Page;

  std::size_t slot_of(std::uint64_t hash) const;
  std::size_t span_of(const Page& page) const;  // how many slots point to it
  void split(std::size_t slot);
  void replace(Page& old, std::size_t slot, const std::shared_ptr<Page>& low,
               const std::shared_ptr<Page>& high);
  void double_directory();
  void merge(std::size_t slot);
  void halve_directory();

  std::vector<std::shared_ptr<Page>> directory_;
  unsigned depth_ = 0;  // the directory has 2^depth_ slots
  std::size_t deepest_pages_ =
      0;  // pages of depth_, when depth_ > 0: while there is one, all slots are needed
  std::size_t size_ = 0;
};

}  // namespace fencepost::state
