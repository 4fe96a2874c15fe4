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
  exact,         // byte for byte
  any_order,     // the same members of the (innermost) array in another order
  listed_order,  // the same where they have no order (Order::open); else exact
  listed_pairs,  // as listed_order; the members are pairs
  number_order,  // any_order, but exact for as many numbers as a set keeps in order
  text_order,    // exact, but any_order with a zero byte in a member, or left unsorted
  near,          // integers at most 3000 apart, both 0 or above; else exact
  shape          // the same types, and as many members
};

// Whether what was asked for is kept in an order, as OBJECT ENCODING said right before.
enum class Order : std::uint8_t { open, listed };

// As many numbers as a set keeps in their order, on both servers.
constexpr std::size_t kMostOrderedNumbers = 8;

class Differences {
 public:
  // Throws std::runtime_error naming the line that it does not understand.
  explicit Differences(const std::string& path);

  // Whether the answers to `command` ("SET", "OBJECT|ENCODING") may stand side by side.
  bool allow(std::string_view command, const Answer& redis, const Answer& ours, Order order) const;
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
