// MULTI, EXEC, DISCARD, WATCH, UNWATCH. What redis-server 7.0.15 sent, to the byte.
#include <gtest/gtest.h>

#include "commands/transaction/exec.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kOk = "+OK\r\n";
constexpr std::string_view kQueued = "+QUEUED\r\n";
constexpr std::string_view kAborted =
    "-EXECABORT Transaction discarded because of previous errors.\r\n";
constexpr std::string_view kNoMulti = "-ERR EXEC without MULTI\r\n";

TEST(Multi, QueuesAndExecRunsAsOne) {
  Server server;
  Client bob = server.client();
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("SET", "door", "alice"), kQueued);
  EXPECT_EQ(server.run("GET", "door"), kQueued);
  EXPECT_EQ(bob.run("GET", "door"), "$-1\r\n");
  EXPECT_EQ(server.run("INCR", "door"), kQueued);
  EXPECT_EQ(server.run("EXEC"),
            "*3\r\n+OK\r\n$5\r\nalice\r\n-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(bob.run("GET", "door"), "$5\r\nalice\r\n");
  EXPECT_EQ(server.run("EXEC"), kNoMulti);
}

TEST(Multi, KeepsCopiesOfWhatItQueues) {
  Server server;
  server.first().send("MULTI\r\nSET a first\r\n");
  server.first().send("SET b second\r\nMGET a b\r\nEXEC\r\n");
  EXPECT_EQ(server.take(),
            "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n+OK\r\n+OK\r\n"
            "*2\r\n$5\r\nfirst\r\n$6\r\nsecond\r\n");
}

TEST(Multi, CannotBeNestedButLivesOn) {
  Server server;
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("MULTI"), "-ERR MULTI calls can not be nested\r\n");
  EXPECT_EQ(server.run("WATCH", "door"), "-ERR WATCH inside MULTI is not allowed\r\n");
  EXPECT_EQ(server.run("PING"), kQueued);
  EXPECT_EQ(server.run("EXEC"), "*1\r\n+PONG\r\n");
}

TEST(Exec, OfNothing) {
  Server server;
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*0\r\n");
  EXPECT_EQ(server.run("EXEC"), kNoMulti);
  EXPECT_EQ(server.run("DISCARD"), "-ERR DISCARD without MULTI\r\n");
}

TEST(Exec, IsAbortedByAnErrorWhileQueueing) {
  Server server;
  for (const std::string bad :
       {"nosuch", "GET", "CLIENT nosuch", "DISCARD x", "RESET x", "WATCH"}) {
    EXPECT_EQ(server.run("MULTI"), kOk);
    EXPECT_EQ(server.run("SET", "door", "alice"), kQueued);
    server.first().send(bad + "\r\n");
    EXPECT_EQ(server.take().substr(0, 5), "-ERR ") << bad;
    EXPECT_EQ(server.run("PING"), kQueued) << bad;
    EXPECT_EQ(server.run("EXEC"), kAborted) << bad;
    EXPECT_EQ(server.run("EXEC"), kNoMulti) << bad;
  }
  EXPECT_EQ(server.run("GET", "door"), "$-1\r\n");
}

TEST(Exec, ThatIsRefusedItselfEndsTheTransaction) {
  Server server;
  constexpr std::string_view kRefused =
      "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' "
      "command\r\n";
  EXPECT_EQ(server.run("EXEC", "x"), kRefused) << "also where there is none";
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC", "x"), kRefused);
  EXPECT_EQ(server.run("EXEC"), kNoMulti);
}

TEST(Exec, MayChangeTheProtocolInTheMiddle) {
  Server server;
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("GET", "nothing"), kQueued);
  EXPECT_EQ(server.run("HELLO", 3), kQueued);
  EXPECT_EQ(server.run("GET", "nothing"), kQueued);
  const std::string reply = server.run("EXEC");
  EXPECT_TRUE(reply.starts_with("*3\r\n$-1\r\n%7\r\n")) << reply;
  EXPECT_TRUE(reply.ends_with("_\r\n")) << reply;
}

TEST(Exec, MayChangeTheDatabaseInTheMiddle) {
  Server server;
  server.first().send("MULTI\r\nSET door a\r\nSELECT 3\r\nSET door b\r\nEXEC\r\n");
  EXPECT_EQ(server.take(), "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n+OK\r\n+OK\r\n+OK\r\n");
  EXPECT_EQ(server.run("GET", "door"), "$1\r\nb\r\n");
  EXPECT_EQ(server.run("SELECT", 0), kOk);
  EXPECT_EQ(server.run("GET", "door"), "$1\r\na\r\n");
}

TEST(Exec, SeesTheTransactionAsOpenUntilItsEnd) {
  Server server;
  server.first().send("MULTI\r\nCLIENT INFO\r\nEXEC\r\n");
  const std::string reply = server.take();
  EXPECT_NE(reply.find(" flags=x "), std::string::npos) << reply;
  EXPECT_NE(reply.find(" multi=1 "), std::string::npos) << reply;
  EXPECT_NE(reply.find(" cmd=exec "), std::string::npos) << reply;
}

TEST(Exec, QuitAndShutdownAreNotQueued) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("SHUTDOWN", "NOSAVE"), "-ERR Command not allowed inside a transaction\r\n");
  EXPECT_EQ(server.run("EXEC"), kAborted);
  EXPECT_EQ(alice.run("MULTI"), kOk);
  EXPECT_EQ(alice.run("QUIT"), kOk);
  EXPECT_TRUE(alice.closed());
}

TEST(Discard, ForgetsTheQueueAndTheWatches) {
  Server server;
  Client bob = server.client();
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  EXPECT_EQ(bob.run("SET", "door", "bob"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("SET", "door", "alice"), kQueued);
  EXPECT_EQ(server.run("DISCARD"), kOk);
  EXPECT_EQ(bob.run("GET", "door"), "$3\r\nbob\r\n");
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*0\r\n");
}

TEST(Watch, LetsExecRunNothingWhenAKeyChanged) {
  Server server;
  Client bob = server.client();
  Client carol = server.client(Protocol::resp3);
  EXPECT_EQ(server.run("WATCH", "other", "door"), kOk);
  EXPECT_EQ(carol.run("WATCH", "door"), kOk);
  EXPECT_EQ(bob.run("SET", "door", "bob"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(carol.run("MULTI"), kOk);
  EXPECT_EQ(server.run("SET", "door", "alice"), kQueued);
  EXPECT_EQ(server.run("EXEC"), "*-1\r\n");
  EXPECT_EQ(carol.run("EXEC"), "_\r\n");
  EXPECT_EQ(bob.run("GET", "door"), "$3\r\nbob\r\n");
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*0\r\n") << "EXEC has forgotten the watch";
}

TEST(Watch, IsBrokenByOnesOwnChangesToo) {
  Server server;
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  EXPECT_EQ(server.run("SET", "door", "alice"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*-1\r\n");
}

TEST(Watch, IsNotBrokenByARefusedSetNx) {
  Server server;
  Client bob = server.client();
  EXPECT_EQ(server.run("SET", "door", "alice"), kOk);
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  EXPECT_EQ(bob.run("SET", "door", "bob", "NX"), "$-1\r\n");
  EXPECT_EQ(bob.run("GET", "door"), "$5\r\nalice\r\n");
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*0\r\n");
}

TEST(Watch, IsBrokenByALeaseThatEnds) {
  Server server;
  EXPECT_EQ(server.run("SET", "door", "alice", "PX", 100), kOk);
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  server.sleep_through(101);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*-1\r\n");
}

TEST(Watch, IsNotBrokenByALeaseThatHadEndedBefore) {
  Server server;
  EXPECT_EQ(server.run("SET", "door", "alice", "PX", 100), kOk);
  server.sleep_through(101);
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*0\r\n");
}

TEST(Watch, IsPerDatabase) {
  Server server;
  Client bob = server.client();
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  EXPECT_EQ(bob.run("SELECT", 1), kOk);
  EXPECT_EQ(bob.run("SET", "door", "bob"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*0\r\n");
}

TEST(Watch, IsBrokenByFlushAndDelOfAKeyThatIsThere) {
  Server server;
  Client bob = server.client();
  for (const char* flush : {"FLUSHALL", "FLUSHDB"}) {
    EXPECT_EQ(bob.run("SET", "door", "bob"), kOk);
    EXPECT_EQ(server.run("WATCH", "door"), kOk);
    EXPECT_EQ(bob.run(flush), kOk);
    EXPECT_EQ(server.run("MULTI"), kOk);
    EXPECT_EQ(server.run("EXEC"), "*-1\r\n") << flush;
  }
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  EXPECT_EQ(bob.run("FLUSHALL"), kOk);
  EXPECT_EQ(bob.run("DEL", "door"), ":0\r\n");
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EXEC"), "*0\r\n") << "there was nothing";
}

TEST(Unwatch, ForgetsAndIsQueuedInsideMulti) {
  Server server;
  Client bob = server.client();
  EXPECT_EQ(server.run("WATCH", "door"), kOk);
  EXPECT_EQ(bob.run("SET", "door", "bob"), kOk);
  EXPECT_EQ(server.run("UNWATCH"), kOk);
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("UNWATCH"), kQueued);
  EXPECT_EQ(server.run("EXEC"), "*1\r\n+OK\r\n");
}

TEST(Exec, IsRefusedAfterAQueueThatIsTooLarge) {
  commands::Settings settings;
  settings.values.query_buffer_limit_bytes = 1024 * 1024;
  Server server{settings};
  EXPECT_EQ(server.run("MULTI"), kOk);
  const std::string half(600 * 1024, 'x');
  EXPECT_EQ(server.run("SET", "a", half), kQueued);
  EXPECT_EQ(server.run("SET", "b", half),
            "-ERR Transaction is larger than client-query-buffer-limit\r\n");
  EXPECT_EQ(server.run("SET", "c", "small"), kQueued);
  EXPECT_EQ(server.run("EXEC"), kAborted);
  EXPECT_EQ(server.run("EXISTS", "a", "b", "c"), ":0\r\n");
}

// Each takes more memory than its four letters.
TEST(Exec, IsRefusedAfterAQueueOfTooManySmallRequests) {
  commands::Settings settings;
  settings.values.query_buffer_limit_bytes = 1024 * 1024;
  Server server{settings};
  server.run("MULTI");
  int queued = 0;
  while (queued < 20'000 && server.run("PING") == kQueued) ++queued;
  EXPECT_GT(queued, 1024 * 1024 / 256);
  EXPECT_LT(queued, 1024 * 1024 / 64);
  EXPECT_EQ(server.run("EXEC"), kAborted);
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST(Watch, HasALimit) {
  commands::Settings settings;
  settings.values.query_buffer_limit_bytes = 1024 * 1024;
  Server server{settings};
  const std::string refused = "-ERR What is watched is larger than client-query-buffer-limit\r\n";
  std::size_t watched = 0;
  while (watched < 20'000 && server.run("WATCH", "k" + std::to_string(watched)) == kOk) ++watched;
  EXPECT_GT(watched, 1024U);
  EXPECT_LT(watched, 8192U);
  EXPECT_EQ(server.run("WATCH", "k0", "another"), refused);
  EXPECT_EQ(server.run("UNWATCH"), kOk);
  EXPECT_EQ(server.run("WATCH", std::string(600'000, 'x')), refused);
  for (const char name : {'a', 'b', 'c'}) {
    EXPECT_EQ(server.run("WATCH", std::string(200'000, name)), name == 'c' ? refused : kOk);
  }
  Client other = server.client();
  EXPECT_EQ(other.run("WATCH", "k0"), kOk);
}

TEST(Exec, DoesNotOutliveItsConnection) {
  Server server;
  Client alice = server.client();
  alice.send("WATCH door\r\nMULTI\r\nSET door alice\r\n");
  alice.hang_up();
  EXPECT_EQ(server.run("SET", "door", "bob"), kOk);
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
}

}  // namespace
}  // namespace fencepost::tests
