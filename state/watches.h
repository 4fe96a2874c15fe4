// Who watches which key (WATCH), and whose watch was broken.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/ids.h"
#include "state/item.h"

namespace fencepost::state {

class Watches {
 public:
  void watch(ClientId client, DatabaseIndex database, std::string_view key);
  void forget(ClientId client);
  // What a client's watches take of memory, about; and one more.
  std::size_t bytes_of(ClientId client) const;
  static std::size_t bytes_of_key(std::string_view key);
  bool broken(ClientId client) const { return broken_.contains(client); }
  // The key changed.
  void touch(DatabaseIndex database, std::string_view key);

 private:
  struct Watched {
    std::set<KeyName> names;
    std::size_t bytes = 0;
  };

  std::map<KeyName, std::set<ClientId>> watchers_;
  std::map<ClientId, Watched> watched_;
  std::set<ClientId> broken_;
};

}  // namespace fencepost::state
