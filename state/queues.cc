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
                                       std::string_view key) const {
  return places_of(database, owner, std::span{&key, 1});
}

std::vector<Waiter*> Queues::places_of(DatabaseIndex database, std::string_view owner,
                                       std::span<const std::string_view> keys) const {
  std::vector<Waiter*> places;
  const auto found = by_owner_.find(owner);
  if (found == by_owner_.end()) return places;
  const auto& by_key = found->second.by_key;
  for (const std::string_view key : keys) {
    const auto [first, last] = by_key.equal_range({database, key});
    for (auto at = first; at != last; ++at) places.push_back(at->second);
  }
  const auto earlier = [](const Waiter* a, const Waiter* b) { return a->id < b->id; };
  std::sort(places.begin(), places.end(), earlier);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Waiter* Queues::find_kept(std::string_view owner, std::uint64_t place) const {
  const auto found = by_owner_.find(owner);
  if (found == by_owner_.end()) return nullptr;
  const auto [first, last] = found->second.by_place.equal_range(place);
  const auto kept =
      std::find_if(first, last, [](const auto& entry) { return !entry.second->present(); });
  return kept == last ? nullptr : kept->second.get();
}

std::vector<const Waiter*> Queues::present_of(std::string_view owner) const {
  std::vector<const Waiter*> waiters;
  const auto found = by_owner_.find(owner);
  if (found == by_owner_.end()) return waiters;
  for (const auto& [place, waiter] : found->second.by_place) {
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
  bytes_with(added) += bytes_of(added);
  Places& places = by_owner_[added.owner];
  places.by_place.emplace(added.place, std::move(waiter));
  name_keys(places, added);
  return added;
}

// The views into its keys are of no use once they have moved.
void Queues::add_key(Waiter& kept, std::string_view key) {
  check(!kept.present(), "who is present stands in the lines of its keys");
  Places& places = by_owner_.find(kept.owner)->second;
  forget_keys(places, kept);
  absent_bytes_ -= bytes_of(kept);
  kept.keys.emplace_back(key);
  absent_bytes_ += bytes_of(kept);
  name_keys(places, kept);
}

std::unique_ptr<Waiter> Queues::remove(Waiter& waiter) {
  if (waiter.present()) {
    leave_lines(waiter);
    waits_.erase({waiter.deadline, waiter.id});
    by_client_.erase(waiter.client);
  } else {
    kept_.erase({waiter.deadline, waiter.id});
  }
  bytes_with(waiter) -= bytes_of(waiter);
  const auto owner = by_owner_.find(waiter.owner);
  check(owner != by_owner_.end(), "a waiter is known by its owner");
  Places& places = owner->second;
  forget_keys(places, waiter);
  const auto [first, last] = places.by_place.equal_range(waiter.place);
  const auto own = std::find_if(
      first, last, [&waiter](const auto& entry) { return entry.second.get() == &waiter; });
  check(own != last, "a waiter is known by its owner");
  std::unique_ptr<Waiter> removed = std::move(own->second);
  places.by_place.erase(own);
  if (places.by_place.empty()) by_owner_.erase(owner);
  return removed;
}

void Queues::name_keys(Places& places, Waiter& waiter) {
  for (const std::string& key : waiter.keys) {
    places.by_key.emplace(NameLess::View{waiter.database, key}, &waiter);
  }
}

void Queues::forget_keys(Places& places, const Waiter& waiter) {
  for (const std::string& key : waiter.keys) {
    const auto [first, last] = places.by_key.equal_range({waiter.database, key});
    const auto own =
        std::find_if(first, last, [&waiter](const auto& entry) { return entry.second == &waiter; });
    check(own != last, "a place is known by each of its keys");
    places.by_key.erase(own);
  }
}

// Keys and owner also stand in the indexes; the rest is what nodes and the allocator add.
std::size_t Queues::bytes_of(const Waiter& waiter) {
  constexpr std::size_t kPerPlace = 640;
  constexpr std::size_t kPerKey = 256;
  std::size_t bytes = kPerPlace + 2 * waiter.owner.size() + waiter.terms.meta.size();
  for (const std::string& key : waiter.keys) bytes += kPerKey + 2 * key.size();
  return bytes;
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
