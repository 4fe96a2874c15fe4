// Who listens to what: channels, patterns of channels, shard channels. A pure table; names are told
// in the order of their bytes.
#pragma once

#include <array>
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

enum class Audience : std::uint8_t { channel, pattern, shard };
constexpr std::size_t kAudiences = 3;

class Subscriptions {
 public:
  // One that is to be told of a message: once for the channel, and once for each pattern.
  struct Receiver {
    ClientId client = ClientId::nobody;
    const std::string* pattern = nullptr;  // null: it listens to the channel by its name
  };

  // False when the client listens to it already.
  bool add(ClientId client, Audience kind, std::string_view name);
  // False when it did not.
  bool remove(ClientId client, Audience kind, std::string_view name);
  // The client is gone. Linear in what it listens to.
  void forget(ClientId client);

  std::vector<std::string> names_of(ClientId client, Audience kind) const;
  // What the names of all it listens to take, in bytes.
  std::size_t bytes_of(ClientId client) const;

  // All that a message on this channel (or shard channel) goes to; good until the table changes.
  // Asking again for the same channel costs nothing.
  const std::vector<Receiver>& receivers(Audience kind, std::string_view channel);

  // How many names of that kind somebody listens to, and how many clients listen to one of them.
  std::size_t count(Audience kind) const { return names(kind).size(); }
  std::size_t count(Audience kind, std::string_view name) const;
  // The names that match the glob, or all.
  std::vector<std::string_view> matching(Audience kind,
                                         std::optional<std::string_view> pattern) const;
  bool nobody_listens() const { return clients_.empty(); }

 private:
  using Names = std::map<std::string, std::set<ClientId>, std::less<>>;
  // Views of the names in `names_`, which stay where they are.
  struct Own {
    std::array<std::set<std::string_view>, kAudiences> names;
    std::size_t bytes = 0;
  };

  Names& names(Audience kind) { return names_[static_cast<std::size_t>(kind)]; }
  const Names& names(Audience kind) const { return names_[static_cast<std::size_t>(kind)]; }
  void leave(ClientId client, Audience kind, std::string_view name);

  std::array<Names, kAudiences> names_;
  std::unordered_map<ClientId, Own> clients_;
  // The last answer of receivers(), while it is good.
  bool remembers_ = false;
  Audience last_kind_ = Audience::channel;
  std::string last_channel_;
  std::vector<Receiver> receivers_;
};

}  // namespace fencepost::commands
