// What may differ between the two servers: read from differences.md, where each line has its
// reason.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/compat/servers.h"

namespace fencepost::compat {

// How closely the replies to a command must be alike.
enum class Likeness : std::uint8_t {
  exact,       // byte for byte
  any_order,   // the same members of the (innermost) array in another order
  hash_order,  // the same, but exact in compact rounds (Step::compact)
  pair_order,  // as hash_order; the members are pairs
  near,        // integers at most 3000 apart, both 0 or above; else exact
  shape        // the same types, and as many members
};

// Whether values are compact, so that their order is compared.
enum class Round : std::uint8_t { any, compact };

class Differences {
 public:
  // Throws std::runtime_error naming the line that it does not understand.
  explicit Differences(const std::string& path);

  // Whether the answers to `command` ("SET", "OBJECT|ENCODING") may stand side by side.
  bool allow(std::string_view command, const Answer& redis, const Answer& ours, Round round) const;
  Likeness likeness(std::string_view command) const;

  // Commands marked "same" that the oracle cannot compare.
  const std::map<std::string, std::string, std::less<>>& not_compared() const {
    return not_compared_;
  }

 private:
  struct Pair {
    std::string redis;  // globs over the bytes of the replies
    std::string ours;
  };

  std::map<std::string, Likeness, std::less<>> likeness_;
  std::multimap<std::string, Pair, std::less<>> pairs_;
  std::map<std::string, std::string, std::less<>> not_compared_;
};

}  // namespace fencepost::compat
