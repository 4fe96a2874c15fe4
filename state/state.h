// All that a snapshot would hold: keys, holds, waiters, fences, watches. Pure: the same entries
// give the same state.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/time.h"
#include "state/changed_keys.h"
#include "state/happenings.h"
#include "state/keyspace.h"
#include "state/lock_table.h"
#include "state/parked.h"
#include "state/watches.h"

namespace fencepost::state {

class State final : private KeyspaceListener {
 public:
  explicit State(std::uint64_t hash_seed);
  ~State() override;
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Keyspace& keys() { return keys_; }
  const Keyspace& keys() const { return keys_; }
  LockTable& locks() { return locks_; }
  Watches& watches() { return watches_; }
  ParkedClients& parked() { return parked_; }
  // What happened since it was last taken: never kept from one entry to the next.
  Happenings& happenings() { return happenings_; }
  // Which keys are other than a journal has them.
  ChangedKeys& changed_keys() { return changed_keys_; }
  const ChangedKeys& changed_keys() const { return changed_keys_; }
  // Limits that CONFIG SET changes; read at every use.
  LockLimits& limits() { return limits_; }
  Instant clock() const { return keys_.present(); }

  // Moves the clock to `now` (never back) and does what is over by then, in the order of time, at
  // most `budget` things. True when nothing that is over was left. What is left over is still never
  // seen by a command.
  bool advance(Instant now, std::size_t budget = 1000);
  // To be called at the end of an entry: hand-overs that its changes made possible.
  void settle();
  // The moment after which advance() has something to do; kNever for none.
  Instant next_deadline() const;

  // FLUSHDB and FLUSHALL: all keys of the databases from `first` to `last` go at once.
  void flush(DatabaseIndex first, DatabaseIndex last);
  // Its connection closed.
  void client_gone(ClientId client);
  // The server has started anew, on what a journal told: every connection of before is closed.
  void all_clients_gone();

  // How many keys have lapsed so far (INFO expired_keys).
  std::uint64_t lapsed_count() const { return lapsed_count_; }
  // How many changes there were (INFO rdb_changes_since_last_save, and whether a command did
  // anything).
  std::uint64_t change_count() const { return change_count_; }

 private:
  bool end_next(Instant now);
  void lapsed(Item& item) override;
  void event(EventClass kind, std::string_view name, DatabaseIndex database,
             std::string_view key) override;
  void came(const Item& item) override;
  void changed(DatabaseIndex database, std::string_view key) override;
  void rescheduled(const Item& item) override;
  void freed(DatabaseIndex database, std::string_view key) override;

  LockLimits limits_;
  Keyspace keys_;
  Watches watches_;
  ParkedClients parked_;
  Happenings happenings_;
  ChangedKeys changed_keys_;
  bool flushing_ = false;  // its keys are not told of one by one
  bool lapsing_ = false;   // what changes now does so because time is over
  LockTable locks_;
  std::uint64_t lapsed_count_ = 0;
  std::uint64_t change_count_ = 0;
};

}  // namespace fencepost::state
