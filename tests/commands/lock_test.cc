// LOCK: owner, lease, the present owner, waiting. docs/locks.md, section 2.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kNil = "$-1\r\n";

TEST(Lock, grants_the_first_fence_and_refuses_another_owner) {
  Server server;
  EXPECT_EQ(server.run("LOCK", "jobs:42", "alice", "EX", 30), ":1\r\n");
  EXPECT_EQ(server.run("LOCK", "jobs:42", "bob"), kNil);
  EXPECT_EQ(server.run("UNLOCK", "jobs:42", "alice"), ":1\r\n");
  EXPECT_EQ(server.run("LOCK", "jobs:42", "bob"), ":2\r\n");
}

TEST(Lock, says_no_as_null_in_resp3) {
  Server server;
  Client bob = server.client(Protocol::resp3);
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(bob.run("LOCK", "door", "bob"), "_\r\n");
  EXPECT_EQ(bob.run("LOCKMANY", 2, "door", "gate", "bob"), "_\r\n");
}

TEST(Lock, an_owner_has_1_to_1024_bytes_of_any_kind) {
  Server server;
  EXPECT_EQ(server.run("LOCK", "door", ""), "-ERR an owner has 1 to 1024 bytes\r\n");
  EXPECT_EQ(server.run("LOCK", "door", std::string(1025, 'o')),
            "-ERR an owner has 1 to 1024 bytes\r\n");
  EXPECT_EQ(server.run("EXISTS", "door"), ":0\r\n");
  const std::string owner(1024, '\0');
  EXPECT_EQ(server.run("LOCK", "door", owner), ":1\r\n");
  EXPECT_EQ(server.run("GET", "door"), "$1024\r\n" + owner + "\r\n");
}

TEST(Lock, a_key_has_at_most_64_kib) {
  Server server;
  const std::string longest(64 * 1024, 'k');
  EXPECT_EQ(server.run("LOCK", longest, "alice"), ":1\r\n");
  EXPECT_TRUE(server.run("LOCK", longest + "k", "alice").starts_with("-ERR "));
}

TEST(Lock, without_a_lease_it_has_the_default_one) {
  Server server;
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(server.run("PTTL", "door"), ":30000\r\n");
  server.run("CONFIG", "SET", "lock-default-ttl", 5000);
  server.run("LOCK", "gate", "alice");
  EXPECT_EQ(server.run("PTTL", "gate"), ":5000\r\n");
}

TEST(Lock, a_lease_out_of_bounds_is_an_error_and_changes_nothing) {
  Server server;
  const char* const error = "-ERR invalid expire time in 'lock' command\r\n";
  for (const char* lease : {"0", "-1", "86400001", "9223372036854775807"}) {
    EXPECT_EQ(server.run("LOCK", "door", "alice", "PX", lease), error) << lease;
  }
  for (const char* lease : {"0", "-5", "86401", "9223372036854775807"}) {
    EXPECT_EQ(server.run("LOCK", "door", "alice", "EX", lease), error) << lease;
  }
  EXPECT_EQ(server.run("EXISTS", "door"), ":0\r\n");
  EXPECT_EQ(server.run("LOCK", "door", "alice", "PX", 86'400'000), ":1\r\n");
  EXPECT_EQ(server.run("LOCK", "gate", "alice", "PX", 1), ":1\r\n");
}

TEST(Lock, refuses_what_it_does_not_understand) {
  Server server;
  const char* const syntax = "-ERR syntax error\r\n";
  EXPECT_EQ(server.run("LOCK", "door", "alice", "EX"), syntax);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "EX", 1, "PX", 1000), syntax);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "WAIT", 1, "WAIT", 1), syntax);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "SHARED", "LIMIT", 2), syntax);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "BIND", "BIND"), syntax);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "SOON"), syntax);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "EX", "ten"),
            "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("LOCK", "door"), "-ERR wrong number of arguments for 'lock' command\r\n");
  EXPECT_EQ(server.run("EXISTS", "door"), ":0\r\n");
}

TEST(Lock, every_limit_is_named_by_its_error) {
  Server server;
  EXPECT_EQ(server.run("LOCK", "door", "alice", "WAIT", 3'600'001),
            "-ERR WAIT is above lock-max-wait (3600000 ms)\r\n");
  EXPECT_EQ(server.run("LOCK", "door", "alice", "WAIT", -1), "-ERR WAIT is negative\r\n");
  EXPECT_EQ(server.run("LOCK", "door", "alice", "GRACE", 60'001),
            "-ERR GRACE is above its limit (60000 ms)\r\n");
  EXPECT_EQ(server.run("LOCK", "door", "alice", "META", std::string(1025, 'm')),
            "-ERR META is longer than 1024 bytes\r\n");
  EXPECT_EQ(server.run("LOCK", "door", "alice", "LIMIT", 0),
            "-ERR LIMIT must be from 1 to 1000000\r\n");
  EXPECT_EQ(server.run("EXISTS", "door"), ":0\r\n");
}

TEST(Lock, words_and_units_are_read_in_any_letter_case_and_order) {
  Server server;
  EXPECT_EQ(
      server.run("lock", "door", "alice", "meta", "m", "Wait", 5, "bind", "gRACE", 9, "px", 700),
      ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":700\r\n");
}

TEST(Lock, the_present_owner_renews_with_the_same_fence) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1000);
  server.pass(600);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "PX", 1000), ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":1000\r\n");
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":1\r\n");
  EXPECT_EQ(server.run("EXISTS", "door"), ":0\r\n");  // one UNLOCK is enough: no re-entry count
}

TEST(Lock, after_the_lease_has_lapsed_the_same_owner_gets_a_new_fence) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1000);
  server.pass(1001);
  EXPECT_EQ(server.run("LOCK", "door", "alice", "PX", 1000), ":2\r\n");
}

TEST(Lock, a_lease_never_ends_early) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1000);
  server.pass(1000);
  EXPECT_EQ(server.run("LOCK", "door", "bob"), kNil);
  server.pass(1);
  EXPECT_EQ(server.run("LOCK", "door", "bob"), ":2\r\n");
}

TEST(Lock, wall_clock_steps_move_no_lease) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 10'000);
  server.step_wall(3'600'000);
  EXPECT_EQ(server.run("PTTL", "door"), ":10000\r\n");
  server.step_wall(-7'200'000);
  server.pass(9'000);
  EXPECT_EQ(server.run("PTTL", "door"), ":1000\r\n");
  server.pass(1'001);
  EXPECT_EQ(server.run("EXISTS", "door"), ":0\r\n");
}

TEST(Lock, wait_0_and_no_wait_answer_now) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(bob.run("LOCK", "door", "bob", "WAIT", 0), kNil);
}

TEST(Lock, a_waiter_is_handed_the_key_at_once) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(bob.run("LOCK", "door", "bob", "WAIT", 4000), "");
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":1\r\n");
  EXPECT_EQ(bob.take(), ":2\r\n");
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
}

TEST(Lock, the_lease_runs_from_the_grant) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice", "PX", 2000);
  bob.begin("LOCK", "door", "bob", "PX", 1000, "WAIT", 5000);
  server.pass(2001);
  EXPECT_EQ(bob.take(), ":2\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":1000\r\n");
}

TEST(Lock, when_the_wait_runs_out_the_answer_is_nil) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice", "PX", 10'000);
  bob.begin("LOCK", "door", "bob", "WAIT", 300);
  server.pass(300);
  EXPECT_EQ(bob.take(), "");
  server.pass(1);
  EXPECT_EQ(bob.take(), kNil);
  EXPECT_EQ(bob.run("PING"), "+PONG\r\n");
}

TEST(Lock, a_pipeline_behind_a_waiting_lock_waits_with_it) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.send(request({"LOCK", "door", "bob", "WAIT", "500"}) + request({"PING"}) +
           request({"GET", "door"}));
  EXPECT_EQ(bob.take(), "");
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(bob.take(), ":2\r\n+PONG\r\n$3\r\nbob\r\n");
}

TEST(Lock, waits_count_as_0_inside_a_transaction) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.run("MULTI");
  bob.run("LOCK", "door", "bob", "WAIT", 5000);
  bob.run("LOCK", "gate", "bob", "WAIT", 5000);
  EXPECT_EQ(bob.run("EXEC"), "*2\r\n$-1\r\n:1\r\n");
}

TEST(Lock, client_unblock_answers_nil_or_an_error) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 5000);
  const auto id = static_cast<std::uint64_t>(bob.id());
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id), ":1\r\n");
  EXPECT_EQ(bob.take(), kNil);
  bob.begin("LOCK", "door", "bob", "WAIT", 5000);
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id, "ERROR"), ":1\r\n");
  EXPECT_EQ(bob.take(), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id), ":0\r\n");
}

TEST(Lock, queuefull_names_the_setting) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  server.run("CONFIG", "SET", "lock-max-waiters", 1);
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 5000);
  EXPECT_EQ(carol.run("LOCK", "door", "carol", "WAIT", 5000),
            "-QUEUEFULL no more than 1 may wait for 'door' (lock-max-waiters)\r\n");
  server.run("CONFIG", "SET", "lock-max-waiters", 10, "lock-max-waiters-total", 1);
  EXPECT_EQ(carol.run("LOCK", "door", "carol", "WAIT", 5000),
            "-QUEUEFULL no more than 1 may wait (lock-max-waiters-total)\r\n");
  // The one who waits already may ask again: it takes its own place over.
  EXPECT_EQ(carol.run("LOCK", "door", "bob", "WAIT", 5000), "");
}

TEST(Lock, those_who_wait_may_take_so_much_memory) {
  Server server;
  server.run("CONFIG", "SET", "lock-max-waiters-bytes", "1mb");
  const std::string long_key(60'000, 'k');
  server.run("LOCK", long_key, "alice");
  std::vector<Client> waiters;
  std::string refused;
  while (refused.empty() && waiters.size() < 100) {
    waiters.push_back(server.client());
    refused =
        waiters.back().run("LOCK", long_key, "w" + std::to_string(waiters.size()), "WAIT", 5000);
  }
  EXPECT_EQ(refused,
            "-QUEUEFULL those who wait may take no more than 1048576 bytes "
            "(lock-max-waiters-bytes)\r\n");
  EXPECT_EQ(waiters.size(), 9U);  // the key stands in the line and with the waiter
  // A copy of a request takes the place of the one that it repeats.
  EXPECT_EQ(waiters.back().run("LOCK", long_key, "w8", "WAIT", 5000), "");
}

TEST(Lock, kept_places_make_room_for_who_is_there) {
  Server server;
  server.run("CONFIG", "SET", "lock-max-waiters-bytes", "1mb", "lock-queue-hold", 60'000);
  const std::string long_key(60'000, 'k');
  server.run("LOCK", long_key, "alice");
  const auto wait_and_go = [&server, &long_key](const std::string& owner) {
    Client waiter = server.client();
    waiter.begin("LOCK", long_key, owner, "WAIT", 1);
    server.pass(2);
    EXPECT_EQ(waiter.take(), kNil);
  };
  for (int i = 0; i < 20; ++i) wait_and_go("w" + std::to_string(i));
  // The oldest places were dropped; w19 has kept its own, before w0's new one.
  Client first = server.client();
  Client last = server.client();
  first.begin("LOCK", long_key, "w0", "WAIT", 60'000);
  last.begin("LOCK", long_key, "w19", "WAIT", 60'000);
  server.run("UNLOCK", long_key, "alice");
  EXPECT_EQ(first.take(), "");
  EXPECT_EQ(last.take(), ":2\r\n");
}

TEST(Lock, locks_live_in_each_database) {
  Server server;
  Client bob = server.client();
  bob.run("SELECT", 3);
  EXPECT_EQ(server.run("LOCK", "door", "alice"), ":1\r\n");
  EXPECT_EQ(bob.run("LOCK", "door", "bob"), ":1\r\n");
  EXPECT_EQ(bob.run("LOCK", "door", "carol", "WAIT", 100), "");
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(bob.take(), "");
}

}  // namespace

}  // namespace fencepost::tests
