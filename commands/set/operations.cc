// Intersection, union and difference of sets.
#include "commands/set/operations.h"

#include <algorithm>
#include <set>
#include <string>

namespace fencepost::commands {

namespace {

using state::Set;

// Each set once, however often it is named.
Operands named_once(const Operands& sets) {
  std::set<const Set*> known;  // for asking only: the order of addresses is nobody's business
  Operands once;
  for (const Set* set : sets) {
    if (known.insert(set).second) once.push_back(set);
  }
  return once;
}

// Nothing when one of them is empty.
Operands smallest_first(const Operands& named) {
  Operands sets = named_once(named);
  if (std::find(sets.begin(), sets.end(), nullptr) != sets.end()) return {};
  std::stable_sort(sets.begin(), sets.end(),
                   [](const Set* a, const Set* b) { return a->size() < b->size(); });
  return sets;
}

// Calls `see(member)` for each member that all of the sets have, until it says false.
template <typename See>
void for_each_common(const Operands& named, const See& see) {
  const Operands sets = smallest_first(named);
  if (sets.empty()) return;
  std::string digits;
  for (std::size_t at = 0; at < sets[0]->size(); ++at) {
    const std::string_view member = sets[0]->at(at, digits);
    const bool common = std::all_of(sets.begin() + 1, sets.end(),
                                    [member](const Set* set) { return set->contains(member); });
    if (common && !see(member)) return;
  }
}

struct Costs {
  std::size_t looking_up = 0;     // each member of the first set in all of the sets
  std::size_t going_through = 0;  // all members of all sets
};

Costs costs_of(const Operands& sets) {
  Costs costs;
  for (const Set* set : sets) {
    if (set == nullptr) continue;
    costs.looking_up += sets[0]->size();
    costs.going_through += set->size();
  }
  return costs;
}

// How Redis goes about it, which shows in whether a result is one of numbers; unless what only
// seems cheap, because a large set is named many times, would be far too dear.
bool is_better_looked_up(const Operands& named, const Operands& once) {
  constexpr std::size_t kFarTooDear = 8;
  const Costs seeming = costs_of(named);
  const Costs real = costs_of(once);
  return seeming.looking_up / 2 <= seeming.going_through &&
         real.looking_up / kFarTooDear <= real.going_through;
}

void add_all(Set& made, const Set& from, std::size_t most_numbers) {
  std::string digits;
  for (std::size_t at = 0; at < from.size(); ++at) made.add(from.at(at, digits), most_numbers);
}

void erase_all(Set& made, const Set& other) {
  std::string digits;
  for (std::size_t at = 0; at < other.size(); ++at) made.erase(other.at(at, digits));
}

}  // namespace

Set intersection(const Operands& sets, Set made, std::size_t most_numbers) {
  for_each_common(sets, [&made, most_numbers](std::string_view member) {
    made.add(member, most_numbers);
    return true;
  });
  return made;
}

std::size_t intersection_size(const Operands& sets, std::size_t limit) {
  std::size_t count = 0;
  for_each_common(sets, [&count, limit](std::string_view) { return ++count != limit; });
  return count;
}

Set union_of(const Operands& named, Set made, std::size_t most_numbers) {
  for (const Set* set : named_once(named)) {
    if (set != nullptr) add_all(made, *set, most_numbers);
  }
  return made;
}

Set difference(const Operands& named, Set made, std::size_t most_numbers) {
  const Operands sets = named_once(named);
  const Set* first = named[0];
  const bool from_itself = std::count(named.begin(), named.end(), first) > 1;
  if (first == nullptr || from_itself) return made;
  if (!is_better_looked_up(named, sets)) {
    add_all(made, *first, most_numbers);
    for (std::size_t i = 1; i < sets.size() && made.size() > 0; ++i) {
      if (sets[i] != nullptr) erase_all(made, *sets[i]);
    }
    return made;
  }
  std::string digits;
  for (std::size_t at = 0; at < first->size(); ++at) {
    const std::string_view member = first->at(at, digits);
    const bool elsewhere = std::any_of(sets.begin() + 1, sets.end(), [member](const Set* set) {
      return set != nullptr && set->contains(member);
    });
    if (!elsewhere) made.add(member, most_numbers);
  }
  return made;
}

}  // namespace fencepost::commands
