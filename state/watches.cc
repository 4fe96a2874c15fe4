// Who watches which key, and whose watch was broken.
#include "state/watches.h"

#include <string>

namespace fencepost::state {

void Watches::watch(ClientId client, DatabaseIndex database, std::string_view key) {
  KeyName name{database, std::string{key}};
  watchers_[name].insert(client);
  Watched& watched = watched_[client];
  if (watched.names.insert(std::move(name)).second) watched.bytes += bytes_of_key(key);
}

std::size_t Watches::bytes_of(ClientId client) const {
  const auto found = watched_.find(client);
  return found == watched_.end() ? 0 : found->second.bytes;
}

// The name stands with the key and with the client.
std::size_t Watches::bytes_of_key(std::string_view key) {
  constexpr std::size_t kPerKey = 256;
  return kPerKey + 2 * key.size();
}

void Watches::forget(ClientId client) {
  broken_.erase(client);
  const auto found = watched_.find(client);
  if (found == watched_.end()) return;
  for (const KeyName& name : found->second.names) {
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
