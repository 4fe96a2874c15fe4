// Holds on single keys: whether an owner may have one, taking it, ending it. Knows no lines of
// waiters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "state/keyspace.h"
#include "state/shared_lock.h"

namespace fencepost::state {

// One key of a request.
struct HoldAsk {
  DatabaseIndex database = 0;
  std::string_view key;
  std::string_view owner;
  Mode mode = Mode::exclusive;
  std::int64_t limit = 0;
  Duration lease{};
  const HoldTerms* terms = nullptr;
  ClientId client = ClientId::nobody;
};

// What an owner that asks for a key finds.
enum class Standing : std::uint8_t {
  free,            // may be taken: nobody is there, or those who are there leave room
  reserved,        // its grace belongs to the owner: it alone may take it, past everybody in line
  own,             // the owner has this very hold: asking again renews it
  busy,            // held by others in a way that leaves no room
  mode_mismatch,   // the owner holds it in another mode
  limit_mismatch,  // it is a semaphore of another size
  wrong_type       // it holds something that is no lock
};

// Names a hold of a client's for as long as it lasts, without the names of key and owner: SWAPDB,
// which gives keys another database and other fences, does not change it.
struct HoldName {
  DatabaseIndex home = 0;  // Keyspace::home_of
  std::uint64_t key_hash = 0;
  std::uint64_t number = 0;  // Hold::number among several; of no matter where it is exclusive

  auto operator<=>(const HoldName&) const = default;
};

struct Taken {
  std::uint64_t fence = 0;
  bool is_new = false;  // a fence was drawn
  HoldName name{};
};

// What was undone: whose hold on which key.
struct Undone {
  std::string key;
  std::string owner;
};

enum class Release : std::uint8_t { freed, was_last_to_release, not_held };

class Holds {
 public:
  explicit Holds(Keyspace& keyspace) : keyspace_{keyspace} {}

  Standing standing(DatabaseIndex database, std::string_view key, std::string_view owner, Mode mode,
                    std::int64_t limit);
  // Grants or renews; the standing is free or own.
  Taken take(const HoldAsk& ask);
  Release release(DatabaseIndex database, std::string_view key, std::string_view owner);
  // Sets the lease anew; false when the owner has no live hold.
  bool extend(DatabaseIndex database, std::string_view key, std::string_view owner, Duration lease);
  // The lease of the item is over.
  void lapse(Item& item);
  // The client's connection closed: holds that were bound to it lapse now.
  void end_bound(ClientId client);
  // Every connection closed: all holds that were bound to one lapse now.
  void end_all_bound();
  // Ends the hold if it is still the client's own and nobody else knows of it, without grace.
  // Nothing when it is not.
  std::optional<Undone> undo(const HoldName& name, ClientId client);

 private:
  // A hold as it stands; no item when it is gone or another client's. `among` is null where it is
  // exclusive.
  struct Found {
    Item* item = nullptr;
    SharedLock::Holds::value_type* among = nullptr;

    bool in_grace() const { return among != nullptr ? among->second.in_grace : item->in_grace; }
    bool known() const { return among != nullptr ? among->second.known : item->known; }
    bool bound() const;
  };

  Taken take_exclusive(const HoldAsk& ask, const Spot& spot);
  Taken take_shared(const HoldAsk& ask, Spot spot);
  Found find(const HoldName& name, ClientId client);
  void note_bound(const HoldAsk& ask, const HoldName& name);
  void end_or_grace(Item& item, Instant lapsed_at);
  void end_or_grace(Item& item, const std::string& owner, Instant lapsed_at);
  void settle_shared(Item& item);
  void settle_lapsed(Item& item);

  Keyspace& keyspace_;
  // Holds bound to a client's connection. May name some that are gone by now; pruned as it grows.
  struct Bound {
    std::set<HoldName> names;
    std::size_t prune_at = 16;
  };
  std::map<ClientId, Bound> bound_;
};

}  // namespace fencepost::state
