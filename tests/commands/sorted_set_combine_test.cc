// ZUNION, ZINTER, ZDIFF and their kin; ZRANDMEMBER and ZSCAN. What redis-server 7.0.15 sent.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/bulks.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kEmpty = "*0\r\n";
constexpr std::string_view kNotAnInteger = "-ERR value is not an integer or out of range\r\n";
constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

class Combinations : public testing::Test {
 protected:
  Combinations() {
    server.run("ZADD", "x", 1, "a", 2, "b", 3, "c");
    server.run("ZADD", "y", 10, "b", 20, "c", 30, "d");
    server.run("SET", "text", "v");
  }
  Server server;
};

// Whose members all have the score 1.
TEST_F(Combinations, TakeSetsToo) {
  server.run("SADD", "texts", "b", "z");
  server.run("SADD", "numbers", 10, 9);
  EXPECT_EQ(server.run("ZUNION", 3, "x", "texts", "numbers", "WEIGHTS", 1, 2, 5, "WITHSCORES"),
            bulks("a", 1, "z", 2, "c", 3, "b", 4, "10", 5, "9", 5));
  EXPECT_EQ(server.run("ZINTER", 2, "texts", "x", "WITHSCORES"), bulks("b", 3));
  EXPECT_EQ(server.run("ZDIFF", 2, "texts", "x", "WITHSCORES"), bulks("z", 1));
  EXPECT_EQ(server.run("ZINTERCARD", 2, "x", "texts"), ":1\r\n");
  server.run("ZADD", "ten", 1, "10");
  EXPECT_EQ(server.run("ZINTERSTORE", "made", 2, "numbers", "ten"), ":1\r\n");
  EXPECT_EQ(server.run("ZRANGE", "made", 0, -1, "WITHSCORES"), bulks("10", 2));
}

TEST_F(Combinations, AddUpScores) {
  EXPECT_EQ(server.run("ZUNION", 2, "x", "y", "WITHSCORES"),
            bulks("a", 1, "b", 12, "c", 23, "d", 30));
  EXPECT_EQ(server.run("ZINTER", 2, "x", "y", "WITHSCORES"), bulks("b", 12, "c", 23));
  EXPECT_EQ(server.run("ZDIFF", 2, "x", "y", "WITHSCORES"), bulks("a", 1));
  EXPECT_EQ(server.run("ZUNION", 1, "x"), bulks("a", "b", "c"));
  EXPECT_EQ(server.run("ZINTER", 2, "x", "nothing"), kEmpty);
  EXPECT_EQ(server.run("ZDIFF", 2, "nothing", "x"), kEmpty);
  EXPECT_EQ(server.run("ZDIFF", 2, "x", "x"), kEmpty);
  EXPECT_EQ(server.run("ZUNION", 2, "x", "x", "WITHSCORES"), bulks("a", 2, "b", 4, "c", 6));
  EXPECT_EQ(server.client(Protocol::resp3).run("ZDIFF", 2, "x", "y", "WITHSCORES"),
            "*1\r\n*2\r\n$1\r\na\r\n,1\r\n");
}

TEST_F(Combinations, WeighAndAggregate) {
  EXPECT_EQ(server.run("ZUNION", 2, "x", "y", "WEIGHTS", 2, "0.5", "WITHSCORES"),
            bulks("a", 2, "b", 9, "d", 15, "c", 16));
  EXPECT_EQ(server.run("ZUNION", 2, "x", "y", "AGGREGATE", "min", "WITHSCORES"),
            bulks("a", 1, "b", 2, "c", 3, "d", 30));
  EXPECT_EQ(server.run("ZINTER", 2, "x", "y", "aggregate", "MAX", "weights", -1, 1, "WITHSCORES"),
            bulks("b", 10, "c", 20));
}

TEST_F(Combinations, InfinityMakesNoNan) {
  server.run("ZADD", "inf", "inf", "a", "-inf", "b");
  server.run("ZADD", "fni", "-inf", "a", "inf", "b");
  EXPECT_EQ(server.run("ZUNION", 2, "inf", "fni", "WITHSCORES"), bulks("a", 0, "b", 0));
  EXPECT_EQ(server.run("ZINTER", 2, "inf", "fni", "WITHSCORES"), bulks("a", 0, "b", 0));
  EXPECT_EQ(server.run("ZUNION", 1, "inf", "WEIGHTS", 0, "WITHSCORES"), bulks("a", 0, "b", 0));
  EXPECT_EQ(server.run("ZUNION", 1, "x", "WEIGHTS", "-0", "WITHSCORES"),
            bulks("a", "-0", "b", "-0", "c", "-0"));
}

// The smallest is first in the sum, whatever order the keys are named in: else it would be 1.
TEST_F(Combinations, AddUpFromTheSmallestOn) {
  server.run("ZADD", "one", 1, "a");
  server.run("ZADD", "two", "1e16", "a", 0, "b");
  server.run("ZADD", "three", "-1e16", "a", 0, "b", 0, "c");
  EXPECT_EQ(server.run("ZINTER", 3, "one", "two", "three", "WITHSCORES"), bulks("a", 0));
  EXPECT_EQ(server.run("ZINTER", 3, "three", "two", "one", "WITHSCORES"), bulks("a", 0));
  EXPECT_EQ(server.run("ZUNION", 3, "three", "two", "one", "WITHSCORES"),
            bulks("a", 0, "b", 0, "c", 0));
}

TEST_F(Combinations, AreStored) {
  EXPECT_EQ(server.run("ZUNIONSTORE", "to", 2, "x", "y", "WEIGHTS", 1, 0), ":4\r\n");
  EXPECT_EQ(server.run("ZRANGE", "to", 0, -1, "WITHSCORES"), bulks("d", 0, "a", 1, "b", 2, "c", 3));
  EXPECT_EQ(server.run("ZINTERSTORE", "x", 2, "x", "y"), ":2\r\n");
  EXPECT_EQ(server.run("ZRANGE", "x", 0, -1, "WITHSCORES"), bulks("b", 12, "c", 23));
  EXPECT_EQ(server.run("ZDIFFSTORE", "text", 2, "y", "x"), ":1\r\n");
  EXPECT_EQ(server.run("ZRANGE", "text", 0, -1, "WITHSCORES"), bulks("d", 30));
  EXPECT_EQ(server.run("ZDIFFSTORE", "text", 2, "x", "x"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "text"), ":0\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "to"), bulk("listpack"));
  server.run("CONFIG", "SET", "zset-max-listpack-entries", 3);
  server.run("ZUNIONSTORE", "to", 1, "to");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "to"), bulk("skiplist"));
}

TEST_F(Combinations, AreCounted) {
  EXPECT_EQ(server.run("ZINTERCARD", 2, "x", "y"), ":2\r\n");
  EXPECT_EQ(server.run("ZINTERCARD", 2, "x", "y", "LIMIT", 1), ":1\r\n");
  EXPECT_EQ(server.run("ZINTERCARD", 2, "x", "y", "LIMIT", 0), ":2\r\n");
  EXPECT_EQ(server.run("ZINTERCARD", 2, "x", "nothing"), ":0\r\n");
  EXPECT_EQ(server.run("ZINTERCARD", 1, "x", "LIMIT", -1), "-ERR LIMIT can't be negative\r\n");
  EXPECT_EQ(server.run("ZINTERCARD", 1, "x", "LIMIT", "x"), "-ERR LIMIT can't be negative\r\n");
  EXPECT_EQ(server.run("ZINTERCARD", 1, "x", "WEIGHTS", 1), kSyntaxError);
  EXPECT_EQ(server.run("ZINTERCARD", 0, "x"),
            "-ERR at least 1 input key is needed for 'zintercard' command\r\n");
}

TEST_F(Combinations, RefuseWhatMakesNoSense) {
  EXPECT_EQ(server.run("ZUNION", "x", "x"), kNotAnInteger);
  EXPECT_EQ(server.run("zUnion", 0, "x"),
            "-ERR at least 1 input key is needed for 'zunion' command\r\n");
  EXPECT_EQ(server.run("ZUNIONSTORE", "to", -1, "x"),
            "-ERR at least 1 input key is needed for 'zunionstore' command\r\n");
  EXPECT_EQ(server.run("ZUNION", 2, "x"), kSyntaxError);
  EXPECT_EQ(server.run("ZUNION", 9223372036854775807, "x"), kSyntaxError);
  EXPECT_EQ(server.run("ZUNION", 1, "text"), kWrongType);
  EXPECT_EQ(server.run("ZUNION", 1, "text", "nonsense"), kWrongType) << "keys are looked at first";
  EXPECT_EQ(server.run("ZUNION", 1, "x", "nonsense"), kSyntaxError);
  EXPECT_EQ(server.run("ZUNION", 2, "x", "y", "WEIGHTS", 1), kSyntaxError);
  EXPECT_EQ(server.run("ZUNION", 1, "x", "WEIGHTS", "x"), "-ERR weight value is not a float\r\n");
  EXPECT_EQ(server.run("ZUNION", 1, "x", "AGGREGATE", "avg"), kSyntaxError);
  EXPECT_EQ(server.run("ZUNION", 1, "x", "AGGREGATE"), kSyntaxError);
  EXPECT_EQ(server.run("ZDIFF", 1, "x", "WEIGHTS", 1), kSyntaxError);
  EXPECT_EQ(server.run("ZUNIONSTORE", "to", 1, "x", "WITHSCORES"), kSyntaxError);
  EXPECT_EQ(server.run("EXISTS", "to"), ":0\r\n");
}

TEST_F(Combinations, KeysAreTold) {
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "ZUNIONSTORE", "to", 2, "x", "y", "WEIGHTS", 1, 2),
            bulks("to", "x", "y"));
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "ZINTER", 1, "x", "WITHSCORES"), bulks("x"));
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "ZUNIONSTORE", "to", 3, "x", "y"),
            "-ERR Invalid arguments specified for command\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYSANDFLAGS", "ZDIFFSTORE", "to", 2, "x", "y"),
            "*3\r\n*2\r\n$2\r\nto\r\n*2\r\n+OW\r\n+update\r\n"
            "*2\r\n$1\r\nx\r\n*2\r\n+RO\r\n+access\r\n*2\r\n$1\r\ny\r\n*2\r\n+RO\r\n+access\r\n");
}

TEST(Zrandmember, AnswersMembers) {
  Server server;
  server.run("ZADD", "z", 1, "a", 2, "b", 3, "c");
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(server.run("ZRANDMEMBER", "z"));
  EXPECT_EQ(seen, (std::set<std::string>{bulk("a"), bulk("b"), bulk("c")}));
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", 3), bulks("a", "b", "c"));
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", 100, "withscores"), bulks("a", 1, "b", 2, "c", 3));
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", 0), kEmpty);
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", -5).substr(0, 4), "*5\r\n");
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", -5, "WITHSCORES").substr(0, 5), "*10\r\n");
  EXPECT_EQ(server.run("ZRANDMEMBER", "nothing"), "$-1\r\n");
  EXPECT_EQ(server.run("ZRANDMEMBER", "nothing", 5), kEmpty);
  for (int i = 0; i < 20; ++i) {
    const std::string two = server.run("ZRANDMEMBER", "z", 2);
    EXPECT_EQ(two.substr(0, 4), "*2\r\n");
    EXPECT_NE(two.substr(4, 7), two.substr(11, 7)) << "they are different ones";
  }
}

TEST(Zrandmember, ShowsScoresInPairsInResp3) {
  Server server;
  Client modern = server.client(Protocol::resp3);
  server.run("ZADD", "z", 1, "a");
  EXPECT_EQ(modern.run("ZRANDMEMBER", "z", 2, "WITHSCORES"), "*1\r\n*2\r\n$1\r\na\r\n,1\r\n");
  EXPECT_EQ(modern.run("ZRANDMEMBER", "z", -1, "WITHSCORES"), "*1\r\n*2\r\n$1\r\na\r\n,1\r\n");
}

TEST(Zrandmember, RefusesWhatMakesNoSense) {
  Server server;
  server.run("ZADD", "z", 1, "a");
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", "x"), kNotAnInteger);
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", 1, "scores"), kSyntaxError);
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", 1, "WITHSCORES", 1), kSyntaxError);
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", "-9223372036854775808"),
            "-ERR value is out of range, value must between -9223372036854775807 and "
            "9223372036854775807\r\n");
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", "9223372036854775807", "WITHSCORES"),
            "-ERR value is out of range\r\n");
  EXPECT_EQ(server.run("ZRANDMEMBER", "z", "-4611686018427387903").substr(0, 4), "-ERR")
      << "no reply is as long as that";
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST(Zscan, ShowsASmallOneAtOnceAndInOrder) {
  Server server;
  server.run("ZADD", "z", 2, "a", 1, "b", "0.1", "c");
  EXPECT_EQ(server.run("ZSCAN", "z", 0, "COUNT", 1),
            "*2\r\n$1\r\n0\r\n" + bulks("c", "0.10000000000000001", "b", 1, "a", 2));
  EXPECT_EQ(server.run("ZSCAN", "z", 5, "MATCH", "[ab]"),
            "*2\r\n$1\r\n0\r\n" + bulks("b", 1, "a", 2));
  EXPECT_EQ(server.client(Protocol::resp3).run("ZSCAN", "z", 0, "MATCH", "a"),
            "*2\r\n$1\r\n0\r\n" + bulks("a", 2));
  server.run("ZADD", "w", "1e17", "a", "4611686018427387904", "b", "1e19", "c");
  EXPECT_EQ(server.run("ZSCAN", "w", 0),
            "*2\r\n$1\r\n0\r\n" +
                bulks("a", "100000000000000000", "b", "4611686018427387904", "c", "1e+19"));
  EXPECT_EQ(server.run("ZSCAN", "nothing", 0, "nonsense"), "*2\r\n$1\r\n0\r\n*0\r\n");
}

TEST(Zscan, GoesOnFromItsCursor) {
  Server server;
  std::set<std::string> all;
  for (int i = 0; i < 200; ++i) {
    all.insert(bulk("m" + std::to_string(i)) + bulk(std::to_string(i)));
    server.run("ZADD", "z", i, "m" + std::to_string(i));
  }
  std::set<std::string> seen;
  std::string cursor = "0";
  do {
    const std::string reply = server.run("ZSCAN", "z", cursor, "COUNT", 7);
    const std::size_t at = reply.find("\r\n", 4) + 2;
    cursor = reply.substr(at, reply.find("\r\n", at) - at);
    for (const std::string& each : all) {
      if (reply.find(each) != std::string::npos) seen.insert(each);
    }
    EXPECT_LT(reply.size(), 200U) << "about as much as was asked for";
  } while (cursor != "0");
  EXPECT_EQ(seen, all);
}

TEST(Zscan, RefusesWhatMakesNoSense) {
  Server server;
  server.run("ZADD", "z", 1, "a");
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("ZSCAN", "z", "x"), "-ERR invalid cursor\r\n");
  EXPECT_EQ(server.run("ZSCAN", "text", 0), kWrongType);
  EXPECT_EQ(server.run("ZSCAN", "z", 0, "COUNT", 0), kSyntaxError);
  EXPECT_EQ(server.run("ZSCAN", "z", 0, "COUNT", "x"), kNotAnInteger);
  EXPECT_EQ(server.run("ZSCAN", "z", 0, "TYPE", "zset"), kSyntaxError);
  EXPECT_EQ(server.run("ZSCAN", "z", 0, "MATCH"), kSyntaxError);
}

}  // namespace
}  // namespace fencepost::tests
