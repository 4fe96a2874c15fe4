// Who listens to what.
#include "commands/pubsub/subscriptions.h"

#include "base/check.h"
#include "base/text.h"

namespace fencepost::commands {

namespace {

// What one great audience needed is not kept for all that is published after it.
constexpr std::size_t kOrdinaryAudience = 1024;

}  // namespace

bool Subscriptions::add(ClientId client, Audience kind, std::string_view name) {
  const auto at = names(kind).try_emplace(std::string{name}).first;
  if (!at->second.insert(client).second) return false;
  Own& own = clients_[client];
  own.names[static_cast<std::size_t>(kind)].insert(at->first);
  own.bytes += name.size();
  remembers_ = false;
  return true;
}

bool Subscriptions::remove(ClientId client, Audience kind, std::string_view name) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return false;
  Own& own = found->second;
  if (own.names[static_cast<std::size_t>(kind)].erase(name) == 0) return false;
  own.bytes -= name.size();
  leave(client, kind, name);
  for (const auto& kept : own.names) {
    if (!kept.empty()) return true;
  }
  clients_.erase(found);
  return true;
}

void Subscriptions::forget(ClientId client) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  for (std::size_t kind = 0; kind < kAudiences; ++kind) {
    for (const std::string_view name : found->second.names[kind]) {
      leave(client, static_cast<Audience>(kind), name);
    }
  }
  clients_.erase(found);
}

// The view may be of the very name that goes with its last listener: it is not used after that.
void Subscriptions::leave(ClientId client, Audience kind, std::string_view name) {
  const auto at = names(kind).find(name);
  check(at != names(kind).end(), "what a client listens to is in the table");
  at->second.erase(client);
  if (at->second.empty()) names(kind).erase(at);
  remembers_ = false;
}

std::vector<std::string> Subscriptions::names_of(ClientId client, Audience kind) const {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return {};
  const auto& own = found->second.names[static_cast<std::size_t>(kind)];
  return {own.begin(), own.end()};
}

std::size_t Subscriptions::bytes_of(ClientId client) const {
  const auto found = clients_.find(client);
  return found == clients_.end() ? 0 : found->second.bytes;
}

const std::vector<Subscriptions::Receiver>& Subscriptions::receivers(Audience kind,
                                                                     std::string_view channel) {
  check(kind != Audience::pattern, "messages are published on channels");
  if (remembers_ && kind == last_kind_ && channel == last_channel_) return receivers_;
  if (receivers_.capacity() > kOrdinaryAudience) receivers_ = {};
  receivers_.clear();
  const auto at = names(kind).find(channel);
  if (at != names(kind).end()) {
    for (const ClientId client : at->second) receivers_.push_back({client, nullptr});
  }
  if (kind == Audience::channel) {
    for (const auto& [pattern, clients] : names(Audience::pattern)) {
      if (!glob_matches(pattern, channel)) continue;
      for (const ClientId client : clients) receivers_.push_back({client, &pattern});
    }
  }
  remembers_ = true;
  last_kind_ = kind;
  last_channel_ = channel;
  return receivers_;
}

std::size_t Subscriptions::count(Audience kind, std::string_view name) const {
  const auto at = names(kind).find(name);
  return at == names(kind).end() ? 0 : at->second.size();
}

std::vector<std::string_view> Subscriptions::matching(
    Audience kind, std::optional<std::string_view> pattern) const {
  std::vector<std::string_view> found;
  for (const auto& [name, clients] : names(kind)) {
    if (!pattern || glob_matches(*pattern, name)) found.push_back(name);
  }
  return found;
}

}  // namespace fencepost::commands
