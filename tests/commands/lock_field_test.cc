// What went wrong in the field with other lock services, as conversations with this one. Each test
// bears the number of its row in the list of field cases, and the public report it comes from.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kNil = "$-1\r\n";

// The number in ":42\r\n"; null for anything else.
std::optional<std::uint64_t> number(const std::string& reply) {
  if (!reply.starts_with(':')) return std::nullopt;
  return std::stoull(reply.substr(1));
}

TEST(LockField, E01_a_lease_starts_at_the_grant) {  // etcd-io/etcd#9921
  Server server;
  Client b = server.client();
  server.run("LOCK", "n", "a", "PX", 3000);
  b.begin("LOCK", "n", "b", "PX", 500, "WAIT", 9000);
  server.pass(2000);
  server.run("UNLOCK", "n", "a");
  EXPECT_TRUE(number(b.take()));
  EXPECT_EQ(server.run("PTTL", "n"), ":500\r\n");
}

TEST(LockField, E02_a_retried_release_does_not_free_a_newer_hold) {  // etcd-io/etcd#22082
  Server server;
  server.run("LOCK", "n", "a-1");
  EXPECT_EQ(server.run("UNLOCK", "n", "a-1"), ":1\r\n");
  EXPECT_EQ(server.run("LOCK", "n", "a-2"), ":2\r\n");
  EXPECT_EQ(server.run("UNLOCK", "n", "a-1"), ":0\r\n");
  EXPECT_EQ(server.run("FENCE", "n"), ":2\r\n");
  EXPECT_EQ(server.run("LOCK", "n", "b"), kNil);
}

TEST(LockField, E04_paused_clients_lose_no_guarded_update) {  // etcd-io/etcd#11456
  Server server;
  Random random{4};
  struct Worker {
    Client client;
    std::int64_t busy_until = 0;
    std::uint64_t fence = 0;  // 0: asks for the lock next
    int unit = 0;
  };
  std::vector<Worker> workers;
  for (int i = 0; i < 5; ++i) workers.push_back({.client = server.client()});
  std::uint64_t highest =
      0;  // of the register that takes only numbers at least as high as it has seen
  std::uint64_t last_grant = 0;
  int accepted = 0;
  int refused = 0;
  for (std::int64_t now = 0; now < 60'000; ++now) {
    for (std::size_t i = 0; i < workers.size(); ++i) {
      Worker& worker = workers[i];
      if (worker.busy_until > now) continue;
      const std::string owner = "w" + std::to_string(i) + ":" + std::to_string(worker.unit);
      if (worker.fence == 0) {
        if (const auto fence = number(worker.client.run("LOCK", "n", owner, "PX", 200))) {
          EXPECT_GT(*fence, last_grant);  // no number twice, each above all before
          last_grant = *fence;
          worker.fence = *fence;
        }
        worker.busy_until = now + 1 + static_cast<std::int64_t>(random.below(400));
        continue;
      }
      if (worker.fence >= highest) {
        highest = worker.fence;
        ++accepted;
      } else {
        ++refused;  // it was paused past its lease, and another has written since
      }
      worker.client.run("UNLOCK", "n", owner);
      worker.fence = 0;
      ++worker.unit;
    }
    server.pass(1);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 0);
}

TEST(LockField, E05_a_renewal_does_not_outlive_the_release) {  // redisson/redisson#7272
  Server server;
  server.run("LOCK", "n", "a");
  server.run("UNLOCK", "n", "a");
  EXPECT_EQ(server.run("EXTEND", "n", "a", "PX", 60'000), ":0\r\n");
  EXPECT_EQ(server.run("LOCK", "n", "b", "PX", 1000), ":2\r\n");
  EXPECT_EQ(server.run("EXTEND", "n", "a", "PX", 60'000), ":0\r\n");
  EXPECT_EQ(server.run("PTTL", "n"), ":1000\r\n");
}

TEST(LockField, E08_a_late_renewal_never_revives) {  // redisson/redisson#5698
  Server server;
  server.run("LOCK", "n", "a", "PX", 300);
  server.pass(250);
  EXPECT_EQ(server.run("EXTEND", "n", "a", "PX", 300), ":1\r\n");
  server.pass(350);
  EXPECT_EQ(server.run("EXTEND", "n", "a", "PX", 300), ":0\r\n");
  EXPECT_EQ(server.run("LOCK", "n", "b"), ":2\r\n");
}

TEST(LockField, E10_a_release_whose_answer_is_lost_still_counts) {  // redis/redis-py#3847
  Server server;
  Client a = server.client();
  Client b = server.client();
  a.run("LOCK", "n", "a");
  a.begin("UNLOCK", "n", "a");
  a.hang_up();
  EXPECT_EQ(b.run("LOCK", "n", "b", "WAIT", 500), ":2\r\n");
  EXPECT_EQ(server.run("UNLOCK", "n", "a"), ":0\r\n");
}

TEST(LockField, E11_a_silent_holders_lease_ends) {  // ORESoftware/live-mutex#120
  Server server;
  Client b = server.client();
  server.run("LOCK", "n", "a", "PX", 200);
  b.begin("LOCK", "n", "b", "WAIT", 1000);
  server.pass(200);
  EXPECT_EQ(b.take(), "");
  server.pass(1);
  EXPECT_EQ(b.take(), ":2\r\n");
}

TEST(LockField, E13_pipelined_waits_are_all_answered_in_order) {  // ORESoftware/live-mutex#17
  Server server;
  Client b = server.client();
  server.run("LOCK", "n", "a", "PX", 60'000);
  std::string requests;
  std::string answers;
  for (int i = 0; i < 20; ++i) {
    requests += request({"LOCK", "n", "b" + std::to_string(i), "PX", "1000", "WAIT", "50"});
    answers += kNil;
  }
  b.send(requests + request({"PING"}));
  for (int i = 0; i < 20; ++i) server.pass(51);
  EXPECT_EQ(b.take(), answers + "+PONG\r\n");
}

TEST(LockField, E14_a_waiter_that_vanishes_does_not_leave_others_asleep) {  // samchon/mutex#5
  Server server;
  Client b = server.client();
  Client c = server.client();
  server.run("LOCK", "n", "a", "PX", 5000);
  b.begin("LOCK", "n", "b", "WAIT", 9000);
  c.begin("LOCK", "n", "c", "WAIT", 9000);
  b.hang_up();
  server.run("UNLOCK", "n", "a");
  EXPECT_TRUE(number(c.take()));
}

TEST(LockField, E16_no_lease_of_ten_thousand_ends_early) {  // zoolutions/sidekiq-unique-jobs#488
  Server server;
  Random random{16};
  std::map<std::string, std::int64_t> leases;
  for (int i = 0; i < 10'000; ++i) {
    const std::string key = "n" + std::to_string(i);
    leases[key] = 100 + static_cast<std::int64_t>(random.below(2900));
    server.run("LOCK", key, "t", "PX", leases[key]);
  }
  for (std::int64_t now = 0; now <= 3100; now += 100) {
    for (const auto& [key, lease] : leases) {
      ASSERT_EQ(server.run("EXISTS", key), lease >= now ? ":1\r\n" : ":0\r\n")
          << key << " at " << now;
    }
    server.pass(100);
  }
}

TEST(LockField, E19_E20_wall_clock_steps_move_no_lease) {  // sibson/redbeat#218, redis/redis#7644
  Server server;
  for (int i = 0; i < 1000; ++i) {
    server.run("LOCK", "n" + std::to_string(i), "t", "PX", 1000 + i * 59);
  }
  for (std::int64_t now = 0; now < 60'000; now += 100) {
    server.step_wall(now / 100 % 2 == 0 ? 1000 : -1000);
    for (int i = 0; i < 1000; i += 97) {
      const std::int64_t lease = 1000 + i * 59;
      ASSERT_EQ(server.run("EXISTS", "n" + std::to_string(i)), lease >= now ? ":1\r\n" : ":0\r\n");
    }
    server.pass(100);
  }
  server.run("LOCK", "m", "t", "PX", 10'000);
  server.step_wall(3'600'000);
  server.pass(10'000);
  EXPECT_EQ(server.run("EXISTS", "m"), ":1\r\n");
  server.step_wall(-7'200'000);
  server.pass(1);
  EXPECT_EQ(server.run("EXISTS", "m"), ":0\r\n");
}

TEST(LockField, E26_a_number_for_each_new_hold_and_none_for_a_renewal) {  // bsm/redislock#94
  Server server;
  server.run("LOCK", "n", "a");
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(server.run("EXTEND", "n", "a", "PX", 5000), ":1\r\n");
    EXPECT_EQ(server.run("LOCK", "n", "a"), ":1\r\n");
  }
  EXPECT_EQ(server.run("FENCE", "n"), ":1\r\n");
  server.run("UNLOCK", "n", "a");
  EXPECT_EQ(server.run("LOCK", "n", "a"), ":2\r\n");
}

TEST(LockField, E28_the_number_outlives_the_name) {  // bluetape4k/bluetape4k-projects#1068
  Server server;
  server.run("CONFIG", "SET", "fence-idle-keys", 1000);
  std::uint64_t before = 0;
  for (int i = 0; i < 7; ++i) {
    before = number(server.run("LOCK", "n", "a")).value();
    server.run("UNLOCK", "n", "a");
  }
  for (int i = 0; i < 100'000; ++i) {  // enough for n's counter to be dropped a hundred times over
    const std::string other = "o" + std::to_string(i);
    server.run("LOCK", other, "a");
    server.run("UNLOCK", other, "a");
  }
  EXPECT_GT(number(server.run("LOCK", "n", "a")).value(), before);
}

TEST(LockField, E29_ten_thousand_grants_have_rising_numbers) {  // AmrSaber/simple-redis-mutex#15
  Server server;
  std::vector<Client> clients;
  std::vector<int> rounds(20, 0);
  for (int i = 0; i < 20; ++i) clients.push_back(server.client());
  const auto owner = [&rounds](std::size_t i) {
    return "c" + std::to_string(i) + ":" + std::to_string(rounds[i]);
  };
  for (std::size_t i = 0; i < 20; ++i) clients[i].begin("LOCK", "n", owner(i), "WAIT", 60'000);
  std::uint64_t last = 0;
  for (int grants = 0; grants < 10'000;) {
    for (std::size_t i = 0; i < 20; ++i) {
      const std::string answer = clients[i].take();
      if (answer.empty()) continue;
      ASSERT_GT(number(answer).value(), last);
      last = number(answer).value();
      ++grants;
      clients[i].run("UNLOCK", "n", owner(i));
      ++rounds[i];
      clients[i].begin("LOCK", "n", owner(i), "WAIT", 60'000);
    }
  }
  EXPECT_GE(last, 10'000U);
}

TEST(LockField, E34_no_is_an_answer_and_not_an_error) {  // bsm/redislock#79
  Server server;
  Client b = server.client();
  server.run("LOCK", "n", "a");
  b.begin("LOCK", "n", "b", "WAIT", 300);
  server.pass(300);
  EXPECT_EQ(b.take(), "");
  server.pass(1);
  EXPECT_EQ(b.take(), kNil);
  EXPECT_EQ(b.run("PING"), "+PONG\r\n");
}

TEST(LockField, E35_the_wait_does_not_eat_the_lease) {  // bsm/redislock#74
  Server server;
  Client b = server.client();
  server.run("LOCK", "n", "a", "PX", 2000);
  b.begin("LOCK", "n", "b", "PX", 1000, "WAIT", 5000);
  server.pass(2001);
  EXPECT_TRUE(number(b.take()));
  EXPECT_EQ(server.run("PTTL", "n"), ":1000\r\n");
}

TEST(LockField, E37_a_known_order_holds_over_a_hundred_rounds) {  // kenn/redis-mutex#5
  Server server;
  for (int round = 0; round < 100; ++round) {
    server.run("LOCK", "n", "holder");
    std::vector<Client> waiters;
    for (int i = 0; i < 10; ++i) {
      waiters.push_back(server.client());
      waiters.back().begin("LOCK", "n", "w" + std::to_string(i), "WAIT", 60'000);
    }
    std::string owner = "holder";
    for (std::size_t i = 0; i < 10; ++i) {
      server.run("UNLOCK", "n", owner);
      EXPECT_EQ(server.run("LOCK", "n", "newcomer"), kNil);
      ASSERT_TRUE(number(waiters[i].take())) << i;
      owner = "w" + std::to_string(i);
    }
    server.run("UNLOCK", "n", owner);
    for (Client& waiter : waiters) waiter.hang_up();
  }
}

TEST(LockField, E41_a_lock_asked_for_twice_has_one_number) {  // Jepsen, Redis-Raft
  Server server;
  Client first = server.client();
  Client second = server.client();
  EXPECT_EQ(first.run("LOCK", "n", "req-7"), ":1\r\n");
  first.hang_up();
  EXPECT_EQ(second.run("LOCK", "n", "req-7"), ":1\r\n");
}

TEST(LockField, E47_kills_resets_and_grants_in_one_turn) {  // CVE-2026-23479
  Server server;
  Random random{47};
  for (int round = 0; round < 20'000; ++round) {
    server.run("LOCK", "n", "holder");
    std::vector<Client> waiters;
    for (int i = 0; i < 3; ++i) {
      waiters.push_back(server.client());
      waiters.back().begin("LOCK", "n", "w" + std::to_string(i), "WAIT", 60'000);
      if (random.below(3) == 0) waiters.back().stop_reading();
    }
    const auto victim = random.below(3);
    const auto id = std::to_string(static_cast<std::uint64_t>(waiters[victim].id()));
    const std::string release = request({"UNLOCK", "n", "holder"});
    const std::string kill = request({"CLIENT", "KILL", "ID", id});
    switch (random.below(4)) {
      case 0:
        server.first().send(release + kill);
        break;
      case 1:
        server.first().send(kill + release);
        break;
      case 2:
        server.first().send(release);
        waiters[victim].hang_up();
        break;
      default:
        waiters[victim].hang_up();
        server.first().send(release + kill);
    }
    server.take();
    for (Client& waiter : waiters) waiter.hang_up();
    // Nobody who is gone keeps the lock for longer than its lease, and nobody waits.
    server.run("DEL", "n");
    ASSERT_EQ(server.run("LOCKINFO", "n"), "*-1\r\n");
  }
}

TEST(LockField, E50_no_owner_but_the_holder_can_free_it) {  // lukas-krecan/ShedLock#2584
  Server server;
  Random random{50};
  server.run("LOCK", "n", "1000000");
  for (int i = 0; i < 100'000; ++i) {
    const std::string owner = std::to_string(random.next());
    ASSERT_EQ(server.run("UNLOCK", "n", owner), ":0\r\n");
  }
  for (const char* owner :
       {"1000001", "999999", "-1000000", "9223372036854775808", "x", "01000000"}) {
    ASSERT_EQ(server.run("UNLOCK", "n", owner), ":0\r\n");
  }
  EXPECT_EQ(server.run("UNLOCK", "n", "1000000"), ":1\r\n");
}

}  // namespace

}  // namespace fencepost::tests
