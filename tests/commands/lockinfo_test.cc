// LOCKINFO, LOCKSCAN and LOCKBREAK. docs/locks.md.
#include <string>

#include <gtest/gtest.h>

#include "resp/reply_parser.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

std::string text(const std::string& bytes) {
  resp::ReplyParser parser;
  EXPECT_EQ(parser.parse(bytes), resp::ReplyParser::Status::reply);
  return resp::to_text(parser.reply());
}

TEST(LockInfo, describes_holder_and_line) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("LOCK", "door", "alice", "PX", 5000, "META", "m");
  server.pass(200);
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.pass(100);
  const std::string id = std::to_string(static_cast<std::uint64_t>(alice.id()));
  EXPECT_EQ(
      text(server.run("LOCKINFO", "door")),
      "[\"key\", \"door\", \"mode\", \"exclusive\", \"limit\", 0, \"fence\", 1, \"waiters\", 1, "
      "\"holders\", [[\"owner\", \"alice\", \"fence\", 1, \"ttl-ms\", 4700, \"held-ms\", 300, "
      "\"client\", " +
          id +
          ", \"meta\", \"m\", \"state\", \"held\"]], \"queue\", "
          "[[\"owner\", \"bob\", \"waited-ms\", 100]]]");
}

TEST(LockInfo, shows_a_key_taken_by_set_nx) {
  Server server;
  server.run("SET", "door", "tok", "NX", "PX", 1000);
  const std::string info = server.run("LOCKINFO", "door");
  EXPECT_NE(info.find("$5\r\nowner\r\n$3\r\ntok\r\n"), std::string::npos);
}

TEST(LockInfo, is_null_for_a_key_neither_held_nor_queued) {
  Server server;
  EXPECT_EQ(server.run("LOCKINFO", "door"), "*-1\r\n");
}

TEST(LockInfo, shows_a_free_key_that_is_waited_for) {
  Server server;
  Client many = server.client();
  server.run("LOCK", "gate", "x");
  many.begin("LOCKMANY", 2, "door", "gate", "t", "WAIT", 60'000);
  const std::string info = server.run("LOCKINFO", "door");
  EXPECT_NE(info.find("$7\r\nwaiters\r\n:1\r\n$7\r\nholders\r\n*0\r\n"), std::string::npos);
}

TEST(LockInfo, is_a_map_in_resp3_and_shows_16_waiters_at_most) {
  Server server;
  Client asks = server.client(Protocol::resp3);
  server.run("LOCK", "door", "x");
  for (int i = 0; i < 20; ++i) {
    server.client().begin("LOCK", "door", "w" + std::to_string(i), "WAIT", 60'000);
  }
  const std::string info = asks.run("LOCKINFO", "door");
  EXPECT_EQ(info.substr(0, 4), "%7\r\n");
  EXPECT_NE(info.find("$7\r\nwaiters\r\n:20\r\n"), std::string::npos);
  EXPECT_NE(info.find("$5\r\nqueue\r\n*16\r\n"), std::string::npos);
}

TEST(LockInfo, shows_every_holder_of_a_semaphore) {
  Server server;
  server.run("LOCK", "pool", "a", "LIMIT", 5);
  server.run("LOCK", "pool", "b", "LIMIT", 5);
  const std::string info = server.run("LOCKINFO", "pool");
  EXPECT_NE(info.find("$5\r\nlimit\r\n:5\r\n"), std::string::npos);
  EXPECT_NE(info.find("$7\r\nholders\r\n*2\r\n"), std::string::npos);
}

TEST(LockScan, lists_keys_that_are_held_or_queued) {
  Server server;
  Client many = server.client();
  server.run("LOCK", "a", "x");
  server.run("LOCK", "b", "x", "SHARED");
  many.begin("LOCKMANY", 2, "a", "free", "t", "WAIT", 60'000);
  const std::string all = server.run("LOCKSCAN", 0, "COUNT", 100);
  EXPECT_EQ(all.substr(0, 15), "*2\r\n$1\r\n0\r\n*3\r\n");
  for (const char* key : {"$1\r\na\r\n", "$1\r\nb\r\n", "$4\r\nfree\r\n"}) {
    EXPECT_NE(all.find(key), std::string::npos) << key;
  }
  EXPECT_EQ(server.run("LOCKSCAN", 0, "MATCH", "fr*"), "*2\r\n$1\r\n0\r\n*1\r\n$4\r\nfree\r\n");
}

TEST(LockScan, walks_everything_exactly_once) {
  Server server;
  for (int i = 0; i < 1000; ++i) server.run("LOCK", "k" + std::to_string(i), "t");
  std::string cursor = "0";
  int seen = 0;
  do {
    resp::ReplyParser parser;
    const std::string bytes = server.run("LOCKSCAN", cursor, "COUNT", 7);
    ASSERT_EQ(parser.parse(bytes), resp::ReplyParser::Status::reply);
    cursor = parser.reply().items[0].text;
    seen += static_cast<int>(parser.reply().items[1].items.size());
  } while (cursor != "0");
  EXPECT_EQ(seen, 1000);
}

TEST(LockScan, reads_its_words_strictly) {
  Server server;
  EXPECT_EQ(server.run("LOCKSCAN", "x"), "-ERR invalid cursor\r\n");
  EXPECT_EQ(server.run("LOCKSCAN", 0, "COUNT"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("LOCKSCAN", 0, "COUNT", 0), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("LOCKSCAN", 0, "TYPE", "lock"), "-ERR syntax error\r\n");
}

TEST(LockBreak, frees_the_key_and_makes_the_old_fence_stale_at_once) {
  Server server;
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(server.run("LOCKBREAK", "door"), ":1\r\n");
  EXPECT_EQ(server.run("FENCE", "door", 1), ":0\r\n");
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 1000), ":0\r\n");
  EXPECT_EQ(server.run("LOCK", "door", "bob"), ":3\r\n");
}

TEST(LockBreak, of_a_free_key_does_nothing) {
  Server server;
  EXPECT_EQ(server.run("LOCKBREAK", "door"), ":0\r\n");
  EXPECT_EQ(server.run("FENCE", "door"), ":0\r\n");
}

TEST(LockBreak, hands_over_to_the_next_in_line_and_ends_a_grace) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice", "PX", 100, "GRACE", 60'000);
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.pass(101);
  EXPECT_EQ(bob.take(), "");
  EXPECT_EQ(server.run("LOCKBREAK", "door"), ":1\r\n");
  EXPECT_EQ(bob.take(), ":3\r\n");
}

}  // namespace

}  // namespace fencepost::tests
