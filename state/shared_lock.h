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
#include "state/steps.h"

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
  std::uint64_t number = 0;  // the fence that it was granted with: stays when SWAPDB draws anew
  Instant
      deadline{};  // the lease is over when the clock is past it; in grace: the end of the grace
  Instant since{};
  ClientId client = ClientId::nobody;
  bool in_grace = false;
  bool known = false;                // as Item::known
  std::unique_ptr<HoldTerms> terms;  // null when none were asked for
};

// Holders by owner, with their deadlines in order. Never empty while it is the value of a key.
class SharedLock {
 public:
  using Holds = std::map<std::string, Hold, std::less<>>;

  SharedLock(Mode mode, std::int64_t limit) : mode_{mode}, limit_{limit} {}

  Mode mode() const { return mode_; }
  std::int64_t limit() const { return limit_; }  // 0 for shared
  bool full() const;
  bool empty() const { return holds_.empty(); }
  std::size_t size() const { return holds_.size(); }

  Hold* find(std::string_view owner);
  const Holds& holds() const { return holds_; }
  // The hold with that fence, or number; null when there is none. O(log n).
  Holds::value_type* with_fence(std::uint64_t fence) const;
  Holds::value_type* with_number(std::uint64_t number) const;

  // Of all that were granted and are remembered; a new one is above it.
  std::uint64_t newest_fence() const { return granted_.empty() ? 0 : granted_.back().fence; }

  // A new hold, also in place of one that is there (in grace). Its fence is above all before.
  Hold& grant(std::string_view owner, std::uint64_t fence, Instant deadline);
  // The owner has a hold.
  void set_deadline(std::string_view owner, Instant deadline);
  void remove(std::string_view owner);
  // Gives every hold a new fence, in the order in which they were granted.
  void renumber(const std::function<std::uint64_t()>& next_fence);

  // The moment of the first hold to end, and of the last. kNever for none.
  Instant earliest_deadline() const;
  Instant latest_deadline() const;
  // The owner whose hold ends first; the lock is not empty.
  const std::string& earliest_owner() const { return by_deadline_.begin()->second; }

  // Owners that gave their hold back since the last new grant, as hashes: a repeated UNLOCK still
  // counts.
  const std::vector<std::uint64_t>& released() const { return released_; }
  void note_released(std::uint64_t owner_hash);
  void forget_released();

  // For a journal: 'h' names an owner whose hold is another than it was, or gone; 'r' is an owner's
  // hash that came to released(), and 'c' that those before it went.
  Steps& steps() { return steps_; }
  const Steps& steps() const { return steps_; }

 private:
  // Fences and numbers both rise from one grant to the next, so that one list serves for both.
  struct Granted {
    std::uint64_t fence;
    std::uint64_t number;
    Holds::value_type* hold;  // null: gone
  };

  void forget(const Hold& hold);
  void note_changed(std::string_view owner) { steps_.note('h', {&owner, 1}); }

  Mode mode_;
  std::int64_t limit_;
  Holds holds_;
  std::vector<Granted> granted_;
  std::size_t gone_ = 0;  // of granted_; cleared away when they are the greater part
  std::set<std::pair<Instant, std::string>> by_deadline_;
  std::vector<std::uint64_t> released_;
  Steps steps_;
};

}  // namespace fencepost::state
