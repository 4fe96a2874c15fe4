// min-replicas-to-write: there are no replicas, so that writes are refused while it asks for some.
#include <string>

#include <gtest/gtest.h>

#include "base/sha1.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kOk = "+OK\r\n";
constexpr const char* kNoReplicas = "-NOREPLICAS Not enough good replicas to write.\r\n";

class ReplicasWanted : public testing::Test {
 protected:
  ReplicasWanted() {
    server.run("SET", "a", 1);
    EXPECT_EQ(server.run("CONFIG", "SET", "min-replicas-to-write", 1), kOk);
  }

  Server server;
};

TEST_F(ReplicasWanted, RefusesWrites) {
  for (const auto& reply :
       {server.run("SET", "a", 2), server.run("DEL", "a"), server.run("GETEX", "a"),
        server.run("SORT", "a"), server.run("BLPOP", "a", 1), server.run("FLUSHALL"),
        server.run("LOCK", "door", "alice"), server.run("UNLOCK", "door", "alice")}) {
    EXPECT_EQ(reply, kNoReplicas);
  }
  EXPECT_EQ(server.run("SET", "a"), "-ERR wrong number of arguments for 'set' command\r\n");
  EXPECT_EQ(server.run("GET", "a"), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("PUBLISH", "a", 1), ":0\r\n");
}

TEST_F(ReplicasWanted, RefusesThemWithinTransactions) {
  server.run("MULTI");
  EXPECT_EQ(server.run("SET", "a", 2), kNoReplicas);
  EXPECT_EQ(server.run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.\r\n");
  server.run("CONFIG", "SET", "min-replicas-to-write", 0);
  server.run("MULTI");
  server.run("SET", "a", 2);
  server.client().run("CONFIG", "SET", "min-replicas-to-write", 1);
  EXPECT_EQ(server.run("EXEC"),
            "-EXECABORT Transaction discarded because of: NOREPLICAS Not enough good replicas to "
            "write.\r\n");
  EXPECT_EQ(server.run("GET", "a"), "$1\r\n1\r\n");
}

// A script that says nothing of itself is refused where it would write.
TEST_F(ReplicasWanted, RefusesWhatScriptsWrite) {
  EXPECT_EQ(server.run("EVAL", "return redis.call('GET', 'a')", 0), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("EVAL", "return redis.pcall('SET', 'a', 2)", 0), kNoReplicas);
  const std::string call = "return redis.call('SET', 'a', 2)";
  EXPECT_EQ(server.run("EVAL", call, 0), "-NOREPLICAS Not enough good replicas to write. script: " +
                                             sha1_hex(call) + ", on @user_script:1.\r\n");
  EXPECT_EQ(server.run("EVAL_RO", "return redis.pcall('SET', 'a', 2)", 0),
            "-ERR Write commands are not allowed from read-only scripts.\r\n");
  for (const std::string name : {"EVAL", "EVAL_RO"}) {
    EXPECT_EQ(server.run(name, "#!lua\nreturn 1", 0), kNoReplicas);
  }
  EXPECT_EQ(server.run("EVAL", "#!lua flags=no-writes\nreturn 1", 0), ":1\r\n");
  EXPECT_EQ(server.run("GET", "a"), "$1\r\n1\r\n");
}

TEST_F(ReplicasWanted, WithoutAnyLagNothingIsWanted) {
  EXPECT_EQ(server.run("CONFIG", "SET", "min-replicas-max-lag", 0), kOk);
  EXPECT_EQ(server.run("SET", "a", 2), kOk);
}

}  // namespace

}  // namespace fencepost::tests
