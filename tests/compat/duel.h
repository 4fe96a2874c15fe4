// A round of requests, sent to both servers: the first difference between what they answer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/compat/differences.h"
#include "tests/compat/grammar.h"
#include "tests/compat/servers.h"

namespace fencepost::compat {

struct Difference {
  std::size_t step = 0;  // whose answers differ
  std::string redis;
  std::string ours;
};

class Duel {
 public:
  Duel(std::string redis_socket, std::string our_socket, const Differences& differences);

  // Both servers are emptied, then all steps are taken. Requests are cut at random bytes when they
  // are sent; `seed` decides where.
  std::optional<Difference> fight(const std::vector<Step>& steps, std::uint64_t seed);

 private:
  // A request, and the ones in front of it that tell whether its answer has an order.
  struct Asked {
    std::string name;
    std::size_t questions = 0;
    bool compares = true;
  };
  // One connection to each server, and what waits to be answered in its transaction.
  struct Pair {
    std::unique_ptr<Connection> redis;
    std::unique_ptr<Connection> ours;
    std::vector<Asked> queued;
  };

  Pair connect() const;
  std::optional<Difference> take_turn(const std::vector<Step>& steps, std::size_t first,
                                      std::size_t end, Random& random);
  std::optional<Difference> compare_answers(Pair& pair, const Step& step, std::size_t index);
  std::optional<Difference> compare_next(Pair& pair, const Asked& asked, std::size_t index);
  bool allowed(Pair& pair, const Asked& asked, const Answer& redis, const Answer& ours) const;
  bool allowed_transaction(const Pair& pair, const Answer& redis, const Answer& ours) const;

  std::string redis_socket_;
  std::string our_socket_;
  const Differences& differences_;
  std::vector<Pair> pairs_;
  std::vector<resp::Reply> told_;  // by Redis, upon the requests in front of the present one
};

// The fewest of the steps that still make a difference, found by leaving out.
using Fight = std::function<std::optional<Difference>(const std::vector<Step>& steps)>;
std::vector<Step> shrink(const Fight& fight, std::vector<Step> steps);

// "GET", "OBJECT|ENCODING": the row that a request is about, as far as we know it.
std::string name_of(const Words& words);
// All databases of the server are empty then.
void empty(Connection& connection);

}  // namespace fencepost::compat
