// One client as the commands see it: who it is and what it has switched on. No socket in it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "commands/pubsub/subscriptions.h"
#include "commands/tracking/tracked_keys.h"
#include "resp/protocol.h"

namespace fencepost::commands {

// CLIENT REPLY. `on` answers everything. `off` answers nothing. SKIP writes no reply and sets
// skip_next; the engine, after each command: skip_this becomes on, skip_next becomes skip_this, and
// a reply written under skip_this is dropped.
enum class ReplyMode : std::uint8_t { on, off, skip_next, skip_this };

// MULTI: what is queued for EXEC, copied, for the bytes it came in are gone by then.
struct Transaction {
  bool open = false;
  bool refused = false;  // a command was refused while queueing: EXEC answers EXECABORT
  std::vector<std::vector<std::string>> queue;
  std::size_t words = 0;
  std::size_t bytes = 0;  // of all words in the queue
};

struct Session {
  ClientId id = ClientId::nobody;
  DatabaseIndex database = 0;
  resp::Protocol protocol = resp::Protocol::resp2;
  bool logged_in = false;
  std::string user = "default";
  std::string name;          // CLIENT SETNAME
  std::string library_name;  // CLIENT SETINFO
  std::string library_version;
  std::string address;  // peer, "127.0.0.1:40112", or the path of a Unix socket with ":0"
  std::string local_address;
  int descriptor = -1;
  Instant connected_at{};
  Instant last_active_at{};
  std::string last_command;  // full name in lower case, "client|list"; set by the engine before the
                             // command runs
  ReplyMode replies = ReplyMode::on;
  bool no_evict = false;
  bool no_touch = false;
  bool monitoring = false;  // MONITOR
  bool waiting =
      false;  // parked by a blocking command: nothing more of it runs until it is answered
  bool waits_for_sync = false;  // set by WAITAOF, whose caller waits until the moment behind
  Instant sync_deadline{};
  bool paused = false;    // its next command waits for CLIENT PAUSE to end
  bool watching = false;  // has WATCHed since the last EXEC, DISCARD or UNWATCH
  std::array<std::uint32_t, kAudiences> subscriptions{};  // how many, by Audience
  TrackingTerms tracking;
  Transaction transaction;

  // Set by commands, obeyed by the engine once the reply is written.
  bool close_after_reply = false;  // QUIT, CLIENT KILL of oneself
  bool close_now = false;          // CLIENT KILL by another

  // Kept up to date by the engine for CLIENT LIST; bytes.
  std::size_t input_bytes = 0;     // came and did not run
  std::size_t argument_bytes = 0;  // stand before a large string that is coming in
  std::size_t awaited_bytes = 0;   // of that string, announced and not there yet
  std::size_t output_bytes = 0;
  std::uint64_t total_input_bytes = 0;
  std::uint64_t total_output_bytes = 0;
  std::uint64_t commands_run = 0;

  std::size_t subscribed_to(Audience kind) const {
    return subscriptions[static_cast<std::size_t>(kind)];
  }
  std::size_t subscription_count() const {
    return subscribed_to(Audience::channel) + subscribed_to(Audience::pattern) +
           subscribed_to(Audience::shard);
  }
  bool subscribed() const { return subscription_count() > 0; }
};

}  // namespace fencepost::commands
