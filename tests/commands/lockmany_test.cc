// LOCKMANY: all or nothing, holds nothing while it waits. docs/locks.md.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

TEST(LockMany, grants_all_keys_at_one_instant_with_a_fence_each) {
  Server server;
  server.run("LOCK", "acct:9", "x");
  server.run("UNLOCK", "acct:9", "x");
  EXPECT_EQ(server.run("LOCKMANY", 2, "acct:7", "acct:9", "t-81", "PX", 5000),
            "*2\r\n:1\r\n:2\r\n");
  EXPECT_EQ(server.run("GET", "acct:7"), "$4\r\nt-81\r\n");
  EXPECT_EQ(server.run("PTTL", "acct:9"), ":5000\r\n");
  EXPECT_EQ(server.run("UNLOCK", "acct:7", "acct:9", "t-81"), ":2\r\n");
}

TEST(LockMany, is_refused_whole_when_one_key_is_held) {
  Server server;
  server.run("LOCK", "b", "x");
  EXPECT_EQ(server.run("LOCKMANY", 3, "a", "b", "c", "t"), "*-1\r\n");
  EXPECT_EQ(server.run("EXISTS", "a", "c"), ":0\r\n");
}

TEST(LockMany, holds_nothing_while_it_waits) {
  Server server;
  Client many = server.client();
  server.run("LOCK", "b", "x");
  many.begin("LOCKMANY", 2, "a", "b", "t", "WAIT", 60'000);
  EXPECT_EQ(server.run("EXISTS", "a"), ":0\r\n");
  server.run("UNLOCK", "b", "x");
  EXPECT_EQ(many.take(), "*2\r\n:1\r\n:2\r\n");
}

TEST(LockMany, opposite_orders_do_not_deadlock) {
  Server server;
  Client a = server.client();
  Client b = server.client();
  for (int round = 0; round < 1000; ++round) {
    const std::string got = a.run("LOCKMANY", 2, "x", "y", "a", "WAIT", 1000);
    EXPECT_EQ(got.substr(0, 2), "*2");
    b.begin("LOCKMANY", 2, "y", "x", "b", "WAIT", 1000);
    a.run("UNLOCK", "x", "y", "a");
    EXPECT_EQ(b.take().substr(0, 2), "*2");
    b.run("UNLOCK", "x", "y", "b");
  }
}

TEST(LockMany, keeps_what_the_owner_has_already) {
  Server server;
  server.run("LOCK", "a", "t", "PX", 1000);
  EXPECT_EQ(server.run("LOCKMANY", 2, "a", "b", "t", "PX", 9000), "*2\r\n:1\r\n:1\r\n");
  EXPECT_EQ(server.run("PTTL", "a"), ":9000\r\n");
}

TEST(LockMany, its_holds_are_single_ones) {
  Server server;
  server.run("LOCKMANY", 2, "a", "b", "t", "PX", 1000);
  EXPECT_EQ(server.run("UNLOCK", "a", "t"), ":1\r\n");
  EXPECT_EQ(server.run("EXTEND", "a", "b", "t", "PX", 5000), ":1\r\n");
  EXPECT_EQ(server.run("FENCE", "b", 1), ":1\r\n");
}

TEST(LockMany, reads_its_numbers_strictly) {
  Server server;
  EXPECT_EQ(server.run("LOCKMANY", 2, "a", "a", "t"), "-ERR the same key is named twice\r\n");
  EXPECT_EQ(server.run("LOCKMANY", 0, "a", "t"), "-ERR numkeys should be greater than 0\r\n");
  EXPECT_EQ(server.run("LOCKMANY", "x", "a", "t"), "-ERR numkeys should be greater than 0\r\n");
  EXPECT_EQ(server.run("LOCKMANY", 3, "a", "b", "t"),
            "-ERR Number of keys can't be greater than number of args\r\n");
  EXPECT_EQ(server.run("LOCKMANY", 129, "a", "t"), "-ERR LOCKMANY takes at most 128 keys\r\n");
  EXPECT_EQ(server.run("LOCKMANY", 1, "a", "t", "SHARED"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
}

TEST(LockMany, takes_128_keys) {
  Server server;
  std::vector<std::string> words{"LOCKMANY", "128"};
  for (int i = 0; i < 128; ++i) words.push_back("k" + std::to_string(i));
  words.push_back("t");
  Client client = server.client();
  client.send(request(words));
  EXPECT_EQ(client.take().substr(0, 6), "*128\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":128\r\n");
}

}  // namespace

}  // namespace fencepost::tests
