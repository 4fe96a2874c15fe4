// What the journal orders: everything that can change the state, with all the chance and time it
// needs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"

namespace fencepost::journal {

using Request = std::span<const std::string_view>;

enum class EntryKind : std::uint8_t {
  command,      // one request, or with `transaction` the requests of an EXEC
  client_gone,  // its connection closed: waiters leave the line, bound holds lapse
  undo_grant,   // the answer with `fence` could not be delivered to `client`; the key goes by its
                // hash
  unblock,      // CLIENT UNBLOCK: the waiter of `client` is answered, `with_error` or nil
  tick          // nothing but time
};

struct Entry {
  EntryKind kind = EntryKind::tick;
  Now now{};
  std::uint64_t chance = 0;  // seed for whatever the command needs of it
  ClientId client = ClientId::nobody;
  DatabaseIndex database = 0;
  bool transaction = false;
  bool with_error = false;
  bool memory_full = false;  // more than maxmemory is in use
  DatabaseIndex home = 0;    // of the grant that is undone
  std::uint64_t key_hash = 0;
  std::uint64_t fence = 0;
  std::uint64_t place = 0;  // in line, to be kept for the owner that was not told
  std::span<const Request> requests{};
  // The texts of scripts that requests name by SHA-1, so that they run where nobody loaded them.
  std::span<const std::string_view> scripts{};
};

}  // namespace fencepost::journal
