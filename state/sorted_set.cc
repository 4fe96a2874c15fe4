// Members, each with a score, in the order of the scores.
#include "state/sorted_set.h"

#include <array>
#include <cmath>

#include "base/check.h"
#include "base/number.h"

namespace fencepost::state {

SortedSet::SortedSet(std::uint64_t hash_seed) : members_{hash_seed}, order_{members_} {
  members_.forget_order();
}

SortedSet::SortedSet(const SortedSet& other)
    : Collection{other},
      members_{other.members_},
      order_{members_, other.order_.top()},
      is_small_{other.is_small_} {}

std::unique_ptr<Collection> SortedSet::clone() const {
  return std::make_unique<SortedSet>(*this);
}

std::size_t SortedSet::memory_bytes() const {
  return sizeof(*this) - sizeof(members_) + members_.memory_bytes();
}

void SortedSet::for_each(
    const std::function<void(std::span<const std::string_view> parts)>& see) const {
  visit(0, Direction::up, [&see](const ScoredMember& one) {
    std::array<char, 32> digits{};
    const std::array<std::string_view, 2> parts{one.member, print_double(one.score, digits)};
    see(parts);
    return true;
  });
}

SortedSet::Position SortedSet::find(std::string_view member) const {
  return static_cast<Position>(members_.position_of(member));
}

// Redis keeps whole numbers of a small one as integers, which have no -0.
double SortedSet::kept(double score) const {
  return is_small_ ? score + 0.0 : score;
}

void SortedSet::add(std::string_view member, double score, const Compact& compact) {
  check(!std::isnan(score), "a score is a number");
  if (size() >= compact.members || member.size() > compact.member_bytes) outgrow();
  const auto made = members_.insert(member, Scored{.score = kept(score)});
  check(made.is_new, "a member is added once");
  note_score(member, score);
  order_.insert(static_cast<Position>(size() - 1));
}

void SortedSet::set_score(Position at, double score) {
  check(!std::isnan(score), "a score is a number");
  order_.erase(at);
  members_.value_at(at).score = kept(score);
  order_.insert(at);
  note_score(members_.at(at).field, score);
}

// The last entry of the table takes the place of the one that goes.
void SortedSet::erase(Position at) {
  check(at < size(), "what is erased is a member");
  note_step('d', {members_.at(at).field});
  order_.erase(at);
  const auto last = static_cast<Position>(size() - 1);
  if (at != last) order_.move(last, at);
  members_.erase_at(at);
}

void SortedSet::note_score(std::string_view member, double score) {
  if (!steps().are_noted()) return;
  std::array<char, 32> digits{};
  note_step('s', {member, print_double(score, digits)});
}

void SortedSet::outgrow() {
  if (!is_small_) return;
  is_small_ = false;
  note_step('o', {});
}

void SortedSet::settle(const Compact& compact) {
  is_small_ = size() <= compact.members;
  for (Position at = 0; at < size() && is_small_; ++at) {
    is_small_ = members_.at(at).field.size() <= compact.member_bytes;
  }
  for (Position at = 0; at < size() && is_small_; ++at) {
    members_.value_at(at).score = kept(members_.at(at).value.score);
  }
}

}  // namespace fencepost::state
