// A server without sockets and the clients who speak to it, as a fuzzer drives them. Every byte
// that comes out is judged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "server/engine.h"

namespace fencepost::fuzz {

class HandClock final : public Clock {
 public:
  Now now() override { return {.log = log_, .wall_offset = Duration{0}}; }
  std::int64_t stopwatch_us() override { return log_.time_since_epoch().count() * 1000; }
  void pass(Duration span) { log_ = saturating_add(log_, span); }

 private:
  Instant log_{Duration{1'700'000'000'000}};
};

struct StageOptions {
  bool password = false;  // requirepass "pw"
  bool tight = false;     // small limits everywhere
  bool journal = false;   // what changes is written down, and answers wait for that
};

class Stage {
 public:
  static constexpr std::size_t kClients = 4;

  explicit Stage(const StageOptions& options);

  // The client says something; it is connected first if it is not.
  void say(std::size_t who, std::string_view bytes);
  void hang_up(std::size_t who);
  // It takes nothing that is sent to it until it listens again.
  void stop_reading(std::size_t who) { client(who).reads = false; }
  void read_again(std::size_t who);
  void pass(Duration span);
  // Nothing is safe until the disk goes on: whatever tells of a change waits.
  void stop_disk() { disk_stands_ = true; }
  void start_disk();
  // All read what there is, leave, and much time passes: nothing may be left behind. Who reads the
  // journal comes to the same state.
  void finish();

  // The type of each reply that was heard, in order, and what the state came to. The same input
  // must give the same. (INFO tells of memory and CPU, so the texts of replies may differ.)
  const std::string& outcome() const { return outcome_; }

 private:
  struct Player {
    ClientId id = ClientId::nobody;  // nobody: not connected
    bool reads = true;
    std::string unread;  // the beginning of a reply
  };

  Player& client(std::size_t who) { return players_[who % kClients]; }
  void connect(Player& player);
  void drop(Player& player);
  void write_journal();
  void settle();
  void deliver(Player& player);
  void judge(Player& player);

  HandClock clock_;
  server::Engine engine_;
  bool journal_;
  bool disk_stands_ = false;
  std::uint64_t written_ = 0;
  state::State read_back_;  // from the journal
  std::array<Player, kClients> players_;
  std::string outcome_;
};

}  // namespace fencepost::fuzz
