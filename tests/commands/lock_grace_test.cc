// GRACE, BIND and META. docs/locks.md.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kNil = "$-1\r\n";

TEST(LockGrace, after_a_lapse_nobody_but_the_same_owner_gets_the_key) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1000, "GRACE", 500);
  server.pass(1001);
  EXPECT_EQ(server.run("LOCK", "door", "bob"), kNil);
  EXPECT_EQ(server.run("SET", "door", "x", "NX"), kNil);
  EXPECT_EQ(server.run("PTTL", "door"), ":499\r\n");
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 1000), ":0\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "door", 1000), ":0\r\n");  // nor by a script of the other dialect
  EXPECT_EQ(server.run("LOCK", "door", "alice", "PX", 1000), ":2\r\n");
}

TEST(LockGrace, the_next_in_line_gets_the_key_when_the_grace_is_over) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice", "PX", 1000, "GRACE", 500);
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.pass(1500);
  EXPECT_EQ(bob.take(), "");
  server.pass(1);
  EXPECT_EQ(bob.take(), ":2\r\n");
}

TEST(LockGrace, its_owner_goes_first_wherever_it_stands_in_line) {
  Server server;
  Client bob = server.client();
  Client alice = server.client();
  server.run("LOCK", "door", "alice", "PX", 1000, "GRACE", 5000);
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.pass(1001);
  EXPECT_EQ(alice.run("LOCK", "door", "alice", "WAIT", 60'000), ":2\r\n");
  EXPECT_EQ(bob.take(), "");
}

TEST(LockGrace, the_last_share_in_grace_lets_its_owner_go_first_in_another_mode) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  server.run("LOCK", "pool", "carol", "LIMIT", 2, "PX", 1000, "GRACE", 60'000);
  server.run("LOCK", "pool", "alice", "LIMIT", 2, "PX", 60'000);
  server.pass(1001);
  bob.begin("LOCK", "pool", "bob", "WAIT", 60'000);
  carol.begin("LOCK", "pool", "carol", "WAIT", 60'000);
  server.run("UNLOCK", "pool", "alice");
  EXPECT_EQ(carol.take(), ":3\r\n");
  EXPECT_EQ(bob.take(), "");
}

TEST(LockGrace, a_plain_unlock_skips_it) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1000, "GRACE", 500);
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(server.run("LOCK", "door", "bob"), ":2\r\n");
}

TEST(LockGrace, lockinfo_says_grace) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1000, "GRACE", 500);
  EXPECT_NE(server.run("LOCKINFO", "door").find("$4\r\nheld\r\n"), std::string::npos);
  server.pass(1001);
  EXPECT_NE(server.run("LOCKINFO", "door").find("$5\r\ngrace\r\n"), std::string::npos);
}

TEST(LockGrace, writing_the_same_value_is_a_new_hold_not_a_renewal) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1000, "GRACE", 500);
  server.pass(1001);
  EXPECT_EQ(server.run("SET", "door", "alice", "XX", "PX", 1000), "+OK\r\n");
  EXPECT_EQ(server.run("FENCE", "door"), ":2\r\n");
}

TEST(LockGrace, a_waiter_whose_name_becomes_the_text_in_place_holds_the_key) {
  Server server;
  Client ab = server.client();
  Client five = server.client();
  server.run("SET", "k", "a");
  ab.begin("LOCK", "k", "ab", "WAIT", 60'000);
  server.run("APPEND", "k", "b");
  EXPECT_EQ(ab.take(), ":1\r\n") << "no new hold: nobody's value was replaced";
  server.run("SET", "n", 4);
  five.begin("LOCK", "n", "5", "WAIT", 60'000);
  server.run("INCR", "n");
  EXPECT_EQ(five.take(), ":1\r\n");
}

TEST(LockGrace, a_share_in_grace_lets_nobody_pass_whom_it_does_not_keep_out) {
  Server server;
  Client bob = server.client();
  Client dora = server.client();
  server.run("LOCK", "pool", "dora", "LIMIT", 2, "PX", 1000, "GRACE", 5000);
  server.run("LOCK", "pool", "alice", "LIMIT", 2, "PX", 60'000);
  bob.begin("LOCK", "pool", "bob", "LIMIT", 2, "WAIT", 60'000);
  server.pass(1001);
  dora.begin("LOCK", "pool", "dora", "WAIT", 60'000);
  EXPECT_EQ(server.run("UNLOCK", "pool", "alice"), ":1\r\n");
  EXPECT_EQ(bob.take(), ":3\r\n") << "he stood in front, and one share of two is free";
  EXPECT_EQ(dora.take(), "");
}

TEST(LockGrace, a_share_of_a_semaphore_stays_taken_during_its_grace) {
  Server server;
  server.run("LOCK", "pool", "a", "LIMIT", 2, "PX", 1000, "GRACE", 500);
  server.run("LOCK", "pool", "b", "LIMIT", 2, "PX", 60'000);
  server.pass(1001);
  EXPECT_EQ(server.run("LOCK", "pool", "c", "LIMIT", 2), kNil);
  server.pass(500);
  EXPECT_EQ(server.run("LOCK", "pool", "c", "LIMIT", 2), ":3\r\n");
}

TEST(LockBind, the_hold_ends_with_the_connection_that_made_it) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("LOCK", "door", "alice", "BIND");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  alice.hang_up();
  EXPECT_EQ(bob.take(), ":2\r\n");
}

TEST(LockBind, without_it_the_hold_outlives_the_connection) {
  Server server;
  Client alice = server.client();
  alice.run("LOCK", "door", "alice");
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
}

TEST(LockBind, a_closed_connection_is_a_lapse_and_grace_applies) {
  Server server;
  Client alice = server.client();
  alice.run("LOCK", "door", "alice", "BIND", "GRACE", 500);
  alice.hang_up();
  EXPECT_EQ(server.run("LOCK", "door", "bob"), kNil);
  server.pass(501);
  EXPECT_EQ(server.run("LOCK", "door", "bob"), ":2\r\n");
}

TEST(LockBind, asking_again_from_another_connection_unties_it) {
  Server server;
  Client alice = server.client();
  alice.run("LOCK", "door", "alice", "BIND");
  EXPECT_EQ(server.run("LOCK", "door", "alice"), ":1\r\n");
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
}

TEST(LockMeta, is_shown_by_lockinfo) {
  Server server;
  server.run("LOCK", "door", "alice", "META", "host 7, pid 12");
  EXPECT_NE(server.run("LOCKINFO", "door").find("$4\r\nmeta\r\n$14\r\nhost 7, pid 12\r\n"),
            std::string::npos);
}

}  // namespace

}  // namespace fencepost::tests
