// What subscribers and trackers are sent without having asked at that moment.
#include "commands/pubsub/push.h"

namespace fencepost::commands {

namespace {

constexpr std::string_view kInvalidationChannel = "__redis__:invalidate";

void write_keys(resp::ReplyWriter& reply, const std::span<const std::string_view>* keys) {
  if (keys == nullptr) return reply.null();
  reply.array(keys->size());
  for (const std::string_view key : *keys) reply.bulk(key);
}

}  // namespace

void write_subscribed(resp::ReplyWriter& reply, std::string_view what, const std::string_view* name,
                      std::size_t count) {
  reply.push(3);
  reply.bulk(what);
  if (name != nullptr) {
    reply.bulk(*name);
  } else {
    reply.null();
  }
  reply.integer(static_cast<std::int64_t>(count));
}

void write_message(resp::ReplyWriter& reply, Audience kind, const std::string* pattern,
                   std::string_view channel, std::string_view text) {
  reply.push(pattern != nullptr ? 4 : 3);
  if (pattern != nullptr) {
    reply.bulk("pmessage");
    reply.bulk(*pattern);
  } else {
    reply.bulk(kind == Audience::shard ? "smessage" : "message");
  }
  reply.bulk(channel);
  reply.bulk(text);
}

void write_invalidation(resp::ReplyWriter& reply, const std::span<const std::string_view>* keys) {
  reply.push(2);
  reply.bulk("invalidate");
  write_keys(reply, keys);
}

void write_redirected_invalidation(resp::ReplyWriter& reply,
                                   const std::span<const std::string_view>* keys) {
  reply.push(3);
  reply.bulk("message");
  reply.bulk(kInvalidationChannel);
  write_keys(reply, keys);
}

void write_broken_redirection(resp::ReplyWriter& reply, ClientId redirection) {
  reply.push(2);
  reply.bulk("tracking-redir-broken");
  reply.integer(static_cast<std::int64_t>(redirection));
}

}  // namespace fencepost::commands
