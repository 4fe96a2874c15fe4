// Holds on single keys: whether an owner may have one, taking it, ending it. Knows no lines of
// waiters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

struct Taken {
  std::uint64_t fence = 0;
  bool is_new = false;  // a fence was drawn
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
  // Ends the hold with that fence if it is still the client's own, without grace. The owner, when
  // it did.
  std::optional<std::string> undo(DatabaseIndex database, std::uint64_t key_hash,
                                  std::uint64_t fence, ClientId client, std::string& key);

 private:
  Taken take_exclusive(const HoldAsk& ask, Item* item);
  Taken take_shared(const HoldAsk& ask, Item* item);
  void note_bound(const HoldAsk& ask);
  bool still_bound(ClientId client, const KeyName& name);
  void end_or_grace(Item& item, Instant lapsed_at);
  void end_or_grace(Item& item, const std::string& owner, Instant lapsed_at);
  void settle_shared(Item& item);
  void settle_lapsed(Item& item);

  Keyspace& keyspace_;
  // Keys with holds bound to a client's connection. May name holds that are gone by now; pruned as
  // it grows.
  struct Bound {
    std::set<KeyName> names;
    std::size_t prune_at = 16;
  };
  std::map<ClientId, Bound> bound_;
};

}  // namespace fencepost::state
