// A request while it is being answered: what its own client is pushed meanwhile must not stand
// within its reply, but before or behind it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "resp/writer.h"
#include "server/connection.h"

namespace fencepost::server {

// Where a push to the client that is being answered stands. To all others it goes at once.
enum class Place : std::uint8_t { before_reply, behind_reply, behind_all };

struct Asking {
  Connection& connection;
  resp::ReplyWriter& reply;
  std::size_t start = 0;  // how long the reply's buffer was before the reply
  std::string before;
  std::string behind;
  std::string last;
  // What it has read and is no longer true, to be told behind all else; null: all of it.
  std::vector<std::optional<std::string>> invalid;
  std::size_t invalid_bytes = 0;

  std::string& at(Place place) {
    return place == Place::before_reply ? before : place == Place::behind_reply ? behind : last;
  }
  std::size_t bytes() const { return before.size() + behind.size() + last.size() + invalid_bytes; }
};

}  // namespace fencepost::server
