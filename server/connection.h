// One client as the engine keeps it: its session, the bytes that came and could not run yet, the
// bytes to be sent. There is no socket in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "commands/command.h"
#include "commands/session.h"
#include "resp/request_parser.h"
#include "server/output.h"
#include "state/lock_table.h"

namespace fencepost::server {

// Who is at the other end, as the transport knows it.
struct Peer {
  std::string address;  // "127.0.0.1:40112", "[::1]:40112", or "/path:0" of a Unix socket
  std::string local_address;
  int descriptor = -1;
  bool local = true;  // loopback or a Unix socket: protected mode lets it in
};

// Bytes that are not a whole request yet, or that stand behind one that waits. Only a connection
// that has such bytes has one of these.
struct Unfinished {
  std::string bytes;
  std::size_t at = 0;          // how far they have been consumed
  resp::RequestParser parser;  // in the middle of the request at `at`

  std::string_view rest() const { return std::string_view{bytes}.substr(at); }
  void append(std::string_view more);
};

// A grant whose reply ends at that position of the output: until the byte before it has been
// written, the client cannot know of its hold.
struct UntoldGrant {
  state::Grant grant;
  std::uint64_t told_at = 0;
};

enum class Closing : std::uint8_t {
  no,
  when_written,  // nothing more is run; what is to be sent is sent first
  now            // nothing more is run and nothing more is sent
};

struct Connection {
  // Why nothing of it runs at the moment, besides session.waiting.
  enum class Pausing : std::uint8_t {
    none,
    entry,  // its request is with the journal
    pause,  // CLIENT PAUSE
    flush,  // much was produced in one go: the transport shall try to send before more is
    drain   // more than the output limit waits: goes on once some was read, is cut off when none is
  };

  commands::Session session;
  std::unique_ptr<Unfinished> unfinished;
  Output output;
  std::vector<UntoldGrant> untold;
  const commands::Command* last_command = nullptr;  // whose name session.last_command is
  std::uint64_t held_until = 0;  // what it is to be sent waits for that batch of the journal
  Pausing pausing = Pausing::none;
  Closing closing = Closing::no;
  bool dirty = false;             // is on the list of those with something to send, or to be closed
  bool flush_tried = false;       // since `flush` was asked for
  std::size_t may_grow_to = 0;    // output that may be pending before `flush` is asked for again
  bool watched = false;           // for whether it takes its output
  Instant progress_at{};          // while it is watched: when something was sent last
  std::size_t weighed_bytes = 0;  // of memory, as counted for maxmemory-clients
  std::size_t pushed_bytes = 0;   // unread, at most: of what it did not ask for
  Instant above_soft_since = kNever;  // since when more waits than its class's soft limit
  bool in_state = false;              // the state may know of it: it has had an entry, or watches
  bool left = false;                  // the state was told that it is gone

  bool stopped() const {
    return session.waiting || pausing != Pausing::none || closing != Closing::no;
  }
  // Whether it is cut off when it takes nothing of its output for long.
  bool must_take_output() const {
    return pausing == Pausing::drain || closing == Closing::when_written;
  }
  // Bytes that came and did not run.
  std::size_t held_bytes() const { return unfinished ? unfinished->rest().size() : 0; }
  // What it has not read yet costs this much: the bytes, and the notes of what is to be undone if
  // they never leave.
  std::size_t unread_bytes() const {
    return output.pending() + untold.size() * sizeof(UntoldGrant);
  }
  // For the log.
  std::string label() const;
  // Keeps `rest`, whose beginning `parser` has seen.
  void keep(std::string_view rest, resp::RequestParser parser);
  void release_if_done();
};

}  // namespace fencepost::server
