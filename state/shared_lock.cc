// A key held by several at once: readers together (SHARED) or a semaphore (LIMIT n).
#include "state/shared_lock.h"

#include <algorithm>

#include "base/check.h"

namespace fencepost::state {

std::string_view mode_name(Mode mode) {
  switch (mode) {
    case Mode::exclusive:
      return "exclusive";
    case Mode::shared:
      return "shared";
    case Mode::limit:
      return "limit";
  }
  return "exclusive";
}

bool SharedLock::full() const {
  return mode_ == Mode::limit && holds_.size() >= static_cast<std::size_t>(limit_);
}

Hold* SharedLock::find(std::string_view owner) {
  const auto found = holds_.find(owner);
  return found == holds_.end() ? nullptr : &found->second;
}

SharedLock::Holds::value_type* SharedLock::with_fence(std::uint64_t fence) const {
  const auto found = std::lower_bound(
      granted_.begin(), granted_.end(), fence,
      [](const Granted& granted, std::uint64_t wanted) { return granted.fence < wanted; });
  return found != granted_.end() && found->fence == fence ? found->hold : nullptr;
}

SharedLock::Holds::value_type* SharedLock::with_number(std::uint64_t number) const {
  const auto found = std::lower_bound(
      granted_.begin(), granted_.end(), number,
      [](const Granted& granted, std::uint64_t wanted) { return granted.number < wanted; });
  return found != granted_.end() && found->number == number ? found->hold : nullptr;
}

Hold& SharedLock::grant(std::string_view owner, std::uint64_t fence, Instant deadline) {
  note_changed(owner);
  auto found = holds_.find(owner);
  if (found == holds_.end()) {
    check(!full(), "a semaphore has room for the hold it is given");
    found = holds_.emplace(std::string{owner}, Hold{}).first;
  } else {
    by_deadline_.erase({found->second.deadline, found->first});
    forget(found->second);
  }
  check(granted_.empty() || granted_.back().fence < fence, "fences rise");
  granted_.push_back({fence, fence, &*found});
  found->second = Hold{};
  found->second.fence = fence;
  found->second.number = fence;
  found->second.deadline = deadline;
  by_deadline_.emplace(deadline, found->first);
  return found->second;
}

void SharedLock::set_deadline(std::string_view owner, Instant deadline) {
  const auto found = holds_.find(owner);
  check(found != holds_.end(), "only a hold that is there has a deadline");
  note_changed(owner);
  by_deadline_.erase({found->second.deadline, found->first});
  found->second.deadline = deadline;
  by_deadline_.emplace(deadline, found->first);
}

void SharedLock::remove(std::string_view owner) {
  const auto found = holds_.find(owner);
  if (found == holds_.end()) return;
  note_changed(owner);
  by_deadline_.erase({found->second.deadline, found->first});
  forget(found->second);
  holds_.erase(found);
  check(holds_.size() == by_deadline_.size(), "each hold has one deadline");
}

void SharedLock::forget(const Hold& hold) {
  const auto found = std::lower_bound(
      granted_.begin(), granted_.end(), hold.number,
      [](const Granted& granted, std::uint64_t wanted) { return granted.number < wanted; });
  check(found != granted_.end() && found->number == hold.number, "each hold was granted");
  found->hold = nullptr;
  if (++gone_ <= granted_.size() / 2) return;
  std::erase_if(granted_, [](const Granted& granted) { return granted.hold == nullptr; });
  gone_ = 0;
}

void SharedLock::note_released(std::uint64_t owner_hash) {
  released_.push_back(owner_hash);
  const std::string digits = std::to_string(owner_hash);
  const std::string_view part = digits;
  steps_.note('r', {&part, 1});
}

void SharedLock::forget_released() {
  if (released_.empty()) return;
  released_.clear();
  steps_.note('c', {});
}

void SharedLock::renumber(const std::function<std::uint64_t()>& next_fence) {
  steps_.forget();
  std::erase_if(granted_, [](const Granted& granted) { return granted.hold == nullptr; });
  gone_ = 0;
  for (Granted& granted : granted_) {
    granted.fence = next_fence();
    granted.hold->second.fence = granted.fence;
  }
}

Instant SharedLock::earliest_deadline() const {
  return by_deadline_.empty() ? kNever : by_deadline_.begin()->first;
}

Instant SharedLock::latest_deadline() const {
  return by_deadline_.empty() ? kNever : by_deadline_.rbegin()->first;
}

}  // namespace fencepost::state
