// What a handler is given: the state, the moment, who asks, where the reply goes. It depends on
// nothing else.
#pragma once

#include <optional>
#include <string_view>

#include "base/random.h"
#include "base/time.h"
#include "commands/process.h"
#include "commands/session.h"
#include "resp/writer.h"
#include "state/state.h"

namespace fencepost::commands {

struct Context {
  state::State& state;
  Process& process;  // for commands of Effect::session, and the limits in its settings
  Session& session;  // who asks
  resp::ReplyWriter& reply;
  Random& random;  // seeded from the entry
  Now now;
  bool may_wait = true;  // false inside MULTI and scripts: a wait counts as 0
  bool in_transaction = false;
  bool unsilenced = false;  // set by a handler whose reply is a push: CLIENT REPLY OFF lets it pass
  bool in_script = false;
  bool memory_full = false;  // more than maxmemory was in use when the request came
  // Of a request that waited and is run again (see blocking.h): the key that may serve it now.
  std::optional<std::string_view> ready_key{};
  // Set by scripts, whose errors are counted where they arise, and need not be the whole reply.
  bool errors_are_counted = false;
  bool failed = false;
  bool parked = false;  // set by a handler that wrote no reply because its caller now waits

  state::Keyspace& keys() { return state.keys(); }
  DatabaseIndex database() const { return session.database; }
};

}  // namespace fencepost::commands
