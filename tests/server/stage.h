// An engine with its transport played by hand: clients join, say bytes and hear bytes; time passes
// when told to.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "server/engine.h"

namespace fencepost::server {

class HandClock final : public Clock {
 public:
  Now now() override { return {.log = log_, .wall_offset = Duration{500}}; }
  std::int64_t stopwatch_us() override { return stopwatch_us_ += 3; }
  void pass(Duration duration) { log_ += duration; }
  void work(std::chrono::microseconds time) { stopwatch_us_ += time.count(); }

 private:
  Instant log_{Duration{1'700'000'000'000}};
  std::int64_t stopwatch_us_ = 0;
};

class Stage {
 public:
  // With parameters as on the command line.
  using Parameters = std::vector<std::pair<std::string, std::string>>;
  explicit Stage(const Parameters& parameters = {});

  Engine& engine() { return engine_; }
  ClientId join(Peer peer = {.address = "127.0.0.1:40112", .local_address = "127.0.0.1:6379"});
  // Sends bytes as they are, and returns what the client hears upon it.
  std::string say(ClientId client, std::string_view bytes);
  // The same for one command a line: "SET a b" becomes an inline request.
  std::string ask(ClientId client, std::string_view line);
  // What has come for the client since it was last asked for.
  std::string heard(ClientId client);
  void leave(ClientId client);
  // Time passes in one step; whatever is over by then is ended.
  void pass(Duration duration);
  // A command, a script say, takes that long.
  void work(std::chrono::microseconds time) { clock_.work(time); }
  // Its socket takes nothing more from now on; what was sent to it before is heard.
  void stop_reading(ClientId client) { deaf_.insert(client); }
  void read_again(ClientId client);
  bool is_open(ClientId client) const { return open_.contains(client); }

  // As the loop does before it sleeps, until nothing is left to do. The bound on turns is a test of
  // its own.
  void flush();

 private:
  void flush(ClientId client);

  HandClock clock_;
  Engine engine_;
  std::set<ClientId> open_;
  std::set<ClientId> deaf_;
  std::map<ClientId, std::string> heard_;
  std::map<ClientId, std::string> unsent_;
};

// The client in words of RESP: "*2\r\n$4\r\nECHO\r\n..."
std::string request(const std::vector<std::string>& words);

}  // namespace fencepost::server
