// A key held by several at once: readers together (SHARED) or a semaphore (LIMIT n).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"

namespace fencepost::state {

enum class Mode : std::uint8_t { exclusive, shared, limit };

std::string_view mode_name(Mode mode);

// What a LOCK asked for besides the lease.
struct HoldTerms {
  Duration grace{};
  bool bind = false;
  std::string meta;
};

struct Hold {
  std::uint64_t fence = 0;
  Instant
      deadline{};  // the lease is over when the clock is past it; in grace: the end of the grace
  Instant since{};
  ClientId client = ClientId::nobody;
  bool in_grace = false;
  std::unique_ptr<HoldTerms> terms;  // null when none were asked for
};

// Holders by owner, with their deadlines in order. Never empty while it is the value of a key.
class SharedLock {
 public:
  SharedLock(Mode mode, std::int64_t limit) : mode_{mode}, limit_{limit} {}

  Mode mode() const { return mode_; }
  std::int64_t limit() const { return limit_; }  // 0 for shared
  bool full() const;
  bool empty() const { return holds_.empty(); }
  std::size_t size() const { return holds_.size(); }

  Hold* find(std::string_view owner);
  const std::map<std::string, Hold, std::less<>>& holds() const { return holds_; }

  // Adds a hold, or sets the deadline of the one that is there.
  Hold& put(std::string_view owner, Instant deadline);
  void remove(std::string_view owner);
  // Gives every hold a new fence, in the order of the owners.
  void renumber(const std::function<std::uint64_t()>& next_fence);

  // The moment of the first hold to end, and of the last. kNever for none.
  Instant earliest_deadline() const;
  Instant latest_deadline() const;
  // The owner whose hold ends first; the lock is not empty.
  const std::string& earliest_owner() const { return by_deadline_.begin()->second; }

  // Owners that gave their hold back since the last new grant, as hashes: a repeated UNLOCK still
  // counts.
  std::vector<std::uint64_t> released;

 private:
  Mode mode_;
  std::int64_t limit_;
  std::map<std::string, Hold, std::less<>> holds_;
  std::set<std::pair<Instant, std::string>> by_deadline_;
};

}  // namespace fencepost::state
