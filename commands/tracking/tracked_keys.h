// Client-side caching: which client has read which key and must hear once that is no longer true,
// and which prefixes are told of to whom. A pure table; whoever owns the connections sends.
// https://redis.io/docs/latest/develop/reference/client-side-caching
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace fencepost::commands {

// How a client tracks, as its CLIENT TRACKING ON asked for.
struct TrackingTerms {
  bool on = false;
  bool broadcast = false;  // BCAST: every change of a key that begins with one of its prefixes
  bool opt_in = false;
  bool opt_out = false;
  bool no_loop = false;          // not told of its own changes
  bool caching = false;          // CLIENT CACHING was said: of the next command, or transaction
  bool redirect_broken = false;  // who it redirects to was found to be gone
  ClientId redirect = ClientId::nobody;

  // Whether the keys that it reads now are to be remembered.
  bool remembers() const {
    return on && !broadcast && !(opt_in && !caching) && !(opt_out && caching);
  }
};

class TrackedKeys {
 public:
  // --- clients
  void add(ClientId client, bool broadcast);
  // Its prefixes go at once; keys that it read, by and by.
  void remove(ClientId client);
  std::size_t client_count() const { return readers_.size() + broadcast_count_; }

  // --- keys that were read
  void remember(ClientId client, std::string_view key);
  // Moves those who read the key into `into` (cleared first) and forgets that they did. Some may be
  // gone, or may track no longer.
  void take_readers(std::string_view key, std::vector<ClientId>& into);
  // The name of a key to make room by, whichever; empty when there is none.
  std::string next_to_evict();
  void forget_keys();
  std::size_t key_count() const { return keys_.size(); }
  // Pairs of a key and a client.
  std::size_t item_count() const { return item_count_; }

  // --- prefixes
  void add_prefix(ClientId client, std::string_view prefix);
  std::vector<std::string> prefixes_of(ClientId client) const;
  // What the client's prefixes take of memory, about.
  std::size_t prefix_bytes_of(ClientId client) const;
  std::size_t prefix_count() const { return prefixes_.size(); }
  // The key changed; `by` is nobody for what no client did.
  void note_change(std::string_view key, ClientId by);
  // So much waits to be told that it should be told now.
  bool has_much_to_tell() const { return note_bytes_ > kMostNotedBytes; }
  // What is to be told by now: each prefix whose keys changed, those keys, and who listens.
  struct Broadcast {
    std::map<std::string, ClientId, std::less<>> keys;  // and who changed it first
    std::set<ClientId> clients;
  };
  void take_broadcasts(std::vector<Broadcast>& into);

 private:
  static constexpr std::size_t kMostNotedBytes = 1024 * 1024;
  struct Prefix {
    std::set<ClientId> clients;
    std::map<std::string, ClientId, std::less<>> changed;
  };
  using Keys = std::unordered_map<std::string, std::vector<ClientId>>;

  void prune(std::vector<ClientId>& readers);

  std::set<ClientId> readers_;  // clients that track what they read
  std::size_t broadcast_count_ = 0;
  Keys keys_;  // clients in order
  std::size_t item_count_ = 0;
  std::size_t hand_ = 0;  // where among the buckets of keys_ room is made next
  std::map<std::string, Prefix, std::less<>> prefixes_;
  std::map<std::size_t, std::size_t> lengths_;  // of the prefixes, and how many have each
  std::unordered_map<ClientId, std::set<std::string>> prefixes_of_;
  std::set<std::string_view> noted_;  // prefixes with changes; views of the names in prefixes_
  std::size_t note_bytes_ = 0;
};

}  // namespace fencepost::commands
