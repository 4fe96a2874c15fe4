// Thousands at one key: what one request or one closed connection costs must not grow with all of
// them, or one client could stop the server. The bounds are wide; the quadratic way is far beyond.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

using std::chrono::steady_clock;

constexpr auto kLinear = std::chrono::milliseconds{2000};

steady_clock::duration time_of(const std::function<void()>& work) {
  const auto began = steady_clock::now();
  work();
  return steady_clock::now() - began;
}

std::string name(const char* prefix, int number) {
  return prefix + std::to_string(number);
}

TEST(LockCrowd, bound_shares_of_many_connections_end_together) {
  constexpr int kMany = 12'000;
  Server server;
  server.run("CONFIG", "SET", "maxclients", 2 * kMany);
  std::vector<Client> clients;
  for (int i = 0; i < kMany; ++i) {
    clients.push_back(server.client());
    clients.back().run("LOCK", "hall", name("o", i), "SHARED", "BIND");
  }
  EXPECT_LT(time_of([&clients] {
              for (Client& client : clients) client.hang_up();
            }),
            kLinear);
  EXPECT_EQ(server.run("EXISTS", "hall"), ":0\r\n");
}

TEST(LockCrowd, untold_shares_of_one_connection_are_undone) {
  constexpr int kMany = 20'000;
  Server server;
  Client alice = server.client();
  alice.stop_reading();
  for (int i = 0; i < kMany; ++i) alice.begin("LOCK", "hall", name("o", i), "SHARED");
  EXPECT_LT(time_of([&alice] { alice.hang_up(); }), kLinear);
  EXPECT_EQ(server.run("EXISTS", "hall"), ":0\r\n");
}

TEST(LockCrowd, fences_among_many_holders_are_judged) {
  constexpr int kMany = 20'000;
  Server server;
  for (int i = 0; i < kMany; ++i) server.run("LOCK", "hall", name("o", i), "SHARED");
  EXPECT_LT(time_of([&server] {
              for (int i = 1; i <= kMany; ++i) {
                ASSERT_EQ(server.run("FENCE", "hall", i), ":1\r\n");
              }
            }),
            kLinear);
}

TEST(LockCrowd, waiters_for_the_same_many_keys_leave_together) {
  constexpr int kWaiters = 800;
  Server server;
  std::vector<std::string> words{"LOCKMANY", "128"};
  for (int i = 0; i < 128; ++i) words.push_back(name("k", i));
  const auto ask = [&words](Client& client, const std::string& owner) {
    std::vector<std::string> all = words;
    for (const std::string& word : {owner, std::string{"WAIT"}, std::string{"60000"}}) {
      all.push_back(word);
    }
    client.send(request(all));
  };
  ask(server.first(), "holder");
  server.take();
  std::vector<Client> waiters;
  for (int i = 0; i < kWaiters; ++i) {
    waiters.push_back(server.client());
    ask(waiters.back(), name("w", i));
  }
  EXPECT_LT(time_of([&waiters] {
              for (Client& waiter : waiters) waiter.hang_up();
            }),
            kLinear);
  EXPECT_EQ(server.run("UNLOCK", "k0", "holder"), ":1\r\n");
}

// Each holds one key and waits for the next one's.
class Chain : public testing::Test {
 protected:
  static constexpr int kLong = 3000;

  Chain() {
    for (int i = 0; i <= kLong; ++i) server.run("LOCK", name("k", i), name("o", i));
    for (int i = 0; i < kLong; ++i) {
      clients.push_back(server.client());
      clients.back().begin("LOCK", name("k", i + 1), name("o", i), "WAIT", 60'000);
    }
  }

  Server server;
  std::vector<Client> clients;
};

TEST_F(Chain, is_searched_once) {
  server.run("LOCK", "other", "x");
  Client y = server.client();
  y.begin("LOCK", "other", "y", "WAIT", 60'000);
  Client x = server.client();
  EXPECT_LT(time_of([&x] { x.begin("LOCK", "k0", "x", "WAIT", 60'000); }), kLinear / 4);
  EXPECT_EQ(x.take(), "");
}

TEST_F(Chain, that_closes_is_refused_however_long_it_is) {
  const std::string refused = server.run("LOCK", "k0", name("o", kLong), "WAIT", 60'000);
  EXPECT_TRUE(refused.starts_with("-DEADLOCK o3000 waits for k0 held by o0, o0 waits for k1"))
      << refused;
  EXPECT_TRUE(refused.ends_with(" and 2993 more\r\n")) << refused;
}

// A line in which everybody is of another kind than the one before.
TEST(LockCrowd, a_line_of_many_limits_is_searched_once) {
  constexpr int kMany = 3000;
  Server server;
  server.run("LOCK", "hall", "holder");
  server.run("LOCK", "other", "x");
  Client y = server.client();
  y.begin("LOCK", "other", "y", "WAIT", 60'000);
  std::vector<Client> clients;
  for (int i = 0; i < kMany; ++i) {
    clients.push_back(server.client());
    clients.back().begin("LOCK", "hall", name("o", i), "LIMIT", i + 1, "WAIT", 60'000);
  }
  Client x = server.client();
  EXPECT_LT(time_of([&x] { x.begin("LOCK", "hall", "x", "WAIT", 60'000); }), kLinear / 4);
  EXPECT_EQ(x.take(), "");
}

}  // namespace

}  // namespace fencepost::tests
