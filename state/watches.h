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
  bool broken(ClientId client) const { return broken_.contains(client); }
  // The key changed.
  void touch(DatabaseIndex database, std::string_view key);

 private:
  std::map<KeyName, std::set<ClientId>> watchers_;
  std::map<ClientId, std::set<KeyName>> watched_;
  std::set<ClientId> broken_;
};

}  // namespace fencepost::state
