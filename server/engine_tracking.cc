// Clients that cache what they have read are told once it is no longer true.
#include <algorithm>
#include <utility>

#include "commands/pubsub/push.h"
#include "server/engine.h"

namespace fencepost::server {

// The keys that a command was asked to read, whether they are there or not. As Redis, those of
// commands that write are not among them, and a script that reads anything may have read whatever
// it was given as keys.
void Engine::note_reads(const commands::Context& context, const commands::Resolved& found,
                        commands::Arguments arguments) {
  const commands::Command& command = *found.command;
  if (command.effect != commands::Effect::read ||
      has(command.flags, commands::Flag::effect_of_inner)) {
    return;
  }
  note_keys(context, command, arguments);
  if (context.in_script && script_request_.command) {
    note_keys(context, *script_request_.command, script_request_.arguments);
  }
}

void Engine::note_keys(const commands::Context& context, const commands::Command& command,
                       commands::Arguments arguments) {
  std::size_t noted = 0;
  for (const std::size_t at : commands::key_positions(command, arguments)) {
    if (arguments[at].size() > kMaxKeyBytes) continue;  // no key has such a name
    process_.tracked_keys.remember(context.session.id, arguments[at]);
    ++noted;
  }
  evict_tracked_keys(noted);
}

bool Engine::tracks_too_many_keys() const {
  const std::int64_t most = process_.settings.values.tracking_table_max_keys;
  return most > 0 && std::cmp_greater(process_.tracked_keys.key_count(), most);
}

// Whoever has read a key that is given up must take it for changed.
void Engine::evict_tracked_keys(std::size_t most) {
  for (std::size_t i = 0; i < most && tracks_too_many_keys(); ++i) {
    tell_readers(process_.tracked_keys.next_to_evict(), ClientId::nobody);
  }
}

void Engine::tell_readers(std::string_view key, ClientId by) {
  process_.tracked_keys.take_readers(key, readers_);
  for (const ClientId reader : readers_) {
    Connection* connection = find(reader);
    if (connection == nullptr) continue;
    const commands::TrackingTerms& terms = connection->session.tracking;
    if (!terms.on || terms.broadcast || (terms.no_loop && reader == by)) continue;
    tell_tracker(*connection, key);
  }
}

void Engine::tell_all_trackers() {
  for (const auto& [id, session] : process_.clients) {
    if (session->tracking.on) tell_tracker(*find(id), std::nullopt);
  }
  process_.tracked_keys.forget_keys();
}

// To the client that is being answered it is told behind its reply, whatever that reply says.
void Engine::tell_tracker(Connection& tracker, std::optional<std::string_view> key) {
  if (asking_ != nullptr && &asking_->connection == &tracker) {
    if (tracker.closing != Closing::no) return;
    asking_->invalid.emplace_back(key);
    asking_->invalid_bytes += sizeof(std::string) + key.value_or("").size();
    return check_output(tracker);
  }
  if (!key) return invalidate(tracker, nullptr);
  const std::span<const std::string_view> one{&*key, 1};
  invalidate(tracker, &one);
}

// Null: all keys. In RESP2 only a client that listens to messages can be sent what it did not ask
// for.
void Engine::invalidate(Connection& tracker, const std::span<const std::string_view>* keys) {
  commands::TrackingTerms& terms = tracker.session.tracking;
  Connection* to = &tracker;
  const bool redirects = terms.redirect != ClientId::nobody;
  if (redirects) {
    to = process_.clients.contains(terms.redirect) ? find(terms.redirect) : nullptr;
    if (to == nullptr) return tell_of_broken_redirection(tracker);
  }
  if (protocol_of(*to) == resp::Protocol::resp3) {
    push(*to, Place::behind_reply,
         [keys](resp::ReplyWriter& writer) { commands::write_invalidation(writer, keys); });
  } else if (redirects && to->session.subscribed()) {
    push(*to, Place::behind_reply, [keys](resp::ReplyWriter& writer) {
      commands::write_redirected_invalidation(writer, keys);
    });
  }
}

void Engine::tell_of_broken_redirection(Connection& tracker) {
  commands::TrackingTerms& terms = tracker.session.tracking;
  terms.redirect_broken = true;
  if (protocol_of(tracker) != resp::Protocol::resp3) return;
  push(tracker, Place::behind_reply, [&terms](resp::ReplyWriter& writer) {
    commands::write_broken_redirection(writer, terms.redirect);
  });
}

// What changed under the prefixes that somebody listens to, once a turn: a push for each prefix.
void Engine::broadcast() {
  process_.tracked_keys.take_broadcasts(broadcasts_);
  for (const commands::TrackedKeys::Broadcast& one : broadcasts_) {
    for (const ClientId client : one.clients) {
      Connection* connection = find(client);
      if (connection == nullptr) continue;
      const bool no_loop = connection->session.tracking.no_loop;
      told_keys_.clear();
      for (const auto& [key, by] : one.keys) {
        if (!no_loop || by != client) told_keys_.push_back(key);
      }
      const std::span<const std::string_view> keys{told_keys_};
      if (!keys.empty()) invalidate(*connection, &keys);
    }
  }
}

}  // namespace fencepost::server
