// Who watches which key, and whose watch was broken.
#include "state/watches.h"

#include <string>

namespace fencepost::state {

void Watches::watch(ClientId client, DatabaseIndex database, std::string_view key) {
  KeyName name{database, std::string{key}};
  watchers_[name].insert(client);
  watched_[client].insert(std::move(name));
}

void Watches::forget(ClientId client) {
  broken_.erase(client);
  const auto found = watched_.find(client);
  if (found == watched_.end()) return;
  for (const KeyName& name : found->second) {
    const auto watchers = watchers_.find(name);
    watchers->second.erase(client);
    if (watchers->second.empty()) watchers_.erase(watchers);
  }
  watched_.erase(found);
}

void Watches::touch(DatabaseIndex database, std::string_view key) {
  if (watchers_.empty()) return;
  const auto found = watchers_.find(KeyName{database, std::string{key}});
  if (found == watchers_.end()) return;
  broken_.insert(found->second.begin(), found->second.end());
}

}  // namespace fencepost::state
