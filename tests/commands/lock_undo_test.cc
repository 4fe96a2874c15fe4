// Grants that could not be told, and holds bound to a connection: what ends with the connection,
// and what does not. docs/locks.md.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

// alice's connection is granted "door" and never hears of it.
class Untold : public testing::Test {
 protected:
  Untold() {
    alice.stop_reading();
    alice.begin("LOCK", "door", "alice", "PX", 60'000);
  }

  Server server;
  Client alice = server.client();
};

TEST_F(Untold, a_grant_ends_with_its_connection) {
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$-1\r\n");
}

TEST_F(Untold, a_grant_that_another_client_extends_stays) {
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 5000), ":1\r\n");
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
  EXPECT_EQ(server.run("FENCE", "door", 1), ":1\r\n");
}

TEST_F(Untold, a_grant_that_another_client_sets_again_stays) {
  EXPECT_EQ(server.run("SET", "door", "alice", "PX", 5000), "+OK\r\n");
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
}

TEST_F(Untold, a_grant_that_a_script_renews_stays) {
  EXPECT_EQ(server.run("EVAL",
                       "if redis.call('GET', KEYS[1]) == ARGV[1] then "
                       "return redis.call('PEXPIRE', KEYS[1], 5000) end",
                       1, "door", "alice"),
            ":1\r\n");
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
}

TEST_F(Untold, a_grant_stays_when_another_client_asked_in_between) {
  EXPECT_EQ(server.run("LOCK", "door", "alice"), ":1\r\n");
  alice.begin("LOCK", "door", "alice");  // a renewal of what the other client knows of
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
}

// What its own connection asked for was not heard of either.
TEST_F(Untold, a_grant_that_only_its_own_connection_renews_is_undone) {
  alice.begin("EXTEND", "door", "alice", "PX", 5000);
  alice.begin("SET", "door", "alice", "PX", 5000);
  alice.begin("PEXPIRE", "door", 5000);
  EXPECT_EQ(server.run("EXTEND", "door", "bob", "PX", 5000), ":0\r\n");
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$-1\r\n");
}

TEST_F(Untold, a_later_hold_is_not_taken_for_it) {
  server.run("DEL", "door");
  server.run("SET", "door", "alice", "PX", 5000);
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
}

TEST_F(Untold, a_grant_is_found_where_swapdb_has_put_it) {
  server.run("SWAPDB", 0, 3);
  server.run("LOCK", "door", "bob");  // the name in database 0 is free
  alice.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
  server.run("SELECT", 3);
  EXPECT_EQ(server.run("GET", "door"), "$-1\r\n");
}

TEST_F(Untold, a_share_is_found_where_swapdb_has_put_it) {
  server.run("LOCK", "hall", "zoe", "SHARED");
  alice.begin("LOCK", "hall", "bob", "SHARED");
  alice.begin("LOCK", "hall", "carol", "SHARED");
  server.run("UNLOCK", "hall", "zoe");
  server.run("LOCK", "hall", "adam", "SHARED");
  server.run("SWAPDB", 0, 3);
  server.run("SWAPDB", 3, 4);
  server.run("SELECT", 4);
  EXPECT_EQ(server.run("LOCK", "hall", "carol", "SHARED"),
            server.run("LOCK", "hall", "carol", "SHARED"));  // known now
  alice.hang_up();
  EXPECT_EQ(server.run("UNLOCK", "hall", "bob"), ":0\r\n");
  EXPECT_EQ(server.run("UNLOCK", "hall", "adam"), ":1\r\n");
  EXPECT_EQ(server.run("UNLOCK", "hall", "carol"), ":1\r\n");
}

TEST_F(Untold, each_of_many_shares_ends_and_no_other) {
  server.run("LOCK", "hall", "told", "SHARED");
  for (int i = 0; i < 100; ++i) alice.begin("LOCK", "hall", "a" + std::to_string(i), "SHARED");
  for (int i = 0; i < 100; i += 2) server.run("UNLOCK", "hall", "a" + std::to_string(i));
  server.run("LOCK", "hall", "late", "SHARED");
  EXPECT_EQ(server.run("EXTEND", "hall", "a1", "PX", 60'000), ":1\r\n");
  alice.hang_up();
  for (const std::string owner : {"told", "late", "a1"}) {
    EXPECT_EQ(server.run("EXTEND", "hall", owner, "PX", 60'000), ":1\r\n") << owner;
  }
  for (int i = 2; i < 100; ++i) {
    EXPECT_EQ(server.run("EXTEND", "hall", "a" + std::to_string(i), "PX", 60'000), ":0\r\n") << i;
  }
}

TEST_F(Untold, all_keys_of_a_lockmany_leave_one_place) {
  alice.hang_up();
  Client bob = server.client();
  server.run("LOCK", "x", "holder");
  bob.begin("LOCKMANY", 3, "x", "y", "z", "bob", "WAIT", 60'000);
  bob.stop_reading();
  Client carol = server.client();
  carol.begin("LOCKMANY", 3, "x", "y", "z", "carol", "WAIT", 60'000);
  server.run("UNLOCK", "x", "holder");
  bob.hang_up();
  EXPECT_EQ(carol.take(), "*3\r\n:3\r\n:2\r\n:2\r\n");
  Client dave = server.client();
  dave.begin("LOCK", "z", "dave", "WAIT", 60'000);
  Client again = server.client();
  again.begin("LOCKMANY", 3, "x", "y", "z", "bob", "WAIT", 60'000);
  server.run("UNLOCK", "x", "y", "z", "carol");
  EXPECT_EQ(again.take(), "*3\r\n:4\r\n:3\r\n:3\r\n");
  EXPECT_EQ(dave.take(), "");
}

// BIND
TEST(Bound, holds_of_one_connection_end_and_those_of_others_stay) {
  Server server;
  Client alice = server.client();
  alice.run("LOCK", "hall", "a1", "SHARED", "BIND");
  alice.run("LOCK", "hall", "a2", "SHARED", "BIND");
  alice.run("LOCK", "hall", "a3", "SHARED");
  server.run("LOCK", "hall", "b1", "SHARED", "BIND");
  server.run("LOCK", "hall", "a2", "SHARED");  // from here it is bound to nobody
  alice.hang_up();
  EXPECT_EQ(server.run("UNLOCK", "hall", "a1"), ":0\r\n");
  for (const std::string owner : {"a2", "a3", "b1"}) {
    EXPECT_EQ(server.run("UNLOCK", "hall", owner), ":1\r\n") << owner;
  }
}

TEST(Bound, a_hold_ends_where_swapdb_has_put_it) {
  Server server;
  Client alice = server.client();
  alice.run("LOCK", "door", "alice", "BIND");
  alice.run("LOCK", "hall", "alice", "LIMIT", 2, "BIND");
  server.run("SWAPDB", 0, 1);
  alice.hang_up();
  server.run("SELECT", 1);
  EXPECT_EQ(server.run("EXISTS", "door", "hall"), ":0\r\n");
}

}  // namespace

}  // namespace fencepost::tests
