// ZPOPMIN and its kin, and those who wait for one. What redis-server 7.0.15 sent, to the byte.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/bulks.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kEmpty = "*0\r\n";
constexpr std::string_view kNothing = "*-1\r\n";
constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

TEST(Zpop, TakesFromEitherEnd) {
  Server server;
  server.run("ZADD", "z", 1, "a", 2, "b", 3, "c", 4, "d");
  EXPECT_EQ(server.run("ZPOPMIN", "z"), bulks("a", 1));
  EXPECT_EQ(server.run("ZPOPMAX", "z"), bulks("d", 4));
  EXPECT_EQ(server.run("ZPOPMAX", "z", 5), bulks("c", 3, "b", 2));
  EXPECT_EQ(server.run("EXISTS", "z"), ":0\r\n");
  EXPECT_EQ(server.run("ZPOPMIN", "z"), kEmpty);
  EXPECT_EQ(server.run("ZPOPMIN", "z", 1), kEmpty);
}

TEST(Zpop, AnswersInPairsInResp3WhenACountIsGiven) {
  Server server;
  Client modern = server.client(Protocol::resp3);
  server.run("ZADD", "z", 1, "a", 2, "b", 3, "c");
  EXPECT_EQ(modern.run("ZPOPMIN", "z"), "*2\r\n$1\r\na\r\n,1\r\n");
  EXPECT_EQ(modern.run("ZPOPMIN", "z", 1), "*1\r\n*2\r\n$1\r\nb\r\n,2\r\n");
  EXPECT_EQ(modern.run("ZPOPMIN", "nothing", 1), kEmpty);
}

TEST(Zpop, RefusesOddCounts) {
  Server server;
  server.run("ZADD", "z", 1, "a");
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("ZPOPMIN", "z", 0), kEmpty);
  EXPECT_EQ(server.run("ZPOPMIN", "z", -1), "-ERR value is out of range, must be positive\r\n");
  EXPECT_EQ(server.run("ZPOPMIN", "z", "x"), "-ERR value is out of range, must be positive\r\n");
  EXPECT_EQ(server.run("ZPOPMIN", "z", 1, 2), kSyntaxError);
  EXPECT_EQ(server.run("ZPOPMAX", "text", 0), kWrongType);
  EXPECT_EQ(server.run("ZCARD", "z"), ":1\r\n");
}

// 25 members of 12 MiB are more than a reply has room for.
TEST(Zpop, TakesNothingWhenItCannotBeAnswered) {
  Server server;
  server.run("ZADD", "z", 1, "a");
  for (int i = 0; i < 25; ++i) {
    server.run("ZADD", "z", 2 + i, std::string(12 << 20, static_cast<char>('a' + i)));
  }
  EXPECT_EQ(server.run("ZPOPMIN", "z", 26).substr(0, 4), "-ERR");
  EXPECT_EQ(server.run("ZCARD", "z"), ":26\r\n");
  EXPECT_EQ(server.run("ZPOPMIN", "z"), bulks("a", 1));
}

TEST(Zmpop, TakesFromTheFirstThatIsThere) {
  Server server;
  server.run("ZADD", "y", 1, "a", 2, "b", 3, "c");
  EXPECT_EQ(server.run("ZMPOP", 2, "x", "y", "MIN"), "*2\r\n$1\r\ny\r\n*1\r\n" + bulks("a", 1));
  EXPECT_EQ(server.run("ZMPOP", 1, "y", "max", "count", 9),
            "*2\r\n$1\r\ny\r\n*2\r\n" + bulks("c", 3) + bulks("b", 2));
  EXPECT_EQ(server.run("ZMPOP", 1, "y", "MAX"), kNothing);
  EXPECT_EQ(server.client(Protocol::resp3).run("ZMPOP", 1, "y", "MAX"), "_\r\n");
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("ZMPOP", 2, "text", "y", "MIN"), kWrongType);
}

TEST(Zmpop, RefusesWhatMakesNoSense) {
  Server server;
  const std::string_view no_keys = "-ERR numkeys should be greater than 0\r\n";
  const std::string_view no_count = "-ERR count should be greater than 0\r\n";
  EXPECT_EQ(server.run("ZMPOP", 0, "z", "MIN"), no_keys);
  EXPECT_EQ(server.run("ZMPOP", "x", "z", "MIN"), no_keys);
  EXPECT_EQ(server.run("ZMPOP", 2, "z", "MIN"), kSyntaxError);
  EXPECT_EQ(server.run("ZMPOP", 9223372036854775807, "z", "MIN"), kSyntaxError);
  EXPECT_EQ(server.run("ZMPOP", 1, "z", "middle"), kSyntaxError);
  EXPECT_EQ(server.run("ZMPOP", 1, "z", "MIN", "COUNT"), kSyntaxError);
  EXPECT_EQ(server.run("ZMPOP", 1, "z", "MIN", "COUNT", 0), no_count);
  EXPECT_EQ(server.run("ZMPOP", 1, "z", "MIN", "COUNT", "x", "y"), no_count);
  EXPECT_EQ(server.run("ZMPOP", 1, "z", "MIN", "COUNT", 1, "COUNT", 2), kSyntaxError);
  EXPECT_EQ(server.run("BZMPOP", 1, 0, "z", "MIN"), no_keys);
  EXPECT_EQ(server.run("BZMPOP", "x", 1, "z", "middle"), kSyntaxError);
  EXPECT_EQ(server.run("BZMPOP", "x", 1, "z", "MIN"),
            "-ERR timeout is not a float or out of range\r\n");
}

TEST(Bzpop, AnswersAtOnceWhenThereIsSomething) {
  Server server;
  server.run("ZADD", "y", 1, "a", 2, "b");
  server.run("ZADD", "z", 3, "c");
  EXPECT_EQ(server.run("BZPOPMIN", "x", "y", "z", 0), bulks("y", "a", 1));
  EXPECT_EQ(server.run("BZPOPMAX", "z", "y", 0), bulks("z", "c", 3));
  EXPECT_EQ(server.run("BZMPOP", 0, 2, "x", "y", "MAX"), "*2\r\n$1\r\ny\r\n*1\r\n" + bulks("b", 2));
  server.run("ZADD", "z", 3, "c");
  EXPECT_EQ(server.client(Protocol::resp3).run("BZPOPMAX", "z", 0),
            "*3\r\n$1\r\nz\r\n$1\r\nc\r\n,3\r\n");
}

TEST(Bzpop, RefusesWhatMakesNoSense) {
  Server server;
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("BZPOPMIN", "text", "z", 0), kWrongType);
  EXPECT_EQ(server.run("BZPOPMIN", "z", "-1"), "-ERR timeout is negative\r\n");
  EXPECT_EQ(server.run("BZPOPMIN", "z", "soon"), "-ERR timeout is not a float or out of range\r\n");
  EXPECT_EQ(server.run("BZPOPMIN", "z"),
            "-ERR wrong number of arguments for 'bzpopmin' command\r\n");
}

TEST(Bzpop, WaitsUntilSomebodyAdds) {
  Server server;
  Client bob = server.client();
  bob.begin("BZPOPMIN", "y", "z", 0);
  EXPECT_EQ(bob.take(), "");
  EXPECT_EQ(server.run("ZADD", "z", 1, "a", 2, "b"), ":2\r\n");
  EXPECT_EQ(bob.take(), bulks("z", "a", 1));
  EXPECT_EQ(server.run("ZRANGE", "z", 0, -1), bulks("b"));
}

TEST(Bzpop, ServesInTheOrderOfArrivalAsLongAsThereIsSomething) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  Client carol = server.client();
  alice.begin("BZPOPMAX", "z", 0);
  bob.begin("BZMPOP", 0, 1, "z", "MIN", "COUNT", 2);
  carol.begin("BZPOPMIN", "z", 0);
  server.run("ZADD", "z", 1, "a", 2, "b", 3, "c");
  EXPECT_EQ(alice.take(), bulks("z", "c", 3));
  EXPECT_EQ(bob.take(), "*2\r\n$1\r\nz\r\n*2\r\n" + bulks("a", 1) + bulks("b", 2));
  EXPECT_EQ(carol.take(), "");
  EXPECT_EQ(server.run("EXISTS", "z"), ":0\r\n");
  server.run("ZINCRBY", "z", 5, "d");
  EXPECT_EQ(carol.take(), bulks("z", "d", 5));
}

TEST(Bzpop, IsOverWhenItsTimeIs) {
  Server server;
  Client bob = server.client();
  Client modern = server.client(Protocol::resp3);
  bob.begin("BZPOPMIN", "z", "0.1");
  modern.begin("BZMPOP", "0.2", 1, "z", "MIN");
  server.pass(100);
  EXPECT_EQ(bob.take(), "");
  server.pass(1);
  EXPECT_EQ(bob.take(), kNothing);
  server.pass(100);
  EXPECT_EQ(modern.take(), "_\r\n");
  EXPECT_EQ(server.run("ZADD", "z", 1, "a"), ":1\r\n");
  EXPECT_EQ(server.run("ZCARD", "z"), ":1\r\n");
}

TEST(Bzpop, LooksAtAnExecAsAWhole) {
  Server server;
  Client bob = server.client();
  bob.begin("BZPOPMIN", "z", 0);
  server.run("MULTI");
  server.run("ZADD", "z", 5, "a");
  server.run("ZADD", "z", 1, "b");
  server.run("EXEC");
  EXPECT_EQ(bob.take(), bulks("z", "b", 1));
  bob.begin("BZPOPMIN", "y", 0);
  server.run("MULTI");
  server.run("ZADD", "y", 1, "a");
  server.run("DEL", "y");
  server.run("EXEC");
  EXPECT_EQ(bob.take(), "") << "it came and went unseen";
  server.run("RENAME", "z", "y");
  EXPECT_EQ(bob.take(), bulks("y", "a", 5));
}

TEST(Bzpop, IsServedByWhatIsStored) {
  Server server;
  Client bob = server.client();
  server.run("ZADD", "z", 1, "a");
  bob.begin("BZPOPMIN", "to", 0);
  EXPECT_EQ(server.run("SET", "to", "text"), "+OK\r\n");
  EXPECT_EQ(bob.take(), "") << "a text does not serve";
  EXPECT_EQ(server.run("ZUNIONSTORE", "to", 1, "z"), ":1\r\n");
  EXPECT_EQ(bob.take(), bulks("to", "a", 1));
  bob.begin("BZPOPMIN", "to", 0);
  server.run("ZRANGESTORE", "to", "z", 0, -1);
  EXPECT_EQ(bob.take(), bulks("to", "a", 1));
  bob.begin("BZPOPMIN", "to", 0);
  server.run("COPY", "z", "to");
  EXPECT_EQ(bob.take(), bulks("to", "a", 1));
}

TEST(Bzpop, DoesNotWaitInsideOfMultiAndScripts) {
  Server server;
  server.run("MULTI");
  server.run("BZPOPMIN", "z", 0);
  server.run("BZMPOP", 0, 1, "z", "MIN");
  EXPECT_EQ(server.run("EXEC"), "*2\r\n*-1\r\n*-1\r\n");
  EXPECT_EQ(server.run("EVAL", "return redis.call('BZMPOP', 0, 1, 'z', 'MIN')", 0), "$-1\r\n");
  server.run("ZADD", "z", 1, "a");
  server.run("MULTI");
  server.run("BZPOPMIN", "z", 0);
  EXPECT_EQ(server.run("EXEC"), "*1\r\n" + bulks("z", "a", 1));
}

TEST(Bzpop, IsServedByAScript) {
  Server server;
  Client bob = server.client();
  bob.begin("BZPOPMIN", "z", 0);
  EXPECT_EQ(server.run("EVAL", "return redis.call('ZADD', KEYS[1], 1, 'a', 2, 'b')", 1, "z"),
            ":2\r\n");
  EXPECT_EQ(bob.take(), bulks("z", "a", 1));
}

TEST(Bzpop, CanBeUnblocked) {
  Server server;
  Client bob = server.client();
  const std::string id = std::to_string(static_cast<std::uint64_t>(bob.id()));
  bob.begin("BZPOPMIN", "z", 0);
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id), ":1\r\n");
  EXPECT_EQ(bob.take(), kNothing);
  bob.begin("BZPOPMIN", "z", 0);
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id, "ERROR"), ":1\r\n");
  EXPECT_EQ(bob.take(), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
}

}  // namespace
}  // namespace fencepost::tests
