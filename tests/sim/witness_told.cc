// What was told is promised.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "witness.h"

namespace fencepost::sim {

namespace {

using Kind = Request::Kind;
using Type = resp::Reply::Type;

// What may be refused, and with which word.
void check_error(const Request& request, const std::string& text) {
  static constexpr std::array kAllowed = {"MISCONF",       "DEADLOCK",  "MODEMISMATCH",
                                          "LIMITMISMATCH", "EXECABORT", "WRONGTYPE"};
  const bool maintains = request.words[0] == "SAVE" || request.words[0] == "BGREWRITEAOF";
  for (const char* word : kAllowed) {
    if (maintains || text.starts_with(word)) return;
  }
  throw Violation{fmt::format("{} was answered {}", request.words[0], text)};
}

}  // namespace

void violated(const std::string& key, const std::string& what) {
  throw Violation{fmt::format("{}: {}", key, what)};
}

void Witness::told(ClientId client, const resp::Reply& reply, std::int64_t real_ms, bool safe) {
  std::deque<Request>& open = open_[client];
  if (open.empty()) {
    throw Violation{fmt::format("an answer to nothing: {}", resp::to_text(reply))};
  }
  const Request request = std::move(open.front());
  open.pop_front();
  ++told_count_;
  answer(request, reply, real_ms, safe);
}

void Witness::answer(const Request& request, const resp::Reply& reply, std::int64_t real_ms,
                     bool safe) {
  if (reply.is_error()) return check_error(request, reply.text);
  const auto number = static_cast<std::uint64_t>(reply.integer);
  switch (request.kind) {
    case Kind::lock:
      if (request.by_set && reply.text == "OK") {
        const std::uint64_t fence = fence_of_set(request);
        if (fence > 0) grant(request, request.keys[0], fence, real_ms, safe);
      } else if (reply.type == Type::integer) {
        grant(request, request.keys[0], number, real_ms, safe);
      }
      return;
    case Kind::many:
      for (std::size_t i = 0; i < reply.items.size(); ++i) {
        grant(request, request.keys[i], static_cast<std::uint64_t>(reply.items[i].integer), real_ms,
              safe);
      }
      return;
    case Kind::unlock:
    case Kind::free_all:
      if (number < request.keys.size()) return;
      for (const std::string& key : request.keys) bury(request, key, safe);
      return;
    case Kind::fence: {
      const std::string& key = request.keys[0];
      if (number < request.told_before.at(key)) {
        violated(key,
                 fmt::format("FENCE answered {} after {}", number, request.told_before.at(key)));
      }
      // More than was ever drawn for it is the floor, which others have raised.
      if (number <= top_[key]) note_told(key, number);
      return;
    }
    case Kind::count: {
      auto& [told, told_safely] = counts_[request.keys[0]];
      if (number <= request.told_before.at(request.keys[0])) {
        violated(request.keys[0], fmt::format("counted {} after {}", number,
                                              request.told_before.at(request.keys[0])));
      }
      told = std::max(told, number);
      if (safe) told_safely = std::max(told_safely, number);
      return;
    }
    case Kind::exec:
      for (std::size_t i = 0; i < reply.items.size(); ++i) {
        answer(request.inner[i], reply.items[i], real_ms, safe);
      }
      return;
    case Kind::extend:
    case Kind::other:
      return;
  }
}

void Witness::note_told(const std::string& key, std::uint64_t fence) {
  told_top_[key] = std::max(told_top_[key], fence);
  fence_told_[key] = std::max(fence_told_[key], fence);
}

// A SET answers no fence: the one that its owner has now, if that was drawn since.
std::uint64_t Witness::fence_of_set(const Request& request) const {
  for (const auto& [fence, hold] : live_.at(request.keys[0]).holds) {
    if (hold.owner == request.owner && fence > request.held_before.at(request.keys[0])) {
      return fence;
    }
  }
  return 0;
}

void Witness::grant(const Request& request, const std::string& key, std::uint64_t fence,
                    std::int64_t real_ms, bool safe) {
  const auto seen = seen_[key].find(fence);
  if (seen != seen_[key].end()) {
    if (seen->second != request.owner) {
      violated(key, fmt::format("{} was told fence {}, which was {}'s", request.owner, fence,
                                seen->second));
    }
  } else if (fence <= request.told_before.at(key)) {
    violated(key, fmt::format("{} was told fence {}, and {} had been told before it asked",
                              request.owner, fence, request.told_before.at(key)));
  }
  seen_[key][fence] = request.owner;
  note_told(key, fence);
  top_[key] = std::max(top_[key], fence);

  const Asked& asked = asked_[key][request.owner];
  const std::map<std::uint64_t, Hold>& holds = live_[key].holds;
  const auto live = holds.find(fence);
  Fact& fact = facts_[key][fence];
  fact.safe = safe;
  fact.owner = request.owner;
  fact.bound = asked.bound;
  fact.maybe_freed = asked.freed > request.sequence || all_freed_[key] > request.sequence;
  fact.end_ms = live != holds.end() ? live->second.end_ms : request.received_ms + request.lease_ms;
  // The state may have the lease of a request that came since, which no file has yet.
  if (sets_lease(key, request.owner)) {
    fact.end_ms = std::min(fact.end_ms, request.received_ms + request.lease_ms);
  }
  // An answer may come late, behind an EXTEND by another connection that ended the hold early.
  const auto ended = ended_[key].find(fence);
  if (ended != ended_[key].end()) fact.end_ms = std::min(fact.end_ms, ended->second);
  check_overlap(key, fence, real_ms);
}

// Nobody else has been told of a hold that must be his still.
void Witness::check_overlap(const std::string& key, std::uint64_t fence,
                            std::int64_t real_ms) const {
  const auto& facts = facts_.at(key);
  const Fact& mine = facts.at(fence);
  if (mine.maybe_freed || mine.end_ms < real_ms) return;
  int others = 0;
  for (const auto& [other, fact] : facts) {
    if (fact.owner == mine.owner || fact.maybe_freed || fact.end_ms < real_ms) continue;
    ++others;
    const bool readers = key[0] == 's' && !is_writer(fact.owner) && !is_writer(mine.owner);
    const bool room = key[0] == 'm' && others < kLimit;
    if (readers || room) continue;
    violated(key, fmt::format("{} was told fence {} while {} holds it with {}", mine.owner, fence,
                              fact.owner, other));
  }
}

// It was told that the hold is over: no start may bring it back.
void Witness::bury(const Request& request, const std::string& key, bool safe) {
  for (const auto& [fence, owner] : seen_[key]) {
    if (fence > request.held_before.at(key)) break;
    if (request.owner.empty() || owner == request.owner) {
      bool& safely = dead_[key][fence];
      safely = safely || safe;
    }
  }
}

}  // namespace fencepost::sim
