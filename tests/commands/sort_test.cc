// SORT and SORT_RO. What redis-server 7.0.15 sent, to the byte.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/bulks.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kNotNumbers =
    "-ERR One or more scores can't be converted into double\r\n";
constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

// A list 3 1 10 2 with weights and names, a set and a sorted set of the same.
class Sort : public testing::Test {
 protected:
  Sort() {
    server.run("RPUSH", "l", 3, 1, 10, 2);
    server.run("SADD", "s", 3, 1, 10, 2);
    server.run("ZADD", "z", 1, 3, 2, 1, 3, 10, 4, 2);
    server.run("MSET", "weight:1", 30, "weight:2", 20, "weight:3", 10, "name:1", "ann", "name:2",
               "bob");
    server.run("HSET", "h:1", "age", 7, "name", "zoe");
    server.run("HSET", "h:3", "age", 5);
    server.run("SET", "text", "v");
  }
  Server server;
};

TEST_F(Sort, ByNumbersOrByBytes) {
  for (const std::string_view key : {"l", "s", "z"}) {
    EXPECT_EQ(server.run("SORT", key), bulks(1, 2, 3, 10)) << key;
    EXPECT_EQ(server.run("SORT", key, "DESC"), bulks(10, 3, 2, 1)) << key;
    EXPECT_EQ(server.run("SORT", key, "ALPHA"), bulks(1, 10, 2, 3)) << key;
    EXPECT_EQ(server.run("SORT", key, "alpha", "desc", "ASC"), bulks(1, 10, 2, 3)) << key;
    EXPECT_EQ(server.run("SORT_RO", key, "LIMIT", 1, 2), bulks(2, 3)) << key;
  }
  EXPECT_EQ(server.run("SORT", "nothing"), "*0\r\n");
}

TEST_F(Sort, LimitsAreHeldWithinWhatThereIs) {
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", -5, 2), bulks(1, 2));
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 2, -1), bulks(3, 10));
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 3, 9223372036854775807), bulks(10));
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 4, 1), "*0\r\n");
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 0, 0), "*0\r\n");
}

TEST_F(Sort, ByTheValuesOfOtherKeys) {
  // 10 has no weight, which is 0.
  EXPECT_EQ(server.run("SORT", "l", "BY", "weight:*"), bulks(10, 3, 2, 1));
  EXPECT_EQ(server.run("SORT", "l", "BY", "weight:*", "DESC", "LIMIT", 0, 2), bulks(1, 2));
  EXPECT_EQ(server.run("SORT", "l", "BY", "h:*->age", "GET", "#", "GET", "h:*->age"),
            "*8\r\n$2\r\n10\r\n$-1\r\n$1\r\n2\r\n$-1\r\n" + bulk("3") + bulk("5") + bulk("1") +
                bulk("7"));
  EXPECT_EQ(server.run("SORT", "l", "BY", "name:*", "ALPHA"), bulks(3, 10, 1, 2));
  EXPECT_EQ(server.run("SORT", "l", "BY", "name:*"), kNotNumbers);
  EXPECT_EQ(server.run("SORT", "l", "BY", "l*"), bulks(1, 10, 2, 3)) << "no such keys: all are 0";
}

TEST_F(Sort, GetsValuesOfOtherKeys) {
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 0, 3, "GET", "name:*"),
            "*3\r\n" + bulk("ann") + bulk("bob") + "$-1\r\n");
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 0, 1, "GET", "#", "GET", "fixed", "GET", "h:*->name",
                       "GET", "h:*", "GET", "weight:*->x", "GET", "weight:*->"),
            "*6\r\n$1\r\n1\r\n$-1\r\n$3\r\nzoe\r\n$-1\r\n$-1\r\n$-1\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("SORT", "l", "LIMIT", 3, 1, "GET", "name:*"),
            "*1\r\n_\r\n");
}

TEST_F(Sort, LeavesThemAsTheyAre) {
  EXPECT_EQ(server.run("SORT", "l", "BY", "nosort"), bulks(3, 1, 10, 2));
  EXPECT_EQ(server.run("SORT", "l", "BY", "nosort", "DESC", "LIMIT", 1, 2), bulks(10, 1));
  EXPECT_EQ(server.run("SORT", "z", "BY", "nosort"), bulks(3, 1, 10, 2));
  EXPECT_EQ(server.run("SORT", "z", "BY", "nosort", "DESC", "LIMIT", 0, 2), bulks(2, 10));
  EXPECT_EQ(server.run("RPUSH", "words", "b", "a"), ":2\r\n");
  EXPECT_EQ(server.run("SORT", "words", "BY", "nosort"), bulks("b", "a"));
}

// What is kept and what scripts see is the same whatever order a set lies in.
TEST_F(Sort, OfASetIsByBytesWhereItIsKept) {
  server.run("SADD", "words", "c", "a", "b");
  server.run("SORT", "words", "BY", "nosort", "DESC", "STORE", "to");
  EXPECT_EQ(server.run("LRANGE", "to", 0, -1), bulks("c", "b", "a"));
  EXPECT_EQ(server.run("EVAL", "return redis.call('SORT', 'words', 'BY', 'nosort')", 0),
            bulks("a", "b", "c"));
}

TEST_F(Sort, KeepsTheOutcomeAsAList) {
  EXPECT_EQ(server.run("SORT", "l", "STORE", "to"), ":4\r\n");
  EXPECT_EQ(server.run("LRANGE", "to", 0, -1), bulks(1, 2, 3, 10));
  EXPECT_EQ(server.run("SORT", "z", "GET", "name:*", "GET", "#", "STORE", "z"), ":8\r\n");
  EXPECT_EQ(server.run("LRANGE", "z", 0, -1), bulks("ann", 1, "bob", 2, "", 3, "", 10));
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 9, 1, "STORE", "to"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "to"), ":0\r\n");
  EXPECT_EQ(server.run("SORT", "nothing", "STORE", "text"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "text"), ":0\r\n");
}

TEST_F(Sort, ServesWhoeverWaitsForAList) {
  Client bob = server.client();
  bob.begin("BLPOP", "to", 0);
  server.run("SORT", "l", "STORE", "to");
  EXPECT_EQ(bob.take(), bulks("to", 1));
}

TEST_F(Sort, RefusesWhatMakesNoSense) {
  server.run("RPUSH", "words", "a", "1");
  EXPECT_EQ(server.run("SORT", "words"), kNotNumbers);
  EXPECT_EQ(server.run("SORT", "words", "STORE", "to"), kNotNumbers);
  EXPECT_EQ(server.run("EXISTS", "to"), ":0\r\n");
  EXPECT_EQ(server.run("SORT", "text"), kWrongType);
  EXPECT_EQ(server.run("SORT", "text", "nonsense"), kSyntaxError);
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", 1), kSyntaxError);
  EXPECT_EQ(server.run("SORT", "l", "BY"), kSyntaxError);
  EXPECT_EQ(server.run("SORT", "l", "LIMIT", "x", 1),
            "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("SORT_RO", "l", "STORE", "to"), kSyntaxError);
}

// strtod reads the numbers.
TEST_F(Sort, NumbersAreReadLeniently) {
  server.run("RPUSH", "odd", "0x10", " 3", "", "-1e1", "inf");
  EXPECT_EQ(server.run("SORT", "odd"), bulks("-1e1", "", " 3", "0x10", "inf"));
  server.run("RPUSH", "odd", "nan");
  EXPECT_EQ(server.run("SORT", "odd"), kNotNumbers);
}

TEST_F(Sort, KeysAreTold) {
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "SORT", "l", "BY", "x*", "STORE", "to"),
            bulks("l", "to"));
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "SORT", "l", "STORE", "a", "STORE", "b"),
            bulks("l", "b"));
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "SORT_RO", "l", "STORE", "b"), bulks("l"));
  EXPECT_EQ(
      server.run("COMMAND", "GETKEYSANDFLAGS", "SORT", "l", "STORE", "b"),
      "*2\r\n*2\r\n$1\r\nl\r\n*2\r\n+RO\r\n+access\r\n*2\r\n$1\r\nb\r\n*2\r\n+OW\r\n+update\r\n");
}

}  // namespace
}  // namespace fencepost::tests
