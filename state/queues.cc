// The lines of waiters: by key in order of arrival, by owner, by client, and by the moment at which
// they give up.
#include "state/queues.h"

#include <algorithm>

#include "base/check.h"

namespace fencepost::state {

const Queues::Line* Queues::find(DatabaseIndex database, std::string_view key) const {
  const auto found = lines_.find(NameLess::View{database, key});
  return found == lines_.end() ? nullptr : &found->second;
}

Waiter* Queues::find_client(ClientId client) const {
  const auto found = by_client_.find(client);
  return found == by_client_.end() ? nullptr : found->second;
}

std::vector<Waiter*> Queues::places_of(DatabaseIndex database, std::string_view owner,
                                       const std::function<bool(std::string_view)>& wanted) const {
  std::vector<Waiter*> places;
  const auto found = by_owner_.find(owner);
  if (found == by_owner_.end()) return places;
  for (const auto& waiter : found->second) {
    if (waiter->database != database) continue;
    if (std::any_of(waiter->keys.begin(), waiter->keys.end(), wanted))
      places.push_back(waiter.get());
  }
  return places;
}

std::vector<const Waiter*> Queues::present_of(std::string_view owner) const {
  std::vector<const Waiter*> waiters;
  const auto found = by_owner_.find(owner);
  if (found == by_owner_.end()) return waiters;
  for (const auto& waiter : found->second) {
    if (waiter->present()) waiters.push_back(waiter.get());
  }
  return waiters;
}

std::vector<std::string> Queues::keys_with_lines(DatabaseIndex database) const {
  std::vector<std::string> keys;
  for (auto line = lines_.lower_bound(NameLess::View{database, ""});
       line != lines_.end() && line->first.database == database; ++line) {
    keys.push_back(line->first.key);
  }
  return keys;
}

Waiter& Queues::add(std::unique_ptr<Waiter> waiter) {
  Waiter& added = *waiter;
  if (added.present()) {
    const bool fresh = by_client_.emplace(added.client, &added).second;
    check(fresh, "a client waits for one thing at a time");
    waits_.emplace(std::pair{added.deadline, added.id}, &added);
    enter_lines(added);
  } else {
    kept_.emplace(std::pair{added.deadline, added.id}, &added);
  }
  by_owner_[added.owner].push_back(std::move(waiter));
  return added;
}

void Queues::make_absent(Waiter& waiter, Instant until) {
  check(waiter.present(), "only who is present can go away");
  leave_lines(waiter);
  waits_.erase({waiter.deadline, waiter.id});
  by_client_.erase(waiter.client);
  waiter.client = ClientId::nobody;
  waiter.deadline = until;
  kept_.emplace(std::pair{until, waiter.id}, &waiter);
}

std::unique_ptr<Waiter> Queues::remove(Waiter& waiter) {
  if (waiter.present()) {
    leave_lines(waiter);
    waits_.erase({waiter.deadline, waiter.id});
    by_client_.erase(waiter.client);
  } else {
    kept_.erase({waiter.deadline, waiter.id});
  }
  const auto places = by_owner_.find(waiter.owner);
  check(places != by_owner_.end(), "a waiter is known by its owner");
  const auto own = std::find_if(places->second.begin(), places->second.end(),
                                [&waiter](const auto& other) { return other.get() == &waiter; });
  check(own != places->second.end(), "a waiter is known by its owner");
  std::unique_ptr<Waiter> removed = std::move(*own);
  places->second.erase(own);
  if (places->second.empty()) by_owner_.erase(places);
  return removed;
}

void Queues::enter_lines(Waiter& waiter) {
  for (const std::string& key : waiter.keys) {
    lines_[KeyName{waiter.database, key}].emplace(waiter.place, &waiter);
  }
}

void Queues::leave_lines(Waiter& waiter) {
  for (const std::string& key : waiter.keys) {
    const auto line = lines_.find(NameLess::View{waiter.database, key});
    check(line != lines_.end(), "a present waiter stands in the line of each of its keys");
    line->second.erase(waiter.place);
    if (line->second.empty()) lines_.erase(line);
  }
}

}  // namespace fencepost::state
