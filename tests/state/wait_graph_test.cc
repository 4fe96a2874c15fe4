// The graph of owners against the definition of being stuck, tried over and over until nothing
// changes.
#include "state/wait_graph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace fencepost::state {

namespace {

constexpr std::string_view kKey = "key";

// The same questions, answered slowly.
struct NaiveRequest {
  std::size_t owner = 0;
  std::vector<std::size_t> leavers;
  std::vector<std::size_t> sharers;
  std::optional<std::size_t> before;
  std::int64_t room = 0;
  bool stuck = true;
};

struct Naive {
  std::vector<NaiveRequest> requests;

  bool is_stuck_owner(std::size_t owner) const {
    return std::any_of(requests.begin(), requests.end(), [owner](const NaiveRequest& request) {
      return request.owner == owner && request.stuck;
    });
  }

  std::int64_t crowd(const NaiveRequest& request) const {
    if (request.before) {
      const NaiveRequest& before = requests[*request.before];
      return crowd(before) + (is_stuck_owner(before.owner) ? 1 : 0);
    }
    return std::count_if(request.sharers.begin(), request.sharers.end(),
                         [this](std::size_t owner) { return is_stuck_owner(owner); });
  }

  bool can_go(const NaiveRequest& request) const {
    if (request.before && requests[*request.before].stuck) return false;
    if (request.room > 0 && crowd(request) >= request.room) return false;
    return std::none_of(request.leavers.begin(), request.leavers.end(),
                        [this](std::size_t owner) { return is_stuck_owner(owner); });
  }

  void release() {
    for (bool changed = true; changed;) {
      changed = false;
      for (NaiveRequest& request : requests) {
        if (!request.stuck || !can_go(request)) continue;
        request.stuck = false;
        changed = true;
      }
    }
  }
};

// Some owners wait for others; some stand in the lines of a few semaphores.
Naive chance_graph(Random& random) {
  Naive naive;
  const std::size_t owners = 2 + random.below(7);
  struct Line {
    std::int64_t room;
    std::vector<std::size_t> holders;
    std::optional<std::size_t> last;
  };
  std::vector<Line> lines;
  for (std::size_t i = 0; i < 2; ++i) {
    Line line{.room = static_cast<std::int64_t>(1 + random.below(3)), .holders = {}, .last = {}};
    for (std::size_t owner = 0; owner < owners; ++owner) {
      if (random.below(3) == 0) line.holders.push_back(owner);
    }
    lines.push_back(line);
  }
  for (std::size_t i = 1 + random.below(10); i > 0; --i) {
    NaiveRequest request;
    request.owner = random.below(owners);
    for (std::size_t n = random.below(3); n > 0; --n) {
      const std::size_t other = random.below(owners);
      if (other != request.owner) request.leavers.push_back(other);
    }
    if (random.below(2) == 0) {
      Line& line = lines[random.below(lines.size())];
      request.room = line.room;
      if (line.last) {
        request.before = line.last;
      } else {
        request.sharers = line.holders;
      }
      line.last = naive.requests.size();
    }
    naive.requests.push_back(request);
  }
  return naive;
}

WaitGraph graph_of(const Naive& naive) {
  WaitGraph graph;
  const auto owner = [&graph](std::size_t number) { return graph.owner(std::to_string(number)); };
  for (const NaiveRequest& request : naive.requests) graph.add_request(owner(request.owner));
  for (std::size_t id = 0; id < naive.requests.size(); ++id) {
    const NaiveRequest& request = naive.requests[id];
    for (const std::size_t other : request.leavers) graph.needs_gone(id, owner(other), kKey);
    for (const std::size_t other : request.sharers) graph.shares_with(id, owner(other), kKey);
    if (request.before) graph.goes_after(id, *request.before, kKey);
    graph.needs_room(id, request.room);
  }
  return graph;
}

TEST(WaitGraph, finds_stuck_what_is_stuck_by_definition) {
  Random random{20};
  std::size_t stuck = 0;
  std::size_t free = 0;
  for (int round = 0; round < 20'000; ++round) {
    Naive naive = chance_graph(random);
    WaitGraph graph = graph_of(naive);
    naive.release();
    graph.release_the_free();
    for (std::size_t id = 0; id < naive.requests.size(); ++id) {
      ASSERT_EQ(graph.is_stuck(id), naive.requests[id].stuck) << "round " << round << ", " << id;
      ++(naive.requests[id].stuck ? stuck : free);
    }
  }
  EXPECT_GT(stuck, 10'000U);
  EXPECT_GT(free, 10'000U);
}

TEST(WaitGraph, names_the_shortest_circle) {
  WaitGraph graph;
  const auto alice = graph.owner("alice");
  const auto bob = graph.owner("bob");
  const auto carol = graph.owner("carol");
  const auto asked = graph.add_request(alice);
  const auto other = graph.add_request(bob);
  const auto third = graph.add_request(carol);
  graph.needs_gone(asked, carol, "x");
  graph.needs_gone(asked, bob, "y");
  graph.needs_gone(third, bob, "z");
  graph.needs_gone(other, alice, "w");
  graph.release_the_free();
  const auto circle = graph.circle_from(asked);
  ASSERT_TRUE(circle);
  ASSERT_EQ(circle->size(), 2U);
  EXPECT_EQ((*circle)[0].owner + (*circle)[0].key + (*circle)[0].holder, "aliceybob");
  EXPECT_EQ((*circle)[1].owner + (*circle)[1].key + (*circle)[1].holder, "bobwalice");
}

TEST(WaitGraph, who_waits_for_a_circle_closes_none) {
  WaitGraph graph;
  const auto asked = graph.add_request(graph.owner("alice"));
  const auto b = graph.add_request(graph.owner("bob"));
  const auto c = graph.add_request(graph.owner("carol"));
  graph.needs_gone(asked, graph.owner("bob"), "x");
  graph.needs_gone(b, graph.owner("carol"), "y");
  graph.needs_gone(c, graph.owner("bob"), "z");
  graph.release_the_free();
  EXPECT_TRUE(graph.is_stuck(asked));
  EXPECT_FALSE(graph.circle_from(asked));
}

}  // namespace

}  // namespace fencepost::state
