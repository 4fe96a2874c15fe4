// Answers wait for the journal: nobody is told what a crash could take back.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

class Durability : public testing::Test {
 protected:
  Durability() { server.engine().keep_journal(); }

  // What the disk does between two turns.
  std::uint64_t collect() {
    std::string batch;
    return server.engine().collect(batch);
  }
  void keep(std::uint64_t number) {
    server.engine().committed(number);
    server.pass(0);
  }

  Server server;
  Client alice = server.client();
  Client bob = server.client();
};

TEST_F(Durability, AnAnswerLeavesOnceItsBatchIsKept) {
  alice.begin("LOCK", "door", "alice");
  EXPECT_EQ(alice.take(), "");
  const std::uint64_t number = collect();
  EXPECT_GT(number, 0U);
  EXPECT_EQ(alice.take(), "");
  keep(number);
  EXPECT_EQ(alice.take(), ":1\r\n");
}

TEST_F(Durability, WhoAsksForNothingThatChangedDoesNotWait) {
  alice.begin("SET", "a", 1);
  const std::uint64_t number = collect();
  EXPECT_EQ(bob.run("PING"), "+PONG\r\n");
  EXPECT_EQ(bob.run("GET", "other"), "$-1\r\n");
  EXPECT_EQ(bob.run("FENCE", "other"), ":0\r\n");
  bob.begin("GET", "a");
  EXPECT_EQ(bob.take(), "") << "it would tell what is not safe yet";
  keep(number);
  EXPECT_EQ(bob.take(), "$1\r\n1\r\n");
}

// Dropping the counter of `first` raises the floor, which is what FENCE says of keys without one.
TEST_F(Durability, AFloorThatIsNotKeptIsNotTold) {
  alice.begin("CONFIG", "SET", "fence-idle-keys", 1);
  alice.begin("LOCK", "first", "alice");
  alice.begin("UNLOCK", "first", "alice");
  keep(collect());
  EXPECT_EQ(bob.run("FENCE", "other"), ":0\r\n");
  alice.begin("LOCK", "second", "alice");
  alice.begin("UNLOCK", "second", "alice");
  bob.begin("FENCE", "other");
  EXPECT_EQ(bob.take(), "");
  const std::uint64_t number = collect();
  EXPECT_EQ(bob.take(), "") << "a crash would take it back";
  bob.begin("FENCE", "first");
  EXPECT_EQ(bob.take(), "");
  keep(number);
  EXPECT_EQ(bob.take(), ":1\r\n:1\r\n");
  EXPECT_EQ(bob.run("FENCE", "other"), ":1\r\n");
}

TEST_F(Durability, AHandOverWaitsAsTheReleaseDoes) {
  alice.begin("LOCK", "door", "alice");
  keep(collect());
  alice.take();
  bob.begin("LOCK", "door", "bob", "WAIT", 1000);
  alice.begin("UNLOCK", "door", "alice");
  EXPECT_EQ(bob.take(), "");
  keep(collect());
  EXPECT_EQ(bob.take(), ":2\r\n");
  EXPECT_EQ(alice.take(), ":1\r\n");
}

TEST_F(Durability, ARefusalThatTellsOfAnUnsafeHoldWaitsToo) {
  alice.begin("LOCK", "door", "alice");
  const std::uint64_t number = collect();
  bob.begin("LOCK", "door", "bob");
  EXPECT_EQ(bob.take(), "");
  EXPECT_EQ(collect(), 0U) << "it changed nothing";
  keep(number);
  EXPECT_EQ(bob.take(), "$-1\r\n");
  EXPECT_EQ(bob.run("LOCK", "door", "bob"), "$-1\r\n") << "all is safe by now";
}

TEST_F(Durability, RepliesStayInOrder) {
  alice.begin("SET", "a", 1);
  alice.begin("PING");
  EXPECT_EQ(alice.take(), "");
  keep(collect());
  EXPECT_EQ(alice.take(), "+OK\r\n+PONG\r\n");
}

TEST_F(Durability, WithoutADiskThatTakesThemWritesAreRefused) {
  server.engine().process().durability.refusal =
      "MISCONF Errors writing to the AOF file: No space left on device";
  EXPECT_EQ(alice.run("LOCK", "door", "alice"),
            "-MISCONF Errors writing to the AOF file: No space left on device\r\n");
  EXPECT_EQ(alice.run("GET", "door"), "$-1\r\n");
  EXPECT_EQ(alice.run("FENCE", "door"), ":0\r\n");
}

}  // namespace
}  // namespace fencepost::tests
