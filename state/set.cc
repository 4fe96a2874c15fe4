// A set: members, each once.
#include "state/set.h"

#include <algorithm>

#include "base/check.h"
#include "base/number.h"

namespace fencepost::state {

namespace {

// As in Redis, whatever the setting says.
constexpr std::size_t kMostNumbers = std::size_t{1} << 30;

}  // namespace

bool Set::contains(std::string_view member) const {
  if (!is_numbers_) return texts_.contains(member);
  const auto number = parse_integer(member);
  return number && std::binary_search(numbers_.begin(), numbers_.end(), *number);
}

bool Set::add(std::string_view member, std::size_t most_numbers) {
  note_step('s', {member});
  if (is_numbers_) {
    if (const auto number = parse_integer(member)) return add_number(*number, most_numbers);
    become_texts();
  }
  return texts_.insert(member).is_new;
}

bool Set::add_number(std::int64_t number, std::size_t most_numbers) {
  const auto place = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  if (place != numbers_.end() && *place == number) return false;
  numbers_.insert(place, number);
  if (numbers_.size() > std::min(most_numbers, kMostNumbers)) become_texts();
  return true;
}

void Set::become_texts() {
  if (!is_numbers_) return;
  for (const std::int64_t number : numbers_) texts_.insert(std::to_string(number));
  numbers_ = {};
  is_numbers_ = false;
  note_step('o', {});
}

bool Set::erase(std::string_view member) {
  note_step('d', {member});
  if (!is_numbers_) return texts_.erase(member);
  const auto number = parse_integer(member);
  if (!number) return false;
  const auto place = std::lower_bound(numbers_.begin(), numbers_.end(), *number);
  if (place == numbers_.end() || *place != *number) return false;
  numbers_.erase(place);
  give_back();
  return true;
}

// From the last to the first, for what is erased changes the positions behind it alone.
void Set::erase_at(const std::vector<std::size_t>& positions) {
  check(std::is_sorted(positions.begin(), positions.end()), "positions ascend");
  std::string digits;
  for (const std::size_t position : positions) note_step('d', {at(position, digits)});
  if (!is_numbers_) {
    for (auto at = positions.rbegin(); at != positions.rend(); ++at) texts_.erase_at(*at);
    return;
  }
  auto next = positions.begin();
  std::size_t kept = 0;
  for (std::size_t at = 0; at < numbers_.size(); ++at) {
    if (next != positions.end() && *next == at) {
      ++next;
    } else {
      numbers_[kept++] = numbers_[at];
    }
  }
  numbers_.resize(kept);
  give_back();
}

// Memory that most of is not needed any more.
void Set::give_back() {
  if (numbers_.capacity() > 4 * numbers_.size()) numbers_.shrink_to_fit();
}

std::string_view Set::at(std::size_t position, std::string& digits) const {
  check(position < size(), "there is a member at that position");
  if (!is_numbers_) return texts_.at(position).field;
  digits.clear();
  append_integer(digits, numbers_[position]);
  return digits;
}

std::size_t Set::memory_bytes() const {
  return sizeof(*this) - sizeof(texts_) + texts_.memory_bytes() +
         numbers_.capacity() * sizeof(std::int64_t);
}

void Set::for_each(const std::function<void(std::span<const std::string_view> parts)>& see) const {
  std::string digits;
  for (std::size_t position = 0; position < size(); ++position) {
    const std::string_view member = at(position, digits);
    see({&member, 1});
  }
}

}  // namespace fencepost::state
