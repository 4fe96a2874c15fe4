// Keyspace notifications: what a command tells those who listen (notify-keyspace-events).
// https://redis.io/docs/latest/develop/pubsub/keyspace-notifications
#pragma once

#include <string_view>

#include "commands/context.h"
#include "state/happenings.h"

namespace fencepost::commands {

using state::EventClass;

// `event` ("set", "del", "hset"; text that lives as long as the program) happened to the key in the
// caller's database. To be called where Redis calls it: before or after the reply is written, for
// one's own messages stand on the same side of it. Cheap when nobody asked.
inline void notify(Context& context, EventClass kind, std::string_view event,
                   std::string_view key) {
  context.state.happenings().event(kind, event, context.database(), key, context.reply.size());
}

// The same in another database.
inline void notify(Context& context, EventClass kind, std::string_view event,
                   DatabaseIndex database, std::string_view key) {
  context.state.happenings().event(kind, event, database, key, context.reply.size());
}

}  // namespace fencepost::commands
