// The databases 0..15: which keys exist, with which value, until when, and which fence each drew.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/random.h"
#include "base/time.h"
#include "state/due_heap.h"
#include "state/fences.h"
#include "state/happenings.h"
#include "state/item.h"
#include "state/name_index.h"

namespace fencepost::state {

// Told of what happens to keys, within the call that does it. Implemented by State.
class KeyspaceListener {
 public:
  virtual ~KeyspaceListener() = default;
  // The lease of `item` is over: turn it into a grace, end some of its holds, or erase it.
  virtual void lapsed(Item& item) = 0;
  // Something happened to the key that those who listen may want to know by name.
  virtual void event(EventClass kind, std::string_view name, DatabaseIndex database,
                     std::string_view key) = 0;
  // The key has come to be of its type, or is where it was not: whoever waits for such a key has a
  // chance.
  virtual void came(const Item& item) = 0;
  // The key was made, changed or removed: whoever watches it must know.
  virtual void changed(DatabaseIndex database, std::string_view key) = 0;
  // Its lease ends at another moment now, which is no change that watchers see.
  virtual void rescheduled(const Item& item) = 0;
  // The key is gone, or is held by another: whoever waits for it may have a chance.
  virtual void freed(DatabaseIndex database, std::string_view key) = 0;
};

// The answer to a look-up, good until the keyspace is changed: the item, or the place to make one
// (hash known).
struct Spot {
  DatabaseIndex database = 0;
  std::string_view key;
  std::uint64_t hash = 0;
  Item* item = nullptr;

  explicit operator bool() const { return item != nullptr; }
};

// Items are looked up lazily against the clock: a key whose lease is over is ended before it can be
// seen, whether or not the reaper has come by. Everything is decided by the calls and the clock;
// the order of scans by the hash seed.
class Keyspace {
 public:
  Keyspace(std::uint64_t hash_seed, KeyspaceListener& listener);

  // The moment that leases are held against. While the state catches up with the present it may lag
  // behind it, so that what is over ends in the order of time. Never goes back.
  Instant clock() const { return clock_; }
  void set_clock(Instant moment) { clock_ = std::max(clock_, moment); }
  // The moment of the entry being applied, from which new leases run.
  Instant present() const { return present_; }
  void set_present(Instant now) { present_ = std::max(present_, now); }
  // Who asks for the entry being applied.
  ClientId caller() const { return caller_; }
  void set_caller(ClientId client) { caller_ = client; }

  // --- looking
  Spot look(DatabaseIndex database, std::string_view key);
  Item* find(DatabaseIndex database, std::string_view key) { return look(database, key).item; }
  // The item as it is, though its lease may be over.
  const Item* peek(DatabaseIndex database, std::string_view key) const;
  Item* peek(DatabaseIndex database, std::string_view key);
  // The item with that hash that is `wanted`: for undoing a grant without carrying its name. Ends
  // no lease.
  Item* find_hashed(DatabaseIndex database, std::uint64_t hash,
                    const std::function<bool(const Item&)>& wanted);
  std::size_t size(DatabaseIndex database) const { return databases_[database].size(); }
  // How many of them have a lease.
  std::size_t size_with_lease(DatabaseIndex database) const { return leased_[database]; }
  // Uniform enough for RANDOMKEY; null for an empty database.
  Item* random(DatabaseIndex database, Random& random);
  // Calls `see` for at least `count` keys (fewer only at the end) from `cursor` on; returns the
  // next cursor, 0 at the end. Cursors stay below 2^53. A key that exists during the whole scan is
  // seen exactly once.
  std::uint64_t scan(DatabaseIndex database, std::uint64_t cursor, std::size_t count,
                     const std::function<void(Item&)>& see);
  // The same over items as they are, though their leases may be over; changes nothing.
  std::uint64_t peek_scan(DatabaseIndex database, std::uint64_t cursor, std::size_t count,
                          const std::function<void(const Item&)>& see) const;
  // All keys of all databases, likewise.
  void peek_all(const std::function<void(const Item&)>& see) const;
  // All of them, in scan order. `see` must not change the keyspace.
  void for_each(DatabaseIndex database, const std::function<void(Item&)>& see);

  // --- changing. Each tells the listener.
  // Makes a key that is not there; draws a fence.
  Item& create(const Spot& spot, Value value, Instant deadline = kNever);
  Item& create_text(const Spot& spot, std::string_view text, Instant deadline = kNever);
  // The same by one that has told of the new key already.
  Item& create_told(const Spot& spot, Value value, Instant deadline = kNever);
  // SET-like: gives a key a (string) value, whatever type it had. Draws a fence unless it is a
  // string that has this very value and is not in grace. Ends GRACE, BIND and META unless it draws
  // nothing. Leaves the deadline alone.
  void assign(Item& item, std::string_view value);
  // SET-like on a spot: creates or assigns, then sets the deadline (kNever: none).
  Item& put(const Spot& spot, std::string_view value, Instant deadline);
  // The same for a value of any kind, which for a text is put().
  Item& put_value(const Spot& spot, Value value, Instant deadline);
  // Changes a string in place (INCR, APPEND, SETRANGE): draws nothing.
  void edit(Item& item, const std::function<void(std::string&)>& change);
  // The next number of the key, for a new hold on an item that exists.
  std::uint64_t draw(Item& item);
  // Sets or removes (kNever) the lease. A key in grace refuses: false, nothing is changed.
  bool set_deadline(Item& item, Instant deadline);
  // The same for the keeper of locks: allowed in grace, not a change that watchers see.
  void schedule(Item& item, Instant deadline);
  void erase(Item& item);
  // The same, because its time is over: tells of "expired".
  void erase_lapsed(Item& item, std::span<const std::uint64_t> releasers);
  // The same, remembering who gave it back, so that a repeated UNLOCK still counts.
  void erase_released(Item& item, std::span<const std::uint64_t> releasers);
  // Value and lease of `from` go to `to` (another name, or another database); what stood there is
  // replaced; the destination draws a fence. `from` must not be a key held by several. Returns the
  // item at its destination.
  Item& move(Item& from, DatabaseIndex to_database, std::string_view to_key);
  void clear(DatabaseIndex database);
  // What was written down takes the place of whatever has that name: name, database, value, lease
  // and fence are given. Nobody is told, and nothing is drawn.
  void restore(std::unique_ptr<Item> item);
  // What has that name, to be restored as something else; null when nothing has.
  std::unique_ptr<Item> take_for_restore(DatabaseIndex database, std::string_view key);
  // The same for a key that was gone, with what was remembered of it.
  void restore_gone(DatabaseIndex database, std::string_view key, std::optional<IdleFence> idle);
  void swap(DatabaseIndex a, DatabaseIndex b);
  // Every key gets a new fence, and every hold of it: those that were told before are stale.
  void draw_all_anew();
  // What names a database's keys for good: swap() gives them another index, but not another home.
  DatabaseIndex home_of(DatabaseIndex database) const { return homes_[database]; }
  DatabaseIndex database_at(DatabaseIndex home) const;
  // A hold among several ended: whoever waits may have a chance, though the key is still there.
  void room_made(const Item& item) { listener_.freed(item.database, item.key()); }
  // Tells of something that a hold did to its key; the name lives as long as the program.
  void tell(EventClass kind, std::string_view name, const Item& item) {
    listener_.event(kind, name, item.database, item.key());
  }
  // Notes a change made to the value directly, by whoever knows the type.
  void touched(Item& item);

  // --- time
  // The earliest moment after which some lease is over; kNever for none.
  Instant next_deadline() const { return due_.earliest(); }
  // The item whose lease ended first, if it is over; else null.
  Item* next_lapsed();

  Fences& fences() { return fences_; }
  const Fences& fences() const { return fences_; }
  std::uint64_t hash_of(std::string_view bytes) const;
  // For the tables of fields inside of values too.
  std::uint64_t hash_seed() const { return hash_seed_; }

 private:
  void begin_anew(Item& item);
  bool is_over(const Item& item) const { return clock_ > item.deadline; }
  // create() that is told of as a new key by its caller.
  Item& make(const Spot& spot, std::unique_ptr<Item> item, Instant deadline);
  Item& insert(std::uint64_t hash, std::unique_ptr<Item> item);
  std::unique_ptr<Item> extract(Item& item);
  void retire(const Item& gone, std::span<const std::uint64_t> releasers);
  void adopt(Item& item, DatabaseIndex database);
  void draw_anew(Item& item);
  void count_lease(DatabaseIndex database, Instant before, Instant after);

  std::uint64_t hash_seed_;
  KeyspaceListener& listener_;
  Instant clock_{};
  Instant present_{};
  ClientId caller_ = ClientId::nobody;
  std::vector<NameIndex<Item>> databases_;
  std::array<std::size_t, kDatabaseCount> leased_{};
  std::array<DatabaseIndex, kDatabaseCount> homes_{};  // by database
  DueHeap due_;
  Fences fences_;
};

}  // namespace fencepost::state
