// Who holds which key until when, and who waits for it: LOCK and its companions over the keyspace.
// The law is docs/locks.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/time.h"
#include "state/keyspace.h"
#include "state/shared_lock.h"

namespace fencepost::state {

// What LOCK or LOCKMANY asks for. Views live for the call; what must outlive it is copied.
struct LockAsk {
  DatabaseIndex database = 0;
  std::span<const std::string_view> keys;  // no key twice
  std::string_view owner;
  Mode mode = Mode::exclusive;
  std::int64_t limit = 0;  // holders at most, for Mode::limit
  Duration lease{};        // > 0
  Duration wait{};         // 0 = answer now
  Duration grace{};
  bool bind = false;
  std::string_view meta;
  ClientId client = ClientId::nobody;
  bool many = false;  // LOCKMANY: the answer is an array
};

struct LockAnswer {
  enum class Kind : std::uint8_t { granted, refused, waiting, error };
  Kind kind = Kind::refused;
  std::vector<std::uint64_t> fences;  // granted: one a key, in the order asked
  std::string error;                  // error: the whole text, first word included
};

// An answer to somebody who waited, for whoever owns the connections.
struct WaiterAnswer {
  enum class Kind : std::uint8_t { granted, refused, unblocked };
  ClientId client = ClientId::nobody;
  Kind kind = Kind::refused;
  bool many = false;
  std::vector<std::uint64_t> fences;
};

// A new hold that `client` is about to be told of, small enough to note for each one. If the
// telling fails, undo().
struct Grant {
  ClientId client = ClientId::nobody;
  DatabaseIndex database = 0;  // where it was asked for
  DatabaseIndex home = 0;      // with key_hash and fence, what HoldName says
  std::uint64_t key_hash = 0;
  std::uint64_t fence = 0;
  std::uint64_t place = 0;  // of the waiter that was granted; 0 when it did not wait
};

struct HolderView {
  std::string owner;
  std::uint64_t fence = 0;
  Duration ttl{-1};  // -1: no lease
  Duration held{};
  ClientId client = ClientId::nobody;
  std::string meta;
  bool in_grace = false;
};

struct WaiterView {
  std::string owner;
  Duration waited{};
};

struct LockView {
  Mode mode = Mode::exclusive;
  std::int64_t limit = 0;
  std::uint64_t fence = 0;
  bool in_grace = false;  // an exclusive hold that lapsed and keeps others out
  std::size_t waiters = 0;
  std::vector<HolderView> holders;
  std::vector<WaiterView> queue;  // the first 16
};

enum class FenceVerdict : std::uint8_t { good, stale, ahead };

class LockTable {
 public:
  LockTable(Keyspace& keyspace, const LockLimits& limits);
  ~LockTable();

  // --- the commands. All see the keyspace's clock.
  LockAnswer acquire(const LockAsk& ask);
  std::int64_t release(DatabaseIndex database, std::span<const std::string_view> keys,
                       std::string_view owner);
  std::int64_t extend(DatabaseIndex database, std::span<const std::string_view> keys,
                      std::string_view owner, Duration lease);
  // LOCKBREAK: false when nobody holds it.
  bool break_hold(DatabaseIndex database, std::string_view key);
  std::uint64_t newest_fence(DatabaseIndex database, std::string_view key);
  FenceVerdict judge(DatabaseIndex database, std::string_view key, std::uint64_t fence);
  std::optional<LockView> view(DatabaseIndex database, std::string_view key);
  // Whether somebody waits for the key; the free keys that somebody waits for are listed by
  // queued_keys.
  bool has_waiters(DatabaseIndex database, std::string_view key) const;
  std::vector<std::string> queued_keys(DatabaseIndex database) const;

  // --- clients
  // Its connection closed: its waiter leaves the line (its place is kept), its bound holds lapse.
  void client_gone(ClientId client);
  // The server has started anew: every hold that was bound to a connection lapses.
  void all_clients_gone();
  // CLIENT UNBLOCK: false when it does not wait. Its place is kept.
  enum class Unblock : std::uint8_t { as_timeout, with_error };
  bool unblock(ClientId client, Unblock how);
  // The grant could not be told: if the hold is still that client's, and its owner has not renewed
  // it by another, it is given up without grace.
  void undo(const Grant& grant);
  std::size_t waiting_clients() const;

  // --- what the keyspace reports (through State)
  void lapsed(Item& item);
  void freed(DatabaseIndex database, std::string_view key);

  // --- time and results
  Instant next_deadline() const;
  // Ends the wait, or the kept place, that is over first, if one is; false when none is.
  bool end_next_wait();
  // Grants whatever became possible since the last call. Called at the end of each entry.
  void settle();
  // What happened since the last call; the caller hands in the vectors to fill (they are cleared
  // first).
  void take_answers(std::vector<WaiterAnswer>& into);
  void take_grants(std::vector<Grant>& into);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace fencepost::state
