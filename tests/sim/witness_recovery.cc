// What was told is true after a restart.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "witness.h"

namespace fencepost::sim {

void Witness::ended(End end, std::int64_t real_ms) {
  end_ = end;
  ended_ms_ = real_ms;
  if (end == End::power_lost) fence_told_.clear();
  for (auto& [key, owners] : asked_) {
    for (auto& [owner, asked] : owners) asked.bound = false;
  }
  unsure_.clear();
  for (const auto& [client, requests] : open_) {
    for (const Request& request : requests) {
      unsure_.insert(request.owner);
      for (const Request& inner : request.inner) unsure_.insert(inner.owner);
    }
  }
  open_.clear();
  waiting_.clear();
}

void Witness::recovered(server::Engine& engine, Instant log_now, std::int64_t real_ms) {
  lengthened_ms_ = 0;
  check_counters(engine);
  for (const LockKey& lock_key : kLockKeys) {
    const std::string key = lock_key.name;
    Live found = see(engine, lock_key, log_now, real_ms);
    check_count(lock_key, found);
    check_dead(key, found);
    check_kept(key, found);
    for (const auto& [fence, hold] : found.holds) {
      const auto before = live_[key].holds.find(fence);
      if (before == live_[key].holds.end() || unsure_.contains(hold.owner)) continue;
      lengthened_ms_ = std::max(lengthened_ms_, hold.end_ms - before->second.end_ms);
    }
    // Numbers that nobody was told of may come again.
    top_[key] = told_top_[key];
    if (!found.holds.empty()) top_[key] = std::max(top_[key], found.holds.rbegin()->first);
    seen_[key].erase(seen_[key].upper_bound(top_[key]), seen_[key].end());
    ended_[key].clear();
    live_[key] = std::move(found);
    live_[key].line.clear();
    live_[key].present.clear();
    deserted_[key].clear();
  }
}

// Every hold was somebody's, and none is back that was given back.
void Witness::check_dead(const std::string& key, const Live& found) {
  if (end_ == End::power_lost)
    std::erase_if(dead_[key], [](const auto& one) { return !one.second; });
  for (const auto& [fence, hold] : found.holds) {
    const auto seen = seen_[key].find(fence);
    if (seen == seen_[key].end() || seen->second != hold.owner) {
      violated(key,
               "after a restart: " +
                   fmt::format("{} holds it with fence {}, which it never got", hold.owner, fence));
    }
    if (dead_[key].contains(fence)) {
      violated(key, "after a restart: " +
                        fmt::format("{} holds it with fence {} again, which was given back",
                                    hold.owner, fence));
    }
  }
}

void Witness::check_kept(const std::string& key, const Live& found) {
  std::map<std::uint64_t, Fact>& facts = facts_[key];
  for (auto at = facts.begin(); at != facts.end();) {
    auto& [fence, fact] = *at;
    const auto hold = found.holds.find(fence);
    const bool promised = (fact.safe || end_ != End::power_lost) && !fact.bound &&
                          !fact.maybe_freed && ended_ms_ <= fact.end_ms;
    if (promised && hold == found.holds.end()) {
      violated(key, "after a restart: " + fmt::format("{} was told fence {} and does not hold it",
                                                      fact.owner, fence));
    }
    if (promised && hold->second.end_ms < fact.end_ms) {
      violated(key,
               "after a restart: " + fmt::format("the lease of {} is over {} ms early", fact.owner,
                                                 fact.end_ms - hold->second.end_ms));
    }
    if (hold == found.holds.end()) {
      at = facts.erase(at);
      continue;
    }
    fact.end_ms = hold->second.end_ms;
    fact.safe = true;  // what was read back is on disk
    ++at;
  }
}

void Witness::check_counters(server::Engine& engine) {
  for (auto& [key, told] : counts_) {
    const state::Item* item = engine.state().keys().peek(0, key);
    std::uint64_t count = 0;
    if (item != nullptr) {
      const std::string_view text = item->text();
      std::from_chars(text.data(), text.data() + text.size(), count);
    }
    const std::uint64_t promised = end_ == End::power_lost ? told.second : told.first;
    if (end_ == End::power_lost) told.first = told.second;
    if (count < promised)
      violated(key,
               "after a restart: " + fmt::format("it is {}, and {} was told", count, promised));
  }
}

}  // namespace fencepost::sim
