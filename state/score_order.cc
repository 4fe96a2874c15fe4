// Members in the order of their scores: a tree that is balanced by weight.
#include "state/score_order.h"

#include "base/check.h"

namespace fencepost::state {

namespace {

// One side may be so many times as heavy as the other, before part of it is moved over.
constexpr std::size_t kMostUneven = 3;
// The inner part of the heavy side, against the outer one: from here on it is split.
constexpr std::size_t kHeavyWithin = 2;

}  // namespace

bool ScoreOrder::is_before(Position a, Position b) const {
  const ScoredMember one = element(a);
  const ScoredMember other = element(b);
  if (one.score != other.score) return one.score < other.score;
  return one.member < other.member;
}

void ScoreOrder::insert(Position made) {
  node(made).under = {kNowhere, kNowhere};
  node(made).size = 1;
  top_ = with(top_, made);
}

ScoreOrder::Position ScoreOrder::with(Position top, Position made) {
  if (top == kNowhere) return made;
  const Side side = is_before(made, top) ? 0 : 1;
  const Position under = with(node(top).under[side], made);
  node(top).under[side] = under;
  return balanced(top);
}

ScoreOrder::Position ScoreOrder::without(Position top, Position gone) {
  check(top != kNowhere, "what is erased is in order");
  if (top == gone) return joined(node(top).under[0], node(top).under[1]);
  const Side side = is_before(gone, top) ? 0 : 1;
  const Position under = without(node(top).under[side], gone);
  node(top).under[side] = under;
  return balanced(top);
}

// One tree of two, all of the first being lower than all of the second.
ScoreOrder::Position ScoreOrder::joined(Position lower, Position higher) {
  if (lower == kNowhere) return higher;
  if (higher == kNowhere) return lower;
  const bool from_lower = size_of(lower) > size_of(higher);
  const Position heir = from_lower ? outermost(lower, 1) : outermost(higher, 0);
  if (from_lower) {
    lower = without(lower, heir);
  } else {
    higher = without(higher, heir);
  }
  node(heir).under = {lower, higher};
  return balanced(heir);
}

ScoreOrder::Position ScoreOrder::outermost(Position top, Side side) const {
  while (node(top).under[side] != kNowhere) top = node(top).under[side];
  return top;
}

// The top of the same tree, one side of which had one inserted or erased.
ScoreOrder::Position ScoreOrder::balanced(Position top) {
  for (const Side side : {Side{0}, Side{1}}) {
    const Position heavy = node(top).under[side];
    if (weight_of(heavy) <= kMostUneven * weight_of(node(top).under[1 - side])) continue;
    const auto under = node(heavy).under;
    if (weight_of(under[1 - side]) >= kHeavyWithin * weight_of(under[side])) {
      node(top).under[side] = raised(heavy, 1 - side);
    }
    return raised(top, side);
  }
  measure(top);
  return top;
}

// The one under `top` on that side becomes the top; what is between them changes over.
ScoreOrder::Position ScoreOrder::raised(Position top, Side side) {
  const Position made = node(top).under[side];
  node(top).under[side] = node(made).under[1 - side];
  node(made).under[1 - side] = top;
  measure(top);
  measure(made);
  return made;
}

void ScoreOrder::measure(Position top) {
  Scored& at = node(top);
  at.size = static_cast<std::uint32_t>(size_of(at.under[0]) + 1 + size_of(at.under[1]));
}

ScoreOrder::Position& ScoreOrder::link_to(Position at) {
  Position* link = &top_;
  while (*link != at) {
    check(*link != kNowhere, "what moves is in order");
    link = &node(*link).under[is_before(at, *link) ? 0 : 1];
  }
  return *link;
}

ScoreOrder::Position ScoreOrder::nth(std::size_t rank) const {
  check(rank < size_of(top_), "there are more than so many");
  Position at = top_;
  for (;;) {
    const auto& under = node(at).under;
    const std::size_t before = size_of(under[0]);
    if (rank == before) return at;
    at = under[rank < before ? 0 : 1];
    if (rank > before) rank -= before + 1;
  }
}

std::size_t ScoreOrder::rank_of(Position at) const {
  std::size_t before = 0;
  for (Position top = top_; top != at;) {
    check(top != kNowhere, "what has a rank is in order");
    const auto& under = node(top).under;
    const bool lower = is_before(at, top);
    if (!lower) before += size_of(under[0]) + 1;
    top = under[lower ? 0 : 1];
  }
  return before + size_of(node(at).under[0]);
}

}  // namespace fencepost::state
