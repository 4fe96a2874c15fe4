// Clients that wait for a key to have something for them: BLPOP and its like. (Who waits for a lock
// stands in Queues.)
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "state/collection.h"
#include "state/item.h"

namespace fencepost::state {

struct Parked {
  ClientId client = ClientId::nobody;
  DatabaseIndex database = 0;
  std::vector<std::string> keys;
  Type wanted = Type::list;          // a key of another type does not serve it
  std::vector<std::string> request;  // to be run again when one of the keys may serve it
  Instant deadline = kNever;         // over when the clock is past it
};

// A parked client that is told that nothing came.
struct ParkedAnswer {
  ClientId client = ClientId::nobody;
  bool unblocked_with_error = false;  // CLIENT UNBLOCK ... ERROR
};

// A key that changed, and who waits for it, the longest first.
struct ReadyKey {
  KeyName name;
  std::vector<ClientId> clients;
};

// Only bookkeeping: whoever applies entries takes each ready key and runs the requests again, which
// alone decide whether the key serves them. Clients keep their places until they are removed.
class ParkedClients {
 public:
  bool empty() const { return by_client_.empty(); }
  std::size_t size() const { return by_client_.size(); }
  // Null when that client is not parked.
  const Parked* find(ClientId client) const;

  // A client is parked once at most.
  void park(Parked parked);
  // It was served, or is gone. False when it was not parked.
  bool remove(ClientId client);
  // CLIENT UNBLOCK. False when it was not parked.
  bool unblock(ClientId client, bool with_error);

  // The key was made or changed.
  void touch(DatabaseIndex database, std::string_view key);
  // Keys touched since they were taken last, in the order of being touched.
  std::optional<ReadyKey> take_ready();

  // The moment after which end_next() has something to do; kNever for none.
  Instant next_deadline() const;
  // Ends the wait that is over first.
  void end_next();
  // Moves the answers that have come about into `into` (cleared first).
  void take_answers(std::vector<ParkedAnswer>& into);

 private:
  using Line = std::map<std::uint64_t, ClientId>;  // by order of arrival
  struct Place {
    std::uint64_t order = 0;
    Parked parked;
  };
  struct NameLess {
    using is_transparent = void;
    using View = std::pair<DatabaseIndex, std::string_view>;
    static View view(const KeyName& name) { return {name.database, name.key}; }
    static View view(const View& name) { return name; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return view(a) < view(b);
    }
  };

  std::uint64_t last_order_ = 0;
  std::unordered_map<ClientId, std::unique_ptr<Place>> by_client_;
  std::map<KeyName, Line, NameLess> lines_;
  std::set<std::pair<Instant, std::uint64_t>> by_time_;  // those with a deadline, and their order
  std::map<std::uint64_t, ClientId> by_order_;           // the same ones
  std::deque<KeyName> ready_;
  std::set<KeyName, NameLess> is_ready_;
  std::vector<ParkedAnswer> answers_;
};

}  // namespace fencepost::state
