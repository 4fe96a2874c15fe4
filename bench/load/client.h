// One connection of the generator: words to requests, bytes to replies. Replies are counted, not
// kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/socket.h"
#include "resp/reply_parser.h"

namespace fencepost::load {

using Words = std::vector<std::string>;

std::string request_of(const Words& words);
// At spaces; 'what stands in single quotes' is one word.
Words split(std::string_view line);

// A reply at the front of some bytes, as far as the generator looks at it.
struct Glance {
  std::size_t size;
  char type;    // its first byte
  bool is_nil;  // $-1, *-1 or _
};
// Nothing while it is incomplete. Does not judge: the server under load has been tested.
std::optional<Glance> glance(std::string_view bytes);

class Client {
 public:
  explicit Client(int port) : socket_{port} {}

  const Socket& socket() const { return socket_; }
  void send(std::string_view bytes) { socket_.send(bytes); }

  // Reads what is there (at least one byte) and calls `each(Glance)` for every reply that is whole.
  template <typename Each>
  void receive(Each each) {
    std::array<char, kReadBytes> room;  // a reply rarely comes in two reads; only then it is kept
    std::string_view bytes = read(room);
    while (const auto reply = glance(bytes)) {
      each(*reply);
      bytes.remove_prefix(reply->size);
    }
    keep(bytes);
  }

  // Asks and waits for the answer: for what comes before and after the measuring. An error ends the
  // benchmark.
  resp::Reply call(const Words& words);

 private:
  static constexpr std::size_t kReadBytes = 64 * 1024;

  std::string_view read(std::span<char> room);
  void keep(std::string_view rest);

  Socket socket_;
  std::string unread_;
};

}  // namespace fencepost::load
