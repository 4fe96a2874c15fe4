// What LockTable is made of; for its own source files only.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/blockers.h"
#include "state/holds.h"
#include "state/lock_table.h"
#include "state/queues.h"

namespace fencepost::state {

struct LockTable::Parts {
  Keyspace& keyspace;
  const LockLimits& limits;
  Holds holds;
  Queues queues;
  Blockers blockers;
  std::set<KeyName> woken;  // keys at whose line something may have become possible
  // Waiters, by id, that were found not to be grantable since anything was granted or freed: who
  // stands first in many lines is looked at once.
  std::set<std::uint64_t> refused;
  bool busy = false;  // lines are being worked on: a lapse met on the way only wakes its line
  std::vector<WaiterAnswer> answers;
  std::vector<Grant> grants;

  bool nobody_queues() const { return queues.empty() && queues.absent_count() == 0; }

  // The standing over all keys of a request: own if each is; free if each is free, reserved or own;
  // else the first trouble.
  struct Outlook {
    Standing standing = Standing::own;
    std::string_view key;
  };
  Outlook outlook(DatabaseIndex database, std::span<const std::string_view> keys,
                  std::string_view owner, Mode mode, std::int64_t limit);
  // Whether nobody but those in `leaving` stands before the request at a key that is not its
  // owner's already.
  bool is_its_turn(const Waiter& request, const std::vector<Waiter*>& leaving);
  bool may_be_granted(const Waiter& waiter);

  // Takes one key and gives back its fence; `place` is that of a waiter, 0 for none.
  std::uint64_t take(const HoldAsk& ask, std::uint64_t place);
  LockAnswer take_at_once(const LockAsk& ask);
  LockAnswer take_or_queue(const LockAsk& ask, Standing standing);
  std::vector<std::uint64_t> grant(const Waiter& request);
  LockAnswer enqueue(std::unique_ptr<Waiter> request, const std::vector<Waiter*>& older,
                     Duration wait);
  std::string refusal_to_queue(const Waiter& request, const std::vector<Waiter*>& older);

  void answer(const Waiter& waiter, WaiterAnswer::Kind kind, std::vector<std::uint64_t> fences);
  void wake_lines(const Waiter& waiter);
  void leave_line(Waiter& waiter, WaiterAnswer::Kind kind);
  void give_up(Waiter& waiter);
  void keep_place(std::unique_ptr<Waiter> absent);
  void drop_kept_places();

  // Grants from the front of one key's line until somebody there cannot be granted.
  void serve(const KeyName& name);
  bool may_go(const Waiter& waiter);
  static std::optional<std::string_view> sole_keeper(const Item* item);
  Waiter* next_in_line(const KeyName& name);
};

// Marks the lines as being worked on, for a scope.
class Working {
 public:
  explicit Working(bool& busy) : busy_{busy}, before_{busy} { busy_ = true; }
  ~Working() { busy_ = before_; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  bool& busy_;
  bool before_;
};

}  // namespace fencepost::state
