// Watches a simulated server, before and after each event, and throws at the first thing that must
// never be.
//
// It knows three things. What the state shows of each lock, and must be explained by what was asked
// and by time. What has been told, from the moment at which bytes left the engine: that is
// promised. And what was asked and not answered, which may have happened or not.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/ids.h"
#include "request.h"
#include "resp/reply_parser.h"
#include "server/engine.h"

namespace fencepost::sim {

class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void violated(const std::string& key, const std::string& what);

// What became of a server.
enum class End : std::uint8_t { orderly, killed, power_lost };

class Witness {
 public:
  // --- while a server runs. `real_ms` is the time that truly passes.
  void joined(ClientId client) { open_[client]; }
  // Before the engine gets them.
  void received(ClientId client, std::vector<Request> requests, std::int64_t real_ms);
  // After each call of the engine. `departed`: whose connection it was told to be gone.
  void look(server::Engine& engine, Instant log_now, std::int64_t real_ms,
            ClientId departed = ClientId::nobody);
  // A reply has left. `safe`: it was promised to survive a loss of power.
  void told(ClientId client, const resp::Reply& reply, std::int64_t real_ms, bool safe);

  // --- over a restart
  void ended(End end, std::int64_t real_ms);
  void recovered(server::Engine& engine, Instant log_now, std::int64_t real_ms);
  // Leases may have become longer by so much at the last restart.
  std::int64_t lengthened_ms() const { return lengthened_ms_; }

  std::size_t told_count() const { return told_count_; }
  std::size_t grant_count() const { return grant_count_; }

 private:
  struct Hold {
    std::string owner;
    std::int64_t end_ms = 0;
  };
  struct Live {
    std::map<std::uint64_t, Hold> holds;  // by fence
    std::vector<std::string> line;
    std::set<std::string> present;  // of those in line: their client is there, and waits
    bool in_grace = false;
  };
  // A hold that somebody was told of.
  struct Fact {
    std::string owner;
    std::int64_t end_ms = 0;
    bool safe = false;
    bool bound = false;
    bool maybe_freed = false;  // somebody asked for that, at least
  };
  struct Asked {
    std::uint64_t freed = 0;  // when it was asked last to free the owner's hold
    bool bound = false;
    bool graced = false;
  };

  void note(Request& request, std::int64_t real_ms);
  void depart(ClientId departed);
  Live see(server::Engine& engine, const LockKey& key, Instant log_now, std::int64_t real_ms) const;
  void compare(const LockKey& key, const Live& before, const Live& after, std::int64_t real_ms,
               ClientId departed);
  void check_vanished(const std::string& key, const Hold& hold, std::uint64_t fence,
                      std::int64_t real_ms, ClientId departed);
  void check_new(const LockKey& key, std::uint64_t fence, const Hold& hold, const Live& before,
                 const Live& after, std::int64_t real_ms);
  void check_turn(const std::string& key, const std::string& owner, bool by_set, const Live& before,
                  const Live& after) const;
  void check_line(const std::string& key, const Live& before, const Live& after,
                  std::int64_t real_ms);
  void check_places(server::Engine& engine, const std::string& key, const Live& live,
                    Instant log_now);
  bool may_be_in_grace(const std::string& key, const std::string& owner, const Live& before,
                       std::int64_t real_ms);
  bool may_return(const std::string& key, const std::string& owner, std::int64_t real_ms) const;
  static void check_count(const LockKey& key, const Live& live);
  // Whether a request that nobody has read an answer to may have done that.
  bool sets_lease(const std::string& key, const std::string& owner) const;
  template <typename Wanted>
  const Request* find_open(Wanted wanted) const;

  void answer(const Request& request, const resp::Reply& reply, std::int64_t real_ms, bool safe);
  void grant(const Request& request, const std::string& key, std::uint64_t fence,
             std::int64_t real_ms, bool safe);
  void check_overlap(const std::string& key, std::uint64_t fence, std::int64_t real_ms) const;
  void note_told(const std::string& key, std::uint64_t fence);
  void bury(const Request& request, const std::string& key, bool safe);
  std::uint64_t fence_of_set(const Request& request) const;

  void check_kept(const std::string& key, const Live& found);
  void check_dead(const std::string& key, const Live& found);
  void check_counters(server::Engine& engine);

  std::map<ClientId, std::deque<Request>> open_;
  std::map<ClientId, bool> waiting_;
  std::map<std::string, Live> live_;
  std::map<std::string, std::uint64_t> top_;       // the greatest fence that this server drew
  std::map<std::string, std::uint64_t> told_top_;  // that anybody was told, ever
  // What FENCE answers may fall back to what an old hold has, where a loss of power brought it
  // back.
  std::map<std::string, std::uint64_t> fence_told_;
  std::map<std::string, std::map<std::uint64_t, std::string>> seen_;  // fence -> owner
  // When holds ended that were seen in this run.
  std::map<std::string, std::map<std::uint64_t, std::int64_t>> ended_;
  std::map<std::string, std::map<std::uint64_t, Fact>> facts_;
  std::map<std::string, std::map<std::uint64_t, bool>> dead_;  // given back, and told so; safe?
  std::map<std::string, std::map<std::string, Asked>> asked_;  // by key and owner
  std::map<std::string, std::uint64_t> all_freed_;
  // Until when a place in line may be kept for an owner who is not in it.
  std::map<std::string, std::map<std::string, std::int64_t>> returns_;
  // Since when nobody has asked on behalf of an owner who is in it.
  std::map<std::string, std::map<std::string, Instant>> deserted_;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> counts_;  // told; told safely
  std::uint64_t sequence_ = 0;
  std::uint64_t looked_ = 0;  // at the event before this one
  End end_ = End::orderly;
  std::set<std::string> unsure_;  // whose leases may have been set anew, unheard of
  std::int64_t ended_ms_ = 0;
  std::int64_t lengthened_ms_ = 0;
  std::size_t told_count_ = 0;
  std::size_t grant_count_ = 0;
};

}  // namespace fencepost::sim
