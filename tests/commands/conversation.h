// A whole server without sockets, on a clock that is set by hand, for tests that read as
// conversations:
//
//   Server server;
//   EXPECT_EQ(server.run("SET", "door", "alice"), "+OK\r\n");
//   Client bob = server.client(Protocol::resp3);
//   bob.begin("LOCK", "door", "bob", "WAIT", 4000);   // waits
//   EXPECT_EQ(bob.take(), "");
//   server.run("DEL", "door");
//   EXPECT_EQ(bob.take(), ":2\r\n");
//   server.pass(30'001);                              // bob's lease is over
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "commands/process.h"
#include "resp/protocol.h"
#include "server/engine.h"

namespace fencepost::tests {

using resp::Protocol;

// Stands still until it is moved.
class HandClock final : public Clock {
 public:
  Now now() override { return {.log = log_, .wall_offset = wall_offset_}; }
  std::int64_t stopwatch_us() override { return log_.time_since_epoch().count() * 1000; }

  void set(Instant log) { log_ = log; }
  void pass(Duration span) { log_ += span; }
  void step_wall(Duration by) { wall_offset_ += by; }

 private:
  Instant log_{Duration{1'700'000'000'000}};
  Duration wall_offset_{};
};

// One word of a request: text as it is, numbers in decimal.
inline std::string to_word(std::string_view text) {
  return std::string{text};
}
inline std::string to_word(std::integral auto number) {
  return std::to_string(number);
}

// The request as bytes.
std::string request(const std::vector<std::string>& words);

class Server;

// A connection of the server's; a value that may be copied. It must not outlive the server.
class Client {
 public:
  Client(Server& server, ClientId id) : server_{&server}, id_{id} {}

  // Sends a request and gives back all that has been answered by then: "" while it waits.
  template <typename... Words>
  std::string run(const Words&... words) {
    begin(words...);
    return take();
  }
  // Sends a request and leaves the answer for take().
  template <typename... Words>
  void begin(const Words&... words) {
    send(request({to_word(words)...}));
  }
  // Sends bytes as they are.
  void send(std::string_view bytes);
  // All that came since the last time.
  std::string take();

  // From now on nothing is read of what it is sent, as by a client that is about to vanish.
  void stop_reading();
  // Closes the connection. Anything not read by then never arrived.
  void hang_up();
  // The server has closed it.
  bool closed() const;
  ClientId id() const { return id_; }

 private:
  Server* server_;
  ClientId id_;
};

class Server {
 public:
  explicit Server(commands::Settings settings = {});

  Client client(Protocol protocol = Protocol::resp2);
  // As the client that was there from the beginning.
  template <typename... Words>
  std::string run(const Words&... words) {
    return first_.run(words...);
  }
  template <typename... Words>
  void begin(const Words&... words) {
    first_.begin(words...);
  }
  std::string take() { return first_.take(); }
  Client& first() { return first_; }

  // Time goes by, the server waking up whenever it has something to do.
  void pass(std::int64_t ms);
  // Time goes by while the server is stopped or the machine sleeps.
  void sleep_through(std::int64_t ms);
  // Somebody sets the wall clock.
  void step_wall(std::int64_t ms) { clock_.step_wall(Duration{ms}); }
  std::int64_t unix_ms() { return clock_.now().wall().time_since_epoch().count(); }

  server::Engine& engine() { return engine_; }

 private:
  friend class Client;
  struct Line {
    std::string received;
    bool reading = true;
    bool closed = false;
  };

  // Carries what is to be sent to the clients, and closes those that are to be closed, until
  // nothing is left to do.
  void carry();
  void carry(ClientId client);

  HandClock clock_;
  server::Engine engine_;
  std::map<ClientId, Line> lines_;
  Client first_;
};

}  // namespace fencepost::tests
