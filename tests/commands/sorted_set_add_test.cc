// ZADD, ZINCRBY, ZREM and what is known of one member. What redis-server 7.0.15 sent, to the byte.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/bulks.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kNull = "$-1\r\n";
constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kNotAFloat = "-ERR value is not a valid float\r\n";
constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

std::string all(Server& server, std::string_view key) {
  return server.run("ZRANGE", key, 0, -1, "WITHSCORES");
}

TEST(Zadd, CountsTheNewOnes) {
  Server server;
  EXPECT_EQ(server.run("ZADD", "z", 1, "a", 2, "b"), ":2\r\n");
  EXPECT_EQ(server.run("ZADD", "z", 3, "b", 2, "c"), ":1\r\n");
  EXPECT_EQ(all(server, "z"), bulks("a", 1, "c", 2, "b", 3));
  EXPECT_EQ(server.run("TYPE", "z"), "+zset\r\n");
  EXPECT_EQ(server.run("ZCARD", "z"), ":3\r\n");
  EXPECT_EQ(server.run("ZCARD", "nothing"), ":0\r\n");
}

TEST(Zadd, TheLastOfOneNameCounts) {
  Server server;
  EXPECT_EQ(server.run("ZADD", "z", 1, "a", 2, "a", 3, "a"), ":1\r\n");
  EXPECT_EQ(all(server, "z"), bulks("a", 3));
}

TEST(Zadd, NxLeavesAloneWhatIsThereAndXxWhatIsNot) {
  Server server;
  EXPECT_EQ(server.run("ZADD", "z", "XX", 1, "a"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "z"), ":0\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "nx", 1, "a"), ":1\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "NX", 5, "a", 2, "b"), ":1\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "Xx", 7, "b", 9, "c"), ":0\r\n");
  EXPECT_EQ(all(server, "z"), bulks("a", 1, "b", 7));
}

TEST(Zadd, GtAndLtOnlyGoOneWayButAdd) {
  Server server;
  server.run("ZADD", "z", 5, "a");
  EXPECT_EQ(server.run("ZADD", "z", "GT", "CH", 4, "a", 1, "b"), ":1\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "GT", "CH", 5, "a"), ":0\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "GT", "CH", 6, "a"), ":1\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "LT", "CH", 7, "a"), ":0\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "LT", "XX", "CH", 2, "a", 0, "c"), ":1\r\n");
  EXPECT_EQ(all(server, "z"), bulks("b", 1, "a", 2));
}

TEST(Zadd, ChCountsWhatHasAnotherScoreToo) {
  Server server;
  server.run("ZADD", "z", 1, "a", 2, "b");
  EXPECT_EQ(server.run("ZADD", "z", "CH", 1, "a", 3, "b", 4, "c"), ":2\r\n");
}

TEST(Zadd, IncrAnswersTheScore) {
  Server server;
  EXPECT_EQ(server.run("ZADD", "z", "INCR", "1.5", "a"), bulk("1.5"));
  EXPECT_EQ(server.run("ZADD", "z", "INCR", "-3", "a"), bulk("-1.5"));
  EXPECT_EQ(server.run("ZADD", "z", "NX", "INCR", "1", "a"), kNull);
  EXPECT_EQ(server.run("ZADD", "z", "XX", "INCR", "1", "b"), kNull);
  EXPECT_EQ(server.run("ZADD", "z", "GT", "INCR", "-1", "a"), kNull);
  EXPECT_EQ(server.run("ZADD", "nothing", "XX", "INCR", "1", "a"), kNull);
  EXPECT_EQ(server.client(Protocol::resp3).run("ZADD", "z", "INCR", "1", "a"), ",-0.5\r\n");
}

TEST(Zadd, RefusesWhatMakesNoSense) {
  Server server;
  constexpr std::string_view kOneWay =
      "-ERR GT, LT, and/or NX options at the same time are not compatible\r\n";
  EXPECT_EQ(server.run("ZADD", "z", 1), "-ERR wrong number of arguments for 'zadd' command\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "NX", "XX"), kSyntaxError);
  EXPECT_EQ(server.run("ZADD", "z", 1, "a", 2), kSyntaxError);
  EXPECT_EQ(server.run("ZADD", "z", "NX", "XX", 1, "a"),
            "-ERR XX and NX options at the same time are not compatible\r\n");
  EXPECT_EQ(server.run("ZADD", "z", "GT", "LT", 1, "a"), kOneWay);
  EXPECT_EQ(server.run("ZADD", "z", "NX", "LT", 1, "a"), kOneWay);
  EXPECT_EQ(server.run("ZADD", "z", "GT", "NX", "CH", 1, "a"), kOneWay);
  EXPECT_EQ(server.run("ZADD", "z", "INCR", 1, "a", 2, "b"),
            "-ERR INCR option supports a single increment-element pair\r\n");
  for (const std::string_view score : {"x", "", "nan", " 1", "1 ", "1e400", "NX", "1,5"}) {
    EXPECT_EQ(server.run("ZADD", "z", 1, "a", score, "b"), kNotAFloat) << score;
  }
  EXPECT_EQ(server.run("EXISTS", "z"), ":0\r\n") << "a refused command changes nothing";
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("ZADD", "text", 1, "a"), kWrongType);
  EXPECT_EQ(server.run("ZADD", "text", "x", "a"), kNotAFloat) << "the words are looked at first";
  EXPECT_TRUE(server.run("ZADD", std::string(65 * 1024, 'k'), 1, "a").starts_with("-ERR key is"));
}

TEST(Zadd, ScoresAreDoubles) {
  Server server;
  server.run("ZADD", "z", "inf", "top", "-Infinity", "bottom", "0x1p3", "eight", "+.5", "half");
  EXPECT_EQ(all(server, "z"), bulks("bottom", "-inf", "half", "0.5", "eight", 8, "top", "inf"));
  server.run("ZADD", "z", "0.1", "eight", "1e17", "half", "12345678901234567", "top", "1e-300",
             "bottom");
  EXPECT_EQ(all(server, "z"), bulks("bottom", "1e-300", "eight", "0.10000000000000001", "top",
                                    "12345678901234568", "half", "1e+17"));
}

// A small one keeps whole numbers as such, and those have no -0.
TEST(Zadd, ZeroHasASignInALargeOne) {
  Server server;
  EXPECT_EQ(server.run("ZADD", "z", "INCR", "-0", "a"), bulk("-0"));
  EXPECT_EQ(server.run("ZSCORE", "z", "a"), bulk("0"));
  server.run("ZADD", "z", "1", std::string(65, 'x'));
  server.run("ZADD", "z", "-0", "b");
  EXPECT_EQ(server.run("ZSCORE", "z", "b"), bulk("-0"));
  EXPECT_EQ(server.run("ZADD", "z", "CH", "0", "b"), ":0\r\n") << "it is the same score";
}

TEST(Zincrby, AddsToAScore) {
  Server server;
  EXPECT_EQ(server.run("ZINCRBY", "z", "2.5", "a"), bulk("2.5"));
  EXPECT_EQ(server.run("ZINCRBY", "z", "-1", "a"), bulk("1.5"));
  EXPECT_EQ(server.run("ZINCRBY", "z", "inf", "a"), bulk("inf"));
  EXPECT_EQ(server.run("ZINCRBY", "z", "-inf", "a"),
            "-ERR resulting score is not a number (NaN)\r\n");
  EXPECT_EQ(server.run("ZSCORE", "z", "a"), bulk("inf"));
  EXPECT_EQ(server.run("ZINCRBY", "z", "x", "a"), kNotAFloat);
  EXPECT_EQ(server.client(Protocol::resp3).run("ZINCRBY", "z", "1", "a"), ",inf\r\n");
}

TEST(Zrem, CountsWhatWasThereAndEndsAnEmptyKey) {
  Server server;
  server.run("ZADD", "z", 1, "a", 2, "b", 3, "c");
  EXPECT_EQ(server.run("ZREM", "z", "b", "x", "b"), ":1\r\n");
  EXPECT_EQ(server.run("ZREM", "z", "a", "c", "a"), ":2\r\n");
  EXPECT_EQ(server.run("EXISTS", "z"), ":0\r\n");
  EXPECT_EQ(server.run("ZREM", "z", "a"), ":0\r\n");
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("ZREM", "text", "a"), kWrongType);
}

TEST(Zscore, AnswersNullForNoMember) {
  Server server;
  Client modern = server.client(Protocol::resp3);
  server.run("ZADD", "z", "1.5", "a");
  EXPECT_EQ(server.run("ZSCORE", "z", "a"), bulk("1.5"));
  EXPECT_EQ(server.run("ZSCORE", "z", "x"), kNull);
  EXPECT_EQ(server.run("ZSCORE", "nothing", "x"), kNull);
  EXPECT_EQ(server.run("ZMSCORE", "z", "x", "a"), "*2\r\n$-1\r\n" + bulk("1.5"));
  EXPECT_EQ(server.run("ZMSCORE", "nothing", "x", "a"), "*2\r\n$-1\r\n$-1\r\n");
  EXPECT_EQ(modern.run("ZSCORE", "z", "a"), ",1.5\r\n");
  EXPECT_EQ(modern.run("ZMSCORE", "z", "x", "a"), "*2\r\n_\r\n,1.5\r\n");
  server.run("SET", "text", "v");
  for (const std::string_view command : {"ZSCORE", "ZMSCORE", "ZRANK", "ZREVRANK"}) {
    EXPECT_EQ(server.run(command, "text", "a"), kWrongType) << command;
  }
  EXPECT_EQ(server.run("ZCARD", "text"), kWrongType);
}

TEST(Zrank, CountsFromEitherEnd) {
  Server server;
  server.run("ZADD", "z", 1, "a", 1, "b", 0, "c");
  EXPECT_EQ(server.run("ZRANK", "z", "c"), ":0\r\n");
  EXPECT_EQ(server.run("ZRANK", "z", "b"), ":2\r\n");
  EXPECT_EQ(server.run("ZREVRANK", "z", "b"), ":0\r\n");
  EXPECT_EQ(server.run("ZREVRANK", "z", "c"), ":2\r\n");
  EXPECT_EQ(server.run("ZRANK", "z", "x"), kNull);
  EXPECT_EQ(server.run("ZREVRANK", "nothing", "x"), kNull);
  EXPECT_EQ(server.run("ZRANK", "z", "a", "WITHSCORE"),
            "-ERR wrong number of arguments for 'zrank' command\r\n");
}

TEST(SortedSets, AreKeptByTheirSize) {
  Server server;
  const auto encoding = [&server] { return server.run("OBJECT", "ENCODING", "z"); };
  server.run("CONFIG", "SET", "zset-max-listpack-entries", 2, "zset-max-ziplist-value", 3);
  EXPECT_EQ(server.run("CONFIG", "GET", "zset-max-listpack-value"),
            bulks("zset-max-listpack-value", 3));
  EXPECT_EQ(server.run("CONFIG", "GET", "zset-max-ziplist-entries"),
            bulks("zset-max-ziplist-entries", 2));
  server.run("ZADD", "z", 1, "a", 2, "abc");
  EXPECT_EQ(encoding(), bulk("listpack"));
  server.run("ZADD", "z", 1, "b");
  EXPECT_EQ(encoding(), bulk("skiplist"));
  server.run("ZREM", "z", "b");
  EXPECT_EQ(encoding(), bulk("skiplist"));
  server.run("DEL", "z");
  server.run("ZADD", "z", 1, "abcd");
  EXPECT_EQ(encoding(), bulk("skiplist"));
  server.run("DEL", "z");
  server.run("CONFIG", "SET", "zset-max-listpack-entries", 0);
  server.run("ZADD", "z", 1, "a");
  EXPECT_EQ(encoding(), bulk("skiplist"));
}

TEST(SortedSets, AreCopiedAndMovedLikeAnyKey) {
  Server server;
  server.run("ZADD", "z", 1, "a", 2, "b");
  EXPECT_EQ(server.run("COPY", "z", "y"), ":1\r\n");
  server.run("ZADD", "z", 3, "a");
  EXPECT_EQ(all(server, "y"), bulks("a", 1, "b", 2));
  EXPECT_EQ(server.run("RENAME", "z", "y"), "+OK\r\n");
  EXPECT_EQ(all(server, "y"), bulks("b", 2, "a", 3));
  EXPECT_EQ(server.run("EXPIRE", "y", 1), ":1\r\n");
  server.pass(1001);
  EXPECT_EQ(server.run("ZCARD", "y"), ":0\r\n");
}

TEST(SortedSets, DrawAFenceWhenTheyComeIntoBeing) {
  Server server;
  EXPECT_EQ(server.run("FENCE", "z"), ":0\r\n");
  server.run("ZADD", "z", 1, "a");
  EXPECT_EQ(server.run("FENCE", "z"), ":1\r\n");
  server.run("ZADD", "z", 2, "b");
  EXPECT_EQ(server.run("FENCE", "z"), ":1\r\n");
  server.run("ZREM", "z", "a", "b");
  server.run("ZADD", "z", 1, "a");
  EXPECT_EQ(server.run("FENCE", "z"), ":2\r\n");
}

TEST(SortedSets, AreWatched) {
  Server server;
  Client bob = server.client();
  const auto exec_after = [&server, &bob](auto... words) {
    server.run("WATCH", "z");
    bob.run(words...);
    server.run("MULTI");
    server.run("PING");
    return server.run("EXEC");
  };
  const std::string ran = "*1\r\n+PONG\r\n";
  EXPECT_EQ(exec_after("ZADD", "z", 1, "a"), "*-1\r\n");
  EXPECT_EQ(exec_after("ZADD", "z", 1, "a"), ran) << "nothing changed";
  EXPECT_EQ(exec_after("ZADD", "z", "NX", 2, "a"), ran);
  EXPECT_EQ(exec_after("ZINCRBY", "z", 0, "a"), ran);
  EXPECT_EQ(exec_after("ZADD", "z", 2, "a"), "*-1\r\n");
  EXPECT_EQ(exec_after("ZREM", "z", "x"), ran);
  EXPECT_EQ(exec_after("ZPOPMIN", "z", 0), ran);
  EXPECT_EQ(exec_after("ZREM", "z", "a"), "*-1\r\n");
}

}  // namespace
}  // namespace fencepost::tests
