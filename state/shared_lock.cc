// A key held by several at once: readers together (SHARED) or a semaphore (LIMIT n).
#include "state/shared_lock.h"

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

Hold& SharedLock::put(std::string_view owner, Instant deadline) {
  auto found = holds_.find(owner);
  if (found == holds_.end()) {
    check(!full(), "a semaphore has room for the hold it is given");
    found = holds_.emplace(std::string{owner}, Hold{}).first;
  } else {
    by_deadline_.erase({found->second.deadline, found->first});
  }
  found->second.deadline = deadline;
  by_deadline_.emplace(deadline, found->first);
  return found->second;
}

void SharedLock::remove(std::string_view owner) {
  const auto found = holds_.find(owner);
  if (found == holds_.end()) return;
  by_deadline_.erase({found->second.deadline, found->first});
  holds_.erase(found);
  check(holds_.size() == by_deadline_.size(), "each hold has one deadline");
}

void SharedLock::renumber(const std::function<std::uint64_t()>& next_fence) {
  for (auto& [owner, hold] : holds_) hold.fence = next_fence();
}

Instant SharedLock::earliest_deadline() const {
  return by_deadline_.empty() ? kNever : by_deadline_.begin()->first;
}

Instant SharedLock::latest_deadline() const {
  return by_deadline_.empty() ? kNever : by_deadline_.rbegin()->first;
}

}  // namespace fencepost::state
