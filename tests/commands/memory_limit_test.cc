// maxmemory: above it what takes memory is refused, as by Redis with noeviction.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kOk = "+OK\r\n";
constexpr const char* kQueued = "+QUEUED\r\n";
constexpr const char* kOutOfMemory = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";

// In use are so many bytes as the test says, of the 1000 that may be.
class MemoryLimit : public testing::Test {
 protected:
  MemoryLimit() {
    server.engine().process().used_bytes = [this] { return used_; };
    EXPECT_EQ(server.run("CONFIG", "SET", "maxmemory", 1000), kOk);
    use(1000);
  }

  // Time goes by, so that it is measured.
  void use(std::uint64_t bytes) {
    used_ = bytes;
    server.pass(20);
  }

  Server server;

 private:
  std::uint64_t used_ = 0;
};

TEST_F(MemoryLimit, RefusesWhatTakesMemory) {
  EXPECT_EQ(server.run("SET", "a", 1), kOk);
  EXPECT_EQ(server.run("LOCK", "door", "alice"), ":1\r\n");
  use(1001);
  for (const auto& reply :
       {server.run("SET", "a", 2), server.run("SET", "b", 1, "NX"), server.run("APPEND", "a", "x"),
        server.run("INCR", "a"), server.run("MSET", "a", 2), server.run("COPY", "a", "b"),
        server.run("LOCK", "gate", "alice"), server.run("LOCK", "door", "bob", "WAIT", 100),
        server.run("LOCKMANY", 2, "x", "y", "alice")}) {
    EXPECT_EQ(reply, kOutOfMemory);
  }
  EXPECT_EQ(server.run("SET", "a"), "-ERR wrong number of arguments for 'set' command\r\n");
  use(1000);
  EXPECT_EQ(server.run("SET", "a", 2), kOk);
  EXPECT_EQ(server.run("LOCK", "gate", "alice"), ":1\r\n");
}

TEST_F(MemoryLimit, LetsEverythingElseGoOn) {
  server.run("SET", "a", 1);
  server.run("LOCK", "door", "alice");
  use(5000);
  EXPECT_EQ(server.run("GET", "a"), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("EXTEND", "door", "alice", "PX", 9000), ":1\r\n");
  EXPECT_EQ(server.run("FENCE", "door", 1), ":1\r\n");
  EXPECT_EQ(server.run("EXPIRE", "a", 100), ":1\r\n");
  EXPECT_EQ(server.run("RENAME", "a", "b"), kOk);
  EXPECT_EQ(server.run("DEL", "b"), ":1\r\n");
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":1\r\n");
  EXPECT_EQ(server.run("LOCKBREAK", "door"), ":0\r\n");
  EXPECT_EQ(server.run("CONFIG", "SET", "maxmemory", 0), kOk);
  EXPECT_EQ(server.run("SET", "a", 1), kOk);
}

TEST_F(MemoryLimit, HandsALockOnToWhoWaitsForIt) {
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  use(5000);
  EXPECT_EQ(server.run("UNLOCK", "door", "alice"), ":1\r\n");
  EXPECT_EQ(bob.take(), ":2\r\n");
}

TEST_F(MemoryLimit, QueuesNothing) {
  use(5000);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("PING"), kOutOfMemory);
  EXPECT_EQ(server.run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.\r\n");
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOutOfMemory);
  EXPECT_EQ(server.run("UNWATCH"), kOutOfMemory);
  EXPECT_EQ(server.run("DISCARD"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("RESET"), "+RESET\r\n");
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST_F(MemoryLimit, RefusesAnExecThatWouldTakeMemory) {
  for (const bool writes : {false, true}) {
    use(1);
    server.run("MULTI");
    EXPECT_EQ(server.run("GET", "a"), kQueued);
    if (writes) server.run("SET", "a", 1);
    use(5000);
    EXPECT_EQ(server.run("EXEC"),
              writes ? "-EXECABORT Transaction discarded because of: OOM command not allowed when "
                       "used memory > 'maxmemory'.\r\n"
                     : "*1\r\n$-1\r\n");
  }
  EXPECT_EQ(server.run("EXEC"), "-ERR EXEC without MULTI\r\n");
}

// A script runs until it would take memory; once it has written it is let go on.
TEST_F(MemoryLimit, RefusesWhatAScriptCalls) {
  server.run("SET", "b", 1);
  use(5000);
  EXPECT_EQ(server.run("EVAL", "return redis.call('SET', 'a', 1)", 0),
            "-OOM command not allowed when used memory > 'maxmemory'. script: "
            "920a07f443019e7350f07db671ce6a75fcc99e2c, on @user_script:1.\r\n");
  EXPECT_EQ(server.run("EVAL", "return redis.pcall('SET', 'a', 1)", 0), kOutOfMemory);
  EXPECT_EQ(server.run("EVAL", "return redis.call('GET', 'b')", 0), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("EXISTS", "a"), ":0\r\n");
  EXPECT_EQ(server.run("EVAL", "redis.call('DEL', 'b') return redis.call('SET', 'a', 1)", 0), kOk);
}

TEST_F(MemoryLimit, GoesByWhatAScriptSaysOfItself) {
  const std::string says_nothing = "#!lua\nreturn 1";
  const std::string reads = "#!lua flags=no-writes\nreturn 1";
  const std::string may = "#!lua flags=allow-oom\nreturn redis.call('SET', 'a', 1)";
  server.run("SCRIPT", "LOAD", says_nothing);
  use(5000);
  EXPECT_EQ(server.run("EVAL", says_nothing, 0), kOutOfMemory);
  EXPECT_EQ(server.run("EVAL_RO", says_nothing, 0), kOutOfMemory);
  EXPECT_EQ(server.run("EVAL", reads, 0), ":1\r\n");
  EXPECT_EQ(server.run("EVAL", may, 0), kOk);
  use(1);
  server.run("MULTI");
  EXPECT_EQ(server.run("EVAL", says_nothing, 0), kQueued);
  use(5000);
  EXPECT_EQ(server.run("EXEC"),
            "-EXECABORT Transaction discarded because of: OOM command not allowed when used memory "
            "> 'maxmemory'.\r\n");
}

TEST_F(MemoryLimit, IsShown) {
  EXPECT_NE(server.run("INFO", "memory").find("\r\nmaxmemory:1000\r\n"), std::string::npos);
  EXPECT_EQ(server.run("CONFIG", "GET", "maxmemory"), "*2\r\n$9\r\nmaxmemory\r\n$4\r\n1000\r\n");
}

}  // namespace

}  // namespace fencepost::tests
