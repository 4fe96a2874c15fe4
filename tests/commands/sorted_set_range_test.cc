// ZRANGE and its kin, ZCOUNT, ZREMRANGEBYSCORE. What redis-server 7.0.15 sent, to the byte.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/bulks.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kNotAnInteger = "-ERR value is not an integer or out of range\r\n";
constexpr std::string_view kNotAScore = "-ERR min or max is not a float\r\n";
constexpr std::string_view kNotALexEnd = "-ERR min or max not valid string range item\r\n";
constexpr std::string_view kEmpty = "*0\r\n";
constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

// a:1 b:2 c:3 d:4, and names: a b c d e, all of one score.
class Ranges : public testing::Test {
 protected:
  Ranges() {
    server.run("ZADD", "z", 1, "a", 2, "b", 3, "c", 4, "d");
    server.run("ZADD", "names", 0, "a", 0, "b", 0, "c", 0, "d", 0, "e");
    server.run("SET", "text", "v");
  }
  Server server;
};

TEST_F(Ranges, ByRankFromEitherEnd) {
  EXPECT_EQ(server.run("ZRANGE", "z", 0, -1), bulks("a", "b", "c", "d"));
  EXPECT_EQ(server.run("ZRANGE", "z", 1, 2), bulks("b", "c"));
  EXPECT_EQ(server.run("ZRANGE", "z", -2, -1), bulks("c", "d"));
  EXPECT_EQ(server.run("ZRANGE", "z", -100, 0), bulks("a"));
  EXPECT_EQ(server.run("ZRANGE", "z", 3, 100), bulks("d"));
  EXPECT_EQ(server.run("ZRANGE", "z", 4, 100), kEmpty);
  EXPECT_EQ(server.run("ZRANGE", "z", 2, 1), kEmpty);
  EXPECT_EQ(server.run("ZRANGE", "z", 0, -5), kEmpty);
  EXPECT_EQ(server.run("ZRANGE", "nothing", 0, -1), kEmpty);
  EXPECT_EQ(server.run("ZREVRANGE", "z", 0, 1), bulks("d", "c"));
  EXPECT_EQ(server.run("ZRANGE", "z", 0, 1, "REV"), bulks("d", "c"));
  EXPECT_EQ(server.run("ZREVRANGE", "z", -1, -1, "withscores"), bulks("a", 1));
}

TEST_F(Ranges, ScoresComeInPairsInResp3) {
  Client modern = server.client(Protocol::resp3);
  EXPECT_EQ(modern.run("ZRANGE", "z", 0, 1, "WITHSCORES"),
            "*2\r\n*2\r\n$1\r\na\r\n,1\r\n*2\r\n$1\r\nb\r\n,2\r\n");
  EXPECT_EQ(modern.run("ZRANGE", "z", 0, 0), bulks("a"));
  EXPECT_EQ(modern.run("ZRANGE", "nothing", 0, 0, "WITHSCORES"), kEmpty);
}

TEST_F(Ranges, ByScore) {
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", 2, 3), bulks("b", "c"));
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "(2", "3"), bulks("c"));
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "(2", "(3"), kEmpty);
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "(2", "(2"), kEmpty);
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", 3, 2), kEmpty);
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "-inf", "+inf", "LIMIT", 1, 2), bulks("b", "c"));
  EXPECT_EQ(server.run("ZREVRANGEBYSCORE", "z", "+inf", "-inf", "LIMIT", 1, 2, "WITHSCORES"),
            bulks("c", 3, "b", 2));
  EXPECT_EQ(server.run("ZREVRANGEBYSCORE", "z", 3, "(1"), bulks("c", "b"));
  EXPECT_EQ(server.run("ZRANGE", "z", "(1", 3, "BYSCORE"), bulks("b", "c"));
  EXPECT_EQ(server.run("ZRANGE", "z", 3, "(1", "REV", "BYSCORE", "WITHSCORES"),
            bulks("c", 3, "b", 2));
}

// strtod reads the ends, and takes what Redis takes.
TEST_F(Ranges, EndsOfScoresAreReadLeniently) {
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "", " 1"), bulks("a"));
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "(", "0x2"), bulks("a", "b"));
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "4", "1e999"), bulks("d"));
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "4", std::string{"4\0x", 3}), bulks("d"));
  for (const std::string_view bad : {"x", "nan", "(nan", "1 ", "((1", "[1", "1x"}) {
    EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", bad, 1), kNotAScore) << bad;
    EXPECT_EQ(server.run("ZCOUNT", "z", 1, bad), kNotAScore) << bad;
    EXPECT_EQ(server.run("ZREMRANGEBYSCORE", "z", 1, bad), kNotAScore) << bad;
  }
}

TEST_F(Ranges, LimitsLeaveOutFromTheFront) {
  const auto limited = [this](int offset, int count) {
    return server.run("ZRANGEBYSCORE", "z", 0, 3, "LIMIT", offset, count);
  };
  EXPECT_EQ(limited(0, 0), kEmpty);
  EXPECT_EQ(limited(0, -1), bulks("a", "b", "c"));
  EXPECT_EQ(limited(2, -5), bulks("c"));
  EXPECT_EQ(limited(2, 9), bulks("c"));
  EXPECT_EQ(limited(3, 9), kEmpty);
  EXPECT_EQ(limited(4, 9), kEmpty);
  EXPECT_EQ(limited(-1, 9), kEmpty);
}

TEST_F(Ranges, ByName) {
  EXPECT_EQ(server.run("ZRANGEBYLEX", "names", "-", "+"), bulks("a", "b", "c", "d", "e"));
  EXPECT_EQ(server.run("ZRANGEBYLEX", "names", "[b", "(d"), bulks("b", "c"));
  EXPECT_EQ(server.run("ZRANGEBYLEX", "names", "(b", "[bb"), kEmpty);
  EXPECT_EQ(server.run("ZRANGEBYLEX", "names", "[", "[a"), bulks("a"));
  EXPECT_EQ(server.run("ZRANGEBYLEX", "names", "+", "-"), kEmpty);
  EXPECT_EQ(server.run("ZRANGEBYLEX", "names", "-", "-"), kEmpty);
  EXPECT_EQ(server.run("ZREVRANGEBYLEX", "names", "+", "(c", "LIMIT", 1, 1), bulks("d"));
  EXPECT_EQ(server.run("ZRANGE", "names", "(c", "-", "BYLEX", "REV"), bulks("b", "a"));
  EXPECT_EQ(server.run("ZLEXCOUNT", "names", "(a", "[d"), ":3\r\n");
  EXPECT_EQ(server.run("ZLEXCOUNT", "names", "+", "-"), ":0\r\n");
  EXPECT_EQ(server.run("ZLEXCOUNT", "nothing", "-", "+"), ":0\r\n");
  for (const std::string_view bad : {"", "a", "+a", "-a", "1", "]a"}) {
    EXPECT_EQ(server.run("ZRANGEBYLEX", "names", bad, "+"), kNotALexEnd) << bad;
    EXPECT_EQ(server.run("ZLEXCOUNT", "names", "-", bad), kNotALexEnd) << bad;
    EXPECT_EQ(server.run("ZREMRANGEBYLEX", "names", "-", bad), kNotALexEnd) << bad;
  }
}

TEST_F(Ranges, AreTheSameForLargeOnes) {
  server.run("ZADD", "z", "2.5", std::string(100, 'x'));
  server.run("ZREM", "z", std::string(100, 'x'));
  server.run("ZADD", "names", 0, std::string(100, 'x'));
  server.run("ZREM", "names", std::string(100, 'x'));
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "z"), bulk("skiplist"));
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", "(1", "(4", "LIMIT", 1, 5), bulks("c"));
  EXPECT_EQ(server.run("ZREVRANGEBYSCORE", "z", "(4", "(1"), bulks("c", "b"));
  EXPECT_EQ(server.run("ZCOUNT", "z", "(1", "inf"), ":3\r\n");
  EXPECT_EQ(server.run("ZRANGEBYLEX", "names", "(a", "(d"), bulks("b", "c"));
  EXPECT_EQ(server.run("ZREVRANGEBYLEX", "names", "(d", "-"), bulks("c", "b", "a"));
  EXPECT_EQ(server.run("ZLEXCOUNT", "names", "[b", "[b"), ":1\r\n");
}

TEST_F(Ranges, RefuseOptionsThatDoNotBelong) {
  const std::string_view no_limit =
      "-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX\r\n";
  const std::string_view no_scores =
      "-ERR syntax error, WITHSCORES not supported in combination with BYLEX\r\n";
  EXPECT_EQ(server.run("ZRANGE", "z", 0, -1, "LIMIT", 0, 1), no_limit);
  EXPECT_EQ(server.run("ZRANGE", "z", 0, 0, "LIMIT", 0, -1), bulks("a")) << "that is none";
  EXPECT_EQ(server.run("ZRANGE", "z", "-", "+", "BYLEX", "WITHSCORES"), no_scores);
  EXPECT_EQ(server.run("ZRANGEBYLEX", "z", "-", "+", "WITHSCORES"), no_scores);
  EXPECT_EQ(server.run("ZRANGE", "z", 0, 1, "BYSCORE", "BYLEX"), kSyntaxError);
  EXPECT_EQ(server.run("ZRANGE", "z", 0, 1, "REV", "REV"), kSyntaxError);
  EXPECT_EQ(server.run("ZRANGE", "z", 0, 1, "nothing"), kSyntaxError);
  EXPECT_EQ(server.run("ZREVRANGE", "z", 0, 1, "REV"), kSyntaxError);
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", 0, 1, "BYSCORE"), kSyntaxError);
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", 0, 1, "LIMIT", 0), kSyntaxError);
  EXPECT_EQ(server.run("ZRANGEBYSCORE", "z", 0, 1, "LIMIT", "x", 1), kNotAnInteger);
  EXPECT_EQ(server.run("ZRANGE", "z", "x", 1), kNotAnInteger);
  EXPECT_EQ(server.run("ZRANGE", "text", 0, 1), kWrongType);
  EXPECT_EQ(server.run("ZCOUNT", "text", 0, 1), kWrongType);
}

TEST_F(Ranges, AreCounted) {
  EXPECT_EQ(server.run("ZCOUNT", "z", "-inf", "inf"), ":4\r\n");
  EXPECT_EQ(server.run("ZCOUNT", "z", "(1", 3), ":2\r\n");
  EXPECT_EQ(server.run("ZCOUNT", "z", 5, 9), ":0\r\n");
  EXPECT_EQ(server.run("ZCOUNT", "nothing", 0, 1), ":0\r\n");
}

TEST_F(Ranges, AreStored) {
  EXPECT_EQ(server.run("ZRANGESTORE", "to", "z", 1, 2), ":2\r\n");
  EXPECT_EQ(server.run("ZRANGE", "to", 0, -1, "WITHSCORES"), bulks("b", 2, "c", 3));
  EXPECT_EQ(server.run("ZRANGESTORE", "to", "z", 4, "(2", "BYSCORE", "REV", "LIMIT", 0, 1),
            ":1\r\n");
  EXPECT_EQ(server.run("ZRANGE", "to", 0, -1), bulks("d"));
  EXPECT_EQ(server.run("ZRANGESTORE", "text", "names", "[d", "+", "BYLEX"), ":2\r\n");
  EXPECT_EQ(server.run("ZRANGE", "text", 0, -1), bulks("d", "e"));
  EXPECT_EQ(server.run("ZRANGESTORE", "z", "z", 0, 0), ":1\r\n");
  EXPECT_EQ(server.run("ZRANGE", "z", 0, -1), bulks("a"));
  EXPECT_EQ(server.run("ZRANGESTORE", "to", "nothing", 0, -1), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "to"), ":0\r\n");
  EXPECT_EQ(server.run("ZRANGESTORE", "to", "z", 0, -1, "WITHSCORES"), kSyntaxError);
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("ZRANGESTORE", "z", "text", 0, -1), kWrongType);
  EXPECT_EQ(server.run("ZCARD", "z"), ":1\r\n");
}

TEST_F(Ranges, StoringEndsTheLeaseOfWhatWasThere) {
  server.run("SET", "to", "v", "EX", 10);
  server.run("ZRANGESTORE", "to", "z", 0, -1);
  EXPECT_EQ(server.run("TTL", "to"), ":-1\r\n");
  EXPECT_EQ(server.run("FENCE", "to"), ":2\r\n");
}

TEST_F(Ranges, AreRemoved) {
  EXPECT_EQ(server.run("ZREMRANGEBYRANK", "z", 1, 1), ":1\r\n");
  EXPECT_EQ(server.run("ZREMRANGEBYRANK", "z", 3, 9), ":0\r\n");
  EXPECT_EQ(server.run("ZREMRANGEBYRANK", "z", "x", 9), kNotAnInteger);
  EXPECT_EQ(server.run("ZREMRANGEBYSCORE", "z", "(1", "(4"), ":1\r\n");
  EXPECT_EQ(server.run("ZRANGE", "z", 0, -1), bulks("a", "d"));
  EXPECT_EQ(server.run("ZREMRANGEBYSCORE", "z", "-inf", "inf"), ":2\r\n");
  EXPECT_EQ(server.run("EXISTS", "z"), ":0\r\n");
  EXPECT_EQ(server.run("ZREMRANGEBYLEX", "names", "[b", "(e"), ":3\r\n");
  EXPECT_EQ(server.run("ZRANGE", "names", 0, -1), bulks("a", "e"));
  EXPECT_EQ(server.run("ZREMRANGEBYLEX", "nothing", "-", "+"), ":0\r\n");
  EXPECT_EQ(server.run("ZREMRANGEBYRANK", "text", 0, -1), kWrongType);
}

}  // namespace
}  // namespace fencepost::tests
