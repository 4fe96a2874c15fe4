// UNLOCK and EXTEND. docs/locks.md.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

TEST(Unlock, counts_the_keys_that_the_owner_held) {
  Server server;
  server.run("LOCK", "a", "t");
  server.run("LOCK", "b", "other");
  EXPECT_EQ(server.run("UNLOCK", "a", "b", "c", "t"), ":1\r\n");
  EXPECT_EQ(server.run("GET", "b"), "$5\r\nother\r\n");
}

TEST(Unlock, repeated_still_counts_until_somebody_else_is_granted) {
  Server server;
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":1\r\n");
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":1\r\n");
  server.run("LOCK", "door", "bob");
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":0\r\n");
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
}

TEST(Unlock, repeated_counts_for_each_of_several_holders) {
  Server server;
  server.run("LOCK", "pool", "a", "LIMIT", 3);
  server.run("LOCK", "pool", "b", "LIMIT", 3);
  server.run("UNLOCK", "pool", "a");
  EXPECT_EQ(server.run("UNLOCK", "pool", "a"), ":1\r\n");
  server.run("UNLOCK", "pool", "b");
  EXPECT_EQ(server.run("UNLOCK", "pool", "a"), ":1\r\n");
  EXPECT_EQ(server.run("UNLOCK", "pool", "b"), ":1\r\n");
  server.run("LOCK", "pool", "c");
  EXPECT_EQ(server.run("UNLOCK", "pool", "a"), ":0\r\n");
}

TEST(Unlock, after_a_lapse_counts_nothing) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 100);
  server.pass(101);
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":0\r\n");
}

TEST(Unlock, a_key_named_twice_counts_once) {
  Server server;
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(server.run("UNLOCK", "door", "door", "alice"), ":1\r\n");
}

TEST(Unlock, frees_what_set_nx_made) {
  Server server;
  server.run("SET", "door", "alice", "NX", "PX", 1000);
  EXPECT_EQ(server.run("UNLOCK", "door", "bob"), ":0\r\n");
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":1\r\n");
}

TEST(Extend, sets_the_lease_anew_and_keeps_the_fence) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 5000);
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 1000), ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":1000\r\n");  // set, not added
  EXPECT_EQ(server.run("FENCE", "door"), ":1\r\n");
}

TEST(Extend, never_revives_and_never_extends_anothers) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 100);
  server.pass(101);
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 1000), ":0\r\n");
  server.run("LOCK", "door", "bob", "PX", 1000);
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 60'000), ":0\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":1000\r\n");
}

TEST(Extend, reads_its_words_strictly) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 5000);
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 0),
            "-ERR invalid expire time in 'extend' command\r\n");
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "EX", 86'401),
            "-ERR invalid expire time in 'extend' command\r\n");
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "SX", 1), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("EXTEND", "door", "alice"),
            "-ERR wrong number of arguments for 'extend' command\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":5000\r\n");
}

}  // namespace

}  // namespace fencepost::tests
