// A server, its machine and its clients, all in one thread and all from one seed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "digest.h"
#include "machine.h"
#include "server/engine.h"
#include "server/persistence.h"
#include "witness.h"

namespace fencepost::sim {

struct Plan {
  std::uint64_t seed = 1;
  int operations = 1000;  // requests, at least
  int faults = 20;
  bool trace = false;
};

struct Outcome {
  int requests = 0;
  int faults = 0;
  int restarts = 0;
  std::size_t told = 0;
  std::size_t grants = 0;
  std::uint64_t digests = 0;  // states that were compared over a restart
  std::string violation;      // empty: none
  std::vector<std::string> trace;
};

class World {
 public:
  explicit World(const Plan& plan);
  Outcome run();

 private:
  // The server's process: it ends and is started anew, while the machine stays.
  struct Life {
    Life(Machine& machine, Random& random, const server::Engine::Options& options)
        : clock{machine}, engine{options, clock}, worker{machine, random}, beat{machine} {}
    MachineClock clock;
    server::Engine engine;
    MachineWorker worker;
    MachineBeat beat;
    std::unique_ptr<server::Persistence> persistence;
  };
  struct Connection {
    std::string unread;                // replies, not whole yet
    std::size_t untaken = 0;           // bytes that its socket does not take
    bool blocked = false;              // nobody reads there any more
    std::int64_t dies_at = INT64_MAX;  // when the server hears that it is gone
  };
  struct Client {
    ClientId connection = ClientId::nobody;
    std::vector<Request> asked;  // not answered yet, to be sent again as it is
    std::size_t answered = 0;
    std::int64_t gives_up_at = 0;
  };

  // time and turns
  void pass(std::int64_t ms);
  void turn();
  void turn_once();
  void send(ClientId client);
  void deliver(ClientId client, const std::string& bytes);
  void tick();
  void look(ClientId departed = ClientId::nobody);
  void note_digest();

  // clients (clients.cc)
  void step(std::size_t number);
  void connect(std::size_t number);
  void ask(std::size_t number);
  void give_up(std::size_t number);
  void disconnect(ClientId client);
  void end_dead_connections();

  // faults and restarts (faults.cc)
  void fault();
  void mend_disk();
  void start();
  bool try_to_start();
  void restart(End end);
  void end_life(End end);
  void check_digest();
  void come_to_rest();

  std::int64_t between(std::int64_t least, std::int64_t most);
  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  void say(std::string line);

  Plan plan_;
  Random random_;
  Outcome outcome_;
  Machine machine_;
  Witness witness_;
  std::unique_ptr<Life> life_;
  server::Persistence::Options options_;
  std::uint64_t idle_fences_ = 0;
  std::string mode_;
  std::map<ClientId, Connection> connections_;
  std::vector<Client> clients_;
  std::map<std::uint64_t, Digest> digests_;  // by the journal's index
  std::uint64_t last_index_ = 0;
  std::int64_t last_turn_ms_ = 0;
  std::int64_t disk_mends_at_ = INT64_MAX;
  bool disk_troubled_ = false;  // in this life
  std::vector<ClientId> dirty_;
  std::vector<std::string> blocks_;
};

}  // namespace fencepost::sim
