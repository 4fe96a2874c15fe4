// Members, each with a score, in the order of the scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "state/collection.h"
#include "state/field_table.h"
#include "state/score_order.h"

namespace fencepost::state {

// Positions are good until the set is changed. A range is anything that says of an element whether
// it is `below` the range, or `above` it.
class SortedSet final : public Collection {
 public:
  static constexpr Type kType = Type::sorted_set;
  using Position = ScoreOrder::Position;
  static constexpr Position kNowhere = ScoreOrder::kNowhere;

  // Up to so many members, none longer than that, Redis keeps in one piece in the order of their
  // scores, which a scan shows (zset-max-listpack-entries and -value). One that has outgrown them
  // once stays as it is.
  struct Compact {
    std::size_t members = 128;
    std::size_t member_bytes = 64;
  };

  // The seed goes against chosen collisions; nothing that can be seen depends on it.
  explicit SortedSet(std::uint64_t hash_seed);
  SortedSet(const SortedSet& other);
  SortedSet& operator=(const SortedSet&) = delete;

  Type type() const override { return kType; }
  std::size_t size() const override { return members_.size(); }
  std::unique_ptr<Collection> clone() const override;
  bool is_small() const { return is_small_; }
  std::string_view encoding() const override { return is_small_ ? "listpack" : "skiplist"; }
  std::size_t memory_bytes() const override;
  bool ordered() const override { return false; }
  void for_each(
      const std::function<void(std::span<const std::string_view> parts)>& see) const override;

  // kNowhere when it is no member.
  Position find(std::string_view member) const;
  ScoredMember element(Position at) const { return order_.element(at); }
  std::size_t rank_of(Position at) const { return order_.rank_of(at); }
  Position nth(std::size_t rank) const { return order_.nth(rank); }

  // Only one that is no member yet. Scores are numbers, infinity included.
  void add(std::string_view member, double score, const Compact& compact);
  void set_score(Position at, double score);
  void erase(Position at);

  // From now on it is not small, whatever it has.
  void outgrow();
  // For one that was put together before it was anybody's: small or not by what it has.
  void settle(const Compact& compact);

  // As ScoreOrder::visit.
  template <typename See>
  void visit(std::size_t skip, Direction direction, const See& see) const {
    order_.visit(skip, direction, see);
  }
  // How many to skip on the way in that direction, for the first that is in the range; null when
  // there is none.
  template <typename Range>
  std::optional<std::size_t> first_in(const Range& range, Direction direction) const;
  template <typename Range>
  std::size_t count_in(const Range& range) const;

  // As FieldTable::scan; a small one is seen whole, in its order.
  template <typename See>
  std::uint64_t scan(std::uint64_t cursor, std::size_t count, const See& see) const {
    if (!is_small_) {
      return members_.scan(cursor, count, [&see](const ScoreOrder::Table::Entry& entry) {
        see(ScoredMember{entry.field, entry.value.score});
      });
    }
    visit(0, Direction::up, [&see](const ScoredMember& one) { return see(one), true; });
    return 0;
  }

 private:
  double kept(double score) const;
  void note_score(std::string_view member, double score);

  ScoreOrder::Table members_;
  ScoreOrder order_;
  bool is_small_ = true;
};

// Redis walks along a small one. That shows where a range of members is asked for though the scores
// differ, and the members are in no order then.
template <typename Range>
std::optional<std::size_t> SortedSet::first_in(const Range& range, Direction direction) const {
  if (size() == 0 || range.below(element(nth(size() - 1))) || range.above(element(nth(0)))) {
    return std::nullopt;
  }
  const bool up = direction == Direction::up;
  const auto is_short_of = [&range, up](const ScoredMember& one) {
    return up ? range.below(one) : range.above(one);
  };
  std::size_t skip = 0;
  if (is_small_) {
    visit(0, direction, [&](const ScoredMember& one) { return is_short_of(one) && ++skip; });
  } else if (up) {
    skip = order_.count_until([&range](const ScoredMember& one) { return !range.below(one); });
  } else {
    skip =
        size() - order_.count_until([&range](const ScoredMember& one) { return range.above(one); });
  }
  if (skip == size()) return std::nullopt;
  const ScoredMember first = element(nth(up ? skip : size() - 1 - skip));
  return (up ? range.above(first) : range.below(first)) ? std::nullopt : std::optional{skip};
}

template <typename Range>
std::size_t SortedSet::count_in(const Range& range) const {
  const auto first = first_in(range, Direction::up);
  if (!first) return 0;
  if (!is_small_) {
    return order_.count_until([&range](const ScoredMember& one) { return range.above(one); }) -
           *first;
  }
  std::size_t count = 0;
  visit(*first, Direction::up,
        [&](const ScoredMember& one) { return !range.above(one) && ++count; });
  return count;
}

}  // namespace fencepost::state
