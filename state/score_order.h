// Members in the order of their scores: which is the n-th, and how many stand before one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "state/field_table.h"

namespace fencepost::state {

struct ScoredMember {
  std::string_view member;
  double score = 0;
};

enum class Direction : std::uint8_t { up, down };

// What a member has in its table: the score, and its place in the tree.
struct Scored {
  double score = 0;
  std::array<std::uint32_t, 2> under{};  // lower and higher ones; set by ScoreOrder
  std::uint32_t size = 1;                // of the tree that has this one at its top
};

// By score; equal ones by the bytes of the member. A binary tree whose nodes are the entries of a
// table, balanced by weight: every step is O(log n), and a place in it takes 12 bytes.
// Source: Adams, "Efficient sets: a balancing act", 1993, with the weights that Hirai and Yamamoto
// proved right ("Balancing weight-balanced trees", 2011).
class ScoreOrder {
 public:
  using Table = FieldTable<Scored>;
  using Position = FieldIndex::Position;
  static constexpr Position kNowhere = FieldIndex::kNowhere;

  // The table outlives it. With a top: of a table that is a copy, and so has a tree in it.
  explicit ScoreOrder(Table& table, Position top = kNowhere) : table_{table}, top_{top} {}

  Position top() const { return top_; }
  // An entry was put into the table.
  void insert(Position made);
  // An entry is about to leave it, or to get another score.
  void erase(Position gone) { top_ = without(top_, gone); }
  // An entry is about to move to the position of one that was erased here.
  void move(Position from, Position to) { link_to(from) = to; }

  // The entry that `rank` others stand before.
  Position nth(std::size_t rank) const;
  std::size_t rank_of(Position at) const;

  // How many stand before the first for which `holds(element)`, which holds for all behind it.
  template <typename Holds>
  std::size_t count_until(const Holds& holds) const {
    std::size_t before = 0;
    for (Position at = top_; at != kNowhere;) {
      const auto& under = node(at).under;
      if (holds(element(at))) {
        at = under[0];
      } else {
        before += size_of(under[0]) + 1;
        at = under[1];
      }
    }
    return before;
  }

  // Calls `see(element)` for each from the one that `skip` others stand before, the last one being
  // the first when it goes down, until it says false. `see` must not change the order.
  template <typename See>
  void visit(std::size_t skip, Direction direction, const See& see) const {
    walk(top_, skip, direction == Direction::up ? 0 : 1, see);
  }

  ScoredMember element(Position at) const {
    const Table::Entry& entry = table_.at(at);
    return {entry.field, entry.value.score};
  }

 private:
  using Side = std::size_t;  // 0: lower, 1: higher

  const Scored& node(Position at) const { return table_.at(at).value; }
  Scored& node(Position at) { return table_.value_at(at); }
  std::size_t size_of(Position at) const { return at == kNowhere ? 0 : node(at).size; }
  std::size_t weight_of(Position at) const { return size_of(at) + 1; }
  bool is_before(Position a, Position b) const;

  Position with(Position top, Position made);
  Position without(Position top, Position gone);
  Position joined(Position lower, Position higher);
  Position outermost(Position top, Side side) const;
  Position balanced(Position top);
  Position raised(Position top, Side side);
  void measure(Position top);
  Position& link_to(Position at);

  template <typename See>
  bool walk(Position top, std::size_t skip, Side near, const See& see) const {
    if (skip >= size_of(top)) return true;
    const auto under = node(top).under;
    const std::size_t before = size_of(under[near]);
    if (!walk(under[near], skip, near, see)) return false;
    if (skip <= before && !see(element(top))) return false;
    return walk(under[1 - near], skip > before ? skip - before - 1 : 0, near, see);
  }

  Table& table_;
  Position top_;
};

}  // namespace fencepost::state
