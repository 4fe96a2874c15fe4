// ZUNION, ZINTER and ZDIFF: what they make of several sets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/context.h"
#include "state/item.h"
#include "state/set.h"
#include "state/sorted_set.h"

namespace fencepost::commands {

enum class Operation : std::uint8_t { unite, intersect, subtract };
enum class Aggregate : std::uint8_t { sum, min, max };

// A sorted set, or a set, whose members all have the score 1; or nothing, which is an empty one.
class Input {
 public:
  Input() = default;
  explicit Input(const state::SortedSet& set) : sorted_{&set} {}
  explicit Input(const state::Set& set) : set_{&set} {}

  std::size_t size() const;
  // Positions are dense. Good until the next call: a number's text is kept here.
  state::ScoredMember at(std::size_t position) const;
  std::optional<double> score_of(std::string_view member) const;

  double weight = 1;

 private:
  const state::SortedSet* sorted_ = nullptr;
  const state::Set* set_ = nullptr;
  mutable std::string digits_;
};

struct Combination {
  Operation operation = Operation::unite;
  Aggregate aggregate = Aggregate::sum;
  std::vector<Input> inputs;
};

// Not small yet, whatever it has.
void combine(Combination& given, state::SortedSet& made);
// How many are in all of them; counting ends at the limit (0: none).
std::uint64_t count_common(Combination& given, std::uint64_t limit);

}  // namespace fencepost::commands
