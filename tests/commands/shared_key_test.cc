// Keys held by several, and holds in their grace, as the commands of Redis see them (locks.md
// section 2).
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

// locks.md section 2: a key held SHARED or with LIMIT.
TEST(SharedKeys, AKeyHeldBySeveralKeepsItsLeasesAndItsName) {
  Server server;
  server.run("LOCK", "hall", "alice", "PX", 1000, "LIMIT", 3);
  server.run("LOCK", "hall", "bob", "PX", 5000, "LIMIT", 3);
  EXPECT_EQ(server.run("PTTL", "hall"), ":5000\r\n");
  EXPECT_EQ(server.run("PEXPIRETIME", "hall"),
            ":" + std::to_string(server.unix_ms() + 5000) + "\r\n");
  server.run("SET", "a", 1);
  for (const auto& reply : {server.run("EXPIRE", "hall", 1), server.run("PERSIST", "hall"),
                            server.run("RENAME", "hall", "b"), server.run("RENAMENX", "hall", "b"),
                            server.run("COPY", "hall", "b"), server.run("MOVE", "hall", 1)}) {
    EXPECT_EQ(reply, kWrongType);
  }
  EXPECT_EQ(server.run("DEL", "hall"), ":1\r\n");
  EXPECT_EQ(server.run("EXISTS", "hall"), ":0\r\n");
}

// locks.md section 2, GRACE: the key still exists, and its lease cannot be changed.
TEST(SharedKeys, ALapsedHoldInItsGraceTakesNoLease) {
  Server server;
  server.run("LOCK", "door", "alice", "PX", 100, "GRACE", 1000);
  server.pass(101);
  EXPECT_EQ(server.run("EXISTS", "door"), ":1\r\n");
  EXPECT_EQ(server.run("EXPIRE", "door", 100), ":0\r\n");
  EXPECT_EQ(server.run("EXPIRE", "door", 0), ":0\r\n");
  EXPECT_EQ(server.run("PERSIST", "door"), ":0\r\n");
  EXPECT_EQ(server.run("SET", "door", "bob", "NX"), "$-1\r\n");
  server.pass(500);
  // The grace runs from the end of the lease, which was 501 ms ago.
  EXPECT_EQ(server.run("PTTL", "door"), ":499\r\n");
  EXPECT_EQ(server.run("SET", "door", "bob"), "+OK\r\n");
  EXPECT_EQ(server.run("PTTL", "door"), ":-1\r\n");
}

// locks.md section 2: a key held SHARED or with LIMIT.
TEST(SharedKeys, AKeyHeldBySeveralIsNoString) {
  Server server;
  ASSERT_EQ(server.run("LOCK", "door", "alice", "SHARED"), ":1\r\n");
  for (const auto& reply :
       {server.run("GET", "door"), server.run("GETDEL", "door"), server.run("GETEX", "door"),
        server.run("GETSET", "door", "v"), server.run("SET", "door", "v", "GET"),
        server.run("SET", "door", "v", "IFEQ", "x"), server.run("APPEND", "door", "v"),
        server.run("STRLEN", "door"), server.run("INCR", "door"),
        server.run("INCRBYFLOAT", "door", "1"), server.run("GETRANGE", "door", 0, 1),
        server.run("SETRANGE", "door", 0, "v"), server.run("DIGEST", "door"),
        server.run("DELIFEQ", "door", "alice"), server.run("DELEX", "door", "IFEQ", "alice")}) {
    EXPECT_EQ(reply, kWrongType);
  }
  EXPECT_EQ(server.run("MGET", "door"), "*1\r\n$-1\r\n");
  EXPECT_EQ(server.run("SET", "door", "bob", "NX"), "$-1\r\n");
  EXPECT_EQ(server.run("SETNX", "door", "bob"), ":0\r\n");
  EXPECT_EQ(server.run("MSETNX", "door", "bob"), ":0\r\n");
  EXPECT_EQ(server.run("SET", "door", "bob"), "+OK\r\n");
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
}

TEST(SharedKeys, HaveATypeOfTheirOwn) {
  Server server;
  server.run("LOCK", "door", "alice");
  server.run("LOCK", "hall", "alice", "LIMIT", 3);
  EXPECT_EQ(server.run("TYPE", "door"), "+string\r\n");
  EXPECT_EQ(server.run("TYPE", "hall"), "+lock\r\n");
  EXPECT_EQ(server.run("SCAN", 0, "type", "lock"), "*2\r\n$1\r\n0\r\n*1\r\n$4\r\nhall\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "hall"), "$4\r\nlock\r\n");
}

}  // namespace
}  // namespace fencepost::tests
