// A list: elements in an order, reached at both ends and by their position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "state/collection.h"
#include "state/element.h"

namespace fencepost::state {

// Both ends and any position are reached in constant time; what happens in the middle moves half of
// the elements at most. A short list is one block; a long one is many, so that growing moves none
// of them.
class List final : public Collection {
 public:
  static constexpr Type kType = Type::list;
  enum class End : std::uint8_t { front, back };
  enum class Side : std::uint8_t { before, after };

  // Good until the list is changed. Positions count from the front and are below size().
  std::string_view at(std::size_t position) const;

  void push(End end, std::string_view text);
  // Not of an empty list.
  Element pop(End end);
  // The `count` elements at that end go; at most all there are.
  void drop(End end, std::size_t count);
  void set(std::size_t position, std::string_view text);
  // Next to the first element that is `pivot`. False when none is.
  bool insert(Side side, std::string_view pivot, std::string_view text);
  // Removes those that are `text`, the first `most` of them as seen from that end; how many that
  // were.
  std::size_t remove(std::string_view text, End from, std::uint64_t most);
  // Keeps `count` elements from `first` on.
  void keep(std::size_t first, std::size_t count);

  Type type() const override { return kType; }
  std::size_t size() const override;
  std::unique_ptr<Collection> clone() const override { return std::make_unique<List>(*this); }
  std::string_view encoding() const override { return "quicklist"; }
  std::size_t memory_bytes() const override;
  bool ordered() const override { return true; }
  void for_each(
      const std::function<void(std::span<const std::string_view> parts)>& see) const override;

 private:
  using Short = std::vector<Element>;
  using Long = std::deque<Element>;

  void note_drop(End end, std::size_t count);
  void lengthen();
  void shorten();

  std::variant<Short, Long> elements_;
};

}  // namespace fencepost::state
