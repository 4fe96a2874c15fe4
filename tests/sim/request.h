// What a simulated client asks, with what the witness has to know of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace fencepost::sim {

struct Request {
  enum class Kind : std::uint8_t {
    lock,    // LOCK, SET NX
    many,    // LOCKMANY
    unlock,  // UNLOCK, a compare-and-delete script
    extend,
    free_all,  // DEL, LOCKBREAK: whoever holds it
    fence,
    count,  // INCR
    exec,
    other
  };
  Kind kind = Kind::other;
  std::vector<std::string> words{};
  std::vector<std::string> keys{};
  std::string owner{};
  std::int64_t lease_ms = 0;
  bool waits = false;
  bool bind = false;
  bool grace = false;            // of kGraceMs
  bool by_set = false;           // SET NX: answers OK, not a fence
  std::vector<Request> inner{};  // exec: what was queued

  // As the server got it.
  std::int64_t received_ms = 0;
  std::uint64_t sequence = 0;
  std::map<std::string, std::uint64_t> told_before{};  // the greatest fence that anybody was told
  std::map<std::string, std::uint64_t> held_before{};  // the greatest that this owner had
};

// Keys that are locked, and how.
enum class KeyMode : std::uint8_t { exclusive, shared, limit };
struct LockKey {
  const char* name;
  KeyMode mode;
};
constexpr LockKey kLockKeys[] = {{"x0", KeyMode::exclusive},
                                 {"x1", KeyMode::exclusive},
                                 {"x2", KeyMode::exclusive},
                                 {"s0", KeyMode::shared},
                                 {"m0", KeyMode::limit}};
constexpr int kLimit = 2;
constexpr int kGraceMs = 200;
// On the shared key some owners read and some write.
bool is_writer(const std::string& owner);

// One turn of a client: a request, or a pipeline of them, at most one of which waits. Client
// `number` is owner "o<number>", and "m<number>" for LOCKMANY.
std::vector<Request> draw_requests(int number, Random& random);

std::string bytes_of(const std::vector<Request>& requests);

}  // namespace fencepost::sim
