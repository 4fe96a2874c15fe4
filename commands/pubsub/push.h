// What subscribers and trackers are sent without having asked at that moment: messages and
// invalidations, in RESP3 as pushes.
// https://redis.io/docs/latest/develop/pubsub,
// https://redis.io/docs/latest/develop/reference/client-side-caching
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "commands/pubsub/subscriptions.h"
#include "resp/writer.h"

namespace fencepost::commands {

// "subscribe" and the like: the client listens to `count` names now. Null instead of a name when
// there was nothing to leave.
void write_subscribed(resp::ReplyWriter& reply, std::string_view what, const std::string_view* name,
                      std::size_t count);

// A message on a channel; `pattern` is the one that it came by, if any.
void write_message(resp::ReplyWriter& reply, Audience kind, const std::string* pattern,
                   std::string_view channel, std::string_view text);

// What was read of these keys is no longer true; null: of no key it is.
void write_invalidation(resp::ReplyWriter& reply, const std::span<const std::string_view>* keys);
// The same for a subscriber in RESP2 that another client redirects its invalidations to.
void write_redirected_invalidation(resp::ReplyWriter& reply,
                                   const std::span<const std::string_view>* keys);
// The client that invalidations were to be sent to is gone.
void write_broken_redirection(resp::ReplyWriter& reply, ClientId redirection);

}  // namespace fencepost::commands
