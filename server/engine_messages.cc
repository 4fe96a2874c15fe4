// What happened is told to whoever listens: messages, and events of keys.
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "commands/pubsub/push.h"
#include "server/engine.h"

namespace fencepost::server {

namespace {

using commands::Audience;
using state::Happening;

// All that a push holds was bounded when it came in, so nothing of it is left out.
constexpr std::size_t kNoBound = std::numeric_limits<std::size_t>::max() / 2;

}  // namespace

// `by`: whose command it was; nobody where it was time, or a hand-over. `context` is that of the
// command, if it was one.
void Engine::spread(ClientId by, const commands::Context* context) {
  if (state_.happenings().empty()) return;
  state_.happenings().take(happened_);
  const bool in_script = context != nullptr && context->in_script;
  for (const Happening& one : happened_) {
    const Doer doer{.client = one.by_time ? ClientId::nobody : by, .in_script = in_script};
    tell_of(one, doer, place_of(one, context));
  }
  if (process_.tracked_keys.has_much_to_tell()) broadcast();
}

// As Redis, which sends at once: what happened before the command began its reply stands before it.
// But within the reply of an EXEC, or of a command that was at its second key, nothing is put.
Place Engine::place_of(const Happening& one, const commands::Context* context) const {
  if (asking_ == nullptr || !asking_->behind.empty()) return Place::behind_reply;
  if (context != nullptr && context->in_transaction) return Place::behind_reply;
  const bool is_its_own = context != nullptr && &context->reply == &asking_->reply;
  const std::size_t reply_size = is_its_own ? one.reply_size : asking_->reply.size();
  return reply_size <= asking_->start ? Place::before_reply : Place::behind_reply;
}

void Engine::tell_of(const Happening& one, const Doer& doer, Place place) {
  switch (one.kind) {
    case Happening::Kind::event:
      return tell_event(one, place);
    case Happening::Kind::message:
      return send_to_all(Audience::channel, one.key, one.text, place);
    case Happening::Kind::shard_message:
      return send_to_all(Audience::shard, one.key, one.text, place);
    case Happening::Kind::changed:
      // As in Redis, NOLOOP keeps quiet about what one's script did to a key that one read, but not
      // to one under a prefix.
      process_.tracked_keys.note_change(one.key, doer.in_script ? ClientId::nobody : doer.client);
      return tell_readers(one.key, doer.client);
    case Happening::Kind::flushed:
      return tell_all_trackers();
  }
}

void Engine::tell_event(const Happening& one, Place place) {
  if (process_.subscriptions.nobody_listens()) return;
  const commands::Notifications& asked = process_.settings.values.notifications;
  if (asked.by_key) {
    send_to_all(Audience::channel, fmt::format("__keyspace@{}__:{}", one.database, one.key),
                one.name, place);
  }
  if (asked.by_event) {
    send_to_all(Audience::channel, fmt::format("__keyevent@{}__:{}", one.database, one.name),
                one.key, place);
  }
}

void Engine::send_to_all(Audience audience, std::string_view channel, std::string_view text,
                         Place place) {
  const std::string* pattern = nullptr;
  const std::function<void(resp::ReplyWriter&)> write = [&](resp::ReplyWriter& writer) {
    commands::write_message(writer, audience, pattern, channel, text);
  };
  for (const auto& receiver : process_.subscriptions.receivers(audience, channel)) {
    pattern = receiver.pattern;
    if (Connection* connection = find(receiver.client)) push(*connection, place, write);
  }
}

// Of a client that is being answered, scripts change what the session says.
resp::Protocol Engine::protocol_of(const Connection& connection) const {
  const bool is_asking = asking_ != nullptr && &asking_->connection == &connection;
  return is_asking ? asking_->reply.protocol() : connection.session.protocol;
}

void Engine::push(Connection& to, Place place,
                  const std::function<void(resp::ReplyWriter&)>& write) {
  if (to.closing != Closing::no) return;
  const bool is_asking = asking_ != nullptr && &asking_->connection == &to;
  std::string& out = is_asking ? asking_->at(place) : to.output.open(pool_);
  resp::ReplyWriter writer{out, protocol_of(to), kNoBound};
  const std::size_t before = writer.size();
  write(writer);
  to.pushed_bytes += writer.size() - before;
  if (!is_asking) {
    to.output.seal_if_large();
    mark_dirty(to);
  }
  check_output(to);
}

// The reply is written; what its client was pushed meanwhile takes its place around it.
void Engine::end_asking(Asking& asking) {
  if (asking.bytes() == 0) return;
  std::string& out = asking.connection.output.open(pool_);
  out.insert(asking.start, asking.before);
  out.append(asking.behind);
  out.append(asking.last);
  for (const auto& key : asking.invalid) {
    tell_tracker(asking.connection,
                 key ? std::optional<std::string_view>{*key} : std::optional<std::string_view>{});
  }
}

}  // namespace fencepost::server
