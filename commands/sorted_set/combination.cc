// ZUNION, ZINTER and ZDIFF: what they make of several sets.
#include "commands/sorted_set/combination.h"

#include <algorithm>
#include <cmath>

namespace fencepost::commands {

namespace {

using state::ScoredMember;
using state::SortedSet;

// Infinity times 0, or minus infinity: such scores are 0.
double as_score(double value) {
  return std::isnan(value) ? 0 : value;
}

double aggregated(Aggregate aggregate, double score, double other) {
  switch (aggregate) {
    case Aggregate::sum:
      return as_score(score + other);
    case Aggregate::min:
      return other < score ? other : score;
    case Aggregate::max:
      return other > score ? other : score;
  }
  return score;
}

void put(SortedSet& set, const ScoredMember& one) {
  set.add(one.member, one.score, {});
}

// Scores are added up in this order, which shows in their last digits.
void smallest_first(std::vector<Input>& inputs) {
  std::stable_sort(inputs.begin(), inputs.end(),
                   [](const Input& a, const Input& b) { return a.size() < b.size(); });
}

void unite(const Combination& given, SortedSet& made) {
  for (const Input& input : given.inputs) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      const ScoredMember one = input.at(i);
      const double score = as_score(input.weight * one.score);
      const auto at = made.find(one.member);
      if (at == SortedSet::kNowhere) {
        put(made, {one.member, score});
      } else {
        made.set_score(at, aggregated(given.aggregate, made.element(at).score, score));
      }
    }
  }
}

// The score of one of the first input's elements in all of them; null when it is not in all.
std::optional<double> common_score(const Combination& given, const ScoredMember& one) {
  double score = as_score(given.inputs.front().weight * one.score);
  for (std::size_t i = 1; i < given.inputs.size(); ++i) {
    const auto other = given.inputs[i].score_of(one.member);
    if (!other) return std::nullopt;
    score = aggregated(given.aggregate, score, *other * given.inputs[i].weight);
  }
  return score;
}

void intersect(const Combination& given, SortedSet& made) {
  const Input& first = given.inputs.front();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const ScoredMember one = first.at(i);
    if (const auto score = common_score(given, one)) put(made, {one.member, *score});
  }
}

void subtract(const Combination& given, SortedSet& made) {
  const Input& first = given.inputs.front();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const ScoredMember one = first.at(i);
    const bool elsewhere =
        std::any_of(given.inputs.begin() + 1, given.inputs.end(),
                    [&one](const Input& other) { return other.score_of(one.member).has_value(); });
    if (!elsewhere) put(made, one);
  }
}

}  // namespace

std::size_t Input::size() const {
  if (set_ != nullptr) return set_->size();
  return sorted_ == nullptr ? 0 : sorted_->size();
}

ScoredMember Input::at(std::size_t position) const {
  if (set_ != nullptr) return {set_->at(position, digits_), 1};
  return sorted_->element(static_cast<SortedSet::Position>(position));
}

std::optional<double> Input::score_of(std::string_view member) const {
  if (set_ != nullptr) return set_->contains(member) ? std::optional{1.0} : std::nullopt;
  if (sorted_ == nullptr) return std::nullopt;
  const auto at = sorted_->find(member);
  return at == SortedSet::kNowhere ? std::nullopt : std::optional{sorted_->element(at).score};
}

void combine(Combination& given, SortedSet& made) {
  made.outgrow();
  switch (given.operation) {
    case Operation::unite:
      smallest_first(given.inputs);
      return unite(given, made);
    case Operation::intersect:
      smallest_first(given.inputs);
      return intersect(given, made);
    case Operation::subtract:
      return subtract(given, made);
  }
}

std::uint64_t count_common(Combination& given, std::uint64_t limit) {
  smallest_first(given.inputs);
  const Input& first = given.inputs.front();
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < first.size() && (limit == 0 || count < limit); ++i) {
    if (common_score(given, first.at(i))) ++count;
  }
  return count;
}

}  // namespace fencepost::commands
