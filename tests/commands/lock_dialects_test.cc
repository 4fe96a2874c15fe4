// One keyspace, two dialects: SET NX and LOCK on the same key. docs/locks.md, section 1, rule 5.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kNil = "$-1\r\n";

TEST(LockDialects, an_exclusive_lock_is_the_string_that_set_nx_makes) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 1500);
  EXPECT_EQ(server.run("TYPE", "door"), "+string\r\n");
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":1500\r\n");
  EXPECT_EQ(server.run("SET", "door", "tok", "NX", "PX", 1000), kNil);
}

TEST(LockDialects, lock_is_refused_where_set_nx_holds) {
  Server server;
  server.run("SET", "door", "tok", "NX", "PX", 1000);
  EXPECT_EQ(server.run("LOCK", "door", "alice"), kNil);
  EXPECT_EQ(server.run("LOCK", "door", "tok"), ":1\r\n");  // the same owner: the same hold
  EXPECT_EQ(server.run("PTTL", "door"), ":30000\r\n");
}

TEST(LockDialects, every_way_of_freeing_hands_over_at_once) {
  Server server;
  int fence = 1;
  const auto hands_over = [&server, &fence](auto... words) {
    server.run("DEL", "door");
    server.run("SET", "door", "tok", "PX", 60'000);
    ++fence;
    Client bob = server.client();
    bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
    server.run(words...);
    ++fence;
    return bob.take() == ":" + std::to_string(fence) + "\r\n";
  };
  server.run("SET", "door", "first");
  EXPECT_TRUE(hands_over("DEL", "door"));
  EXPECT_TRUE(hands_over("UNLINK", "door"));
  EXPECT_TRUE(hands_over("GETDEL", "door"));
  EXPECT_TRUE(hands_over("DELEX", "door", "IFEQ", "tok"));
  EXPECT_TRUE(hands_over("DELIFEQ", "door", "tok"));
  EXPECT_TRUE(hands_over("EXPIRE", "door", -1));
  EXPECT_TRUE(hands_over("PEXPIREAT", "door", 1));
  EXPECT_TRUE(hands_over("RENAME", "door", "elsewhere"));
  EXPECT_TRUE(hands_over("MOVE", "door", 7));
  EXPECT_TRUE(hands_over("FLUSHDB"));
  EXPECT_TRUE(hands_over("FLUSHALL"));
}

TEST(LockDialects, whom_set_makes_the_owner_waits_no_longer_wherever_it_stands) {
  const auto is_told = [](auto... words) {
    Server server;
    Client first = server.client();
    Client second = server.client();
    server.run("SET", "name", "second");
    server.run("LOCK", "door", "alice");
    first.begin("LOCK", "door", "first", "WAIT", 60'000);
    second.begin("LOCK", "door", "second", "WAIT", 60'000);
    server.run(words...);
    EXPECT_EQ(first.take(), "");
    return second.take() == ":2\r\n";
  };
  EXPECT_TRUE(is_told("SET", "door", "second"));
  EXPECT_TRUE(is_told("RENAME", "name", "door"));
  EXPECT_TRUE(is_told("COPY", "name", "door", "REPLACE"));
}

TEST(LockDialects, an_expiry_hands_over_within_the_same_millisecond) {
  Server server;
  Client bob = server.client();
  server.run("SET", "door", "tok", "NX", "PX", 500);
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.pass(501);
  EXPECT_EQ(bob.take(), ":2\r\n");
}

TEST(LockDialects, a_transaction_frees_and_takes_in_one_step) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.run("MULTI");
  server.run("DEL", "door");
  server.run("SET", "door", "tok", "NX", "PX", 1000);
  EXPECT_EQ(server.run("EXEC"), "*2\r\n:1\r\n+OK\r\n");
  EXPECT_EQ(bob.take(), "");
  server.pass(1001);
  EXPECT_EQ(bob.take(), ":3\r\n");
}

TEST(LockDialects, a_lock_breaks_a_watch) {
  Server server;
  Client bob = server.client();
  server.run("WATCH", "door");
  bob.run("LOCK", "door", "bob");
  server.run("MULTI");
  server.run("PING");
  EXPECT_EQ(server.run("EXEC"), "*-1\r\n");
}

TEST(LockDialects, a_refused_lock_breaks_no_watch) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  server.run("WATCH", "door");
  bob.run("LOCK", "door", "bob");
  server.run("MULTI");
  server.run("PING");
  EXPECT_EQ(server.run("EXEC"), "*1\r\n+PONG\r\n");
}

TEST(LockDialects, persist_makes_a_lock_without_an_end_as_in_redis) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 100);
  EXPECT_EQ(server.run("PERSIST", "door"), ":1\r\n");
  server.pass(1000);
  EXPECT_EQ(server.run("LOCK", "door", "bob"), kNil);
}

}  // namespace

}  // namespace fencepost::tests
