// Clients that wait for a key to have something for them: BLPOP and its like. (Who waits for a lock
// stands in Queues.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
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
  Type wanted = Type::list;          // a key of another type does not serve it
  std::vector<std::string> request;  // to be run again when one of the keys may serve it
  // The keys stand side by side in the request.
  std::size_t first_key = 0;
  std::size_t key_count = 0;
  Instant deadline = kNever;  // over when the clock is past it

  std::span<const std::string> keys() const {
    return std::span{request}.subspan(first_key, key_count);
  }
};

// A parked client that is told that nothing came.
struct ParkedAnswer {
  ClientId client = ClientId::nobody;
  bool unblocked_with_error = false;  // CLIENT UNBLOCK ... ERROR
  std::vector<std::string> request;
};

// Only bookkeeping: whoever applies entries takes each ready key and runs the requests of its line
// again, which alone decide whether the key serves them. Clients keep their places until they are
// removed.
class ParkedClients {
 public:
  // Somebody in the line for a key. Places rise in the order of arrival; none is 0.
  struct InLine {
    std::uint64_t place = 0;
    ClientId client = ClientId::nobody;
  };

  bool empty() const { return by_client_.empty(); }
  std::size_t size() const { return by_client_.size(); }
  // What parked requests take in all, as an estimate; and what one of so many words and keys would.
  std::size_t bytes() const { return bytes_; }
  static std::size_t bytes_of(std::span<const std::string_view> request, std::size_t key_count);
  // Null when that client is not parked.
  const Parked* find(ClientId client) const;

  // A client is parked once at most.
  void park(Parked parked);
  // It was served, or is gone. False when it was not parked.
  bool remove(ClientId client);
  // CLIENT UNBLOCK. False when it was not parked.
  bool unblock(ClientId client, bool with_error);

  // The key has come to be of that type, or has something new.
  void touch(DatabaseIndex database, std::string_view key, Type type);
  // Keys touched since they were taken last, in the order of being touched.
  std::optional<KeyName> take_ready();
  // The first behind that place who waits for the key to be of that type.
  std::optional<InLine> next_in_line(const KeyName& name, Type type, std::uint64_t behind) const;

  // The moment after which end_next() has something to do; kNever for none.
  Instant next_deadline() const;
  // How many have such a moment.
  std::size_t size_with_deadline() const { return by_time_.size(); }
  // Ends the wait that is over first.
  void end_next();
  // Moves the answers that have come about into `into` (cleared first).
  void take_answers(std::vector<ParkedAnswer>& into);

 private:
  struct Waiting {
    ClientId client = ClientId::nobody;
    Type wanted = Type::list;
  };
  using Line = std::map<std::uint64_t, Waiting>;  // by place
  struct Place {
    std::uint64_t number = 0;
    std::size_t bytes = 0;
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

  std::unique_ptr<Place> take_out(ClientId client);
  std::size_t& count_of(Type type) { return counts_[static_cast<std::size_t>(type)]; }

  std::uint64_t last_place_ = 0;
  std::size_t bytes_ = 0;
  std::unordered_map<ClientId, std::unique_ptr<Place>> by_client_;
  std::map<KeyName, Line, NameLess> lines_;
  std::set<std::pair<Instant, std::uint64_t>> by_time_;  // those with a deadline, and their places
  std::map<std::uint64_t, ClientId> by_place_;           // the same ones
  std::array<std::size_t, kTypeCount> counts_{};         // who waits for which type
  std::deque<KeyName> ready_;
  std::set<KeyName, NameLess> is_ready_;
  std::vector<ParkedAnswer> answers_;
};

}  // namespace fencepost::state
