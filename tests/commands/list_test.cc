// The list family, as a client sees it; what waits is in list_blocking_test.cc.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kNotAnInteger = "-ERR value is not an integer or out of range\r\n";
constexpr std::string_view kMustBePositive = "-ERR value is out of range, must be positive\r\n";

std::string all_of(Server& server, std::string_view key) {
  return server.run("LRANGE", key, 0, -1);
}

TEST(Lists, ElementsComeToBothEndsOneAfterTheOther) {
  Server server;
  EXPECT_EQ(server.run("RPUSH", "q", "a", "b"), ":2\r\n");
  EXPECT_EQ(server.run("LPUSH", "q", "y", "x"), ":4\r\n");
  EXPECT_EQ(all_of(server, "q"), request({"x", "y", "a", "b"}));
  EXPECT_EQ(server.run("LLEN", "q"), ":4\r\n");
  EXPECT_EQ(server.run("LLEN", "nothing"), ":0\r\n");
  EXPECT_EQ(server.run("TYPE", "q"), "+list\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "q"), "$9\r\nquicklist\r\n");
}

TEST(Lists, TheXFormsLeaveWhatIsNotThere) {
  Server server;
  EXPECT_EQ(server.run("LPUSHX", "q", "a"), ":0\r\n");
  EXPECT_EQ(server.run("RPUSHX", "q", "a"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "q"), ":0\r\n");
  server.run("RPUSH", "q", "m");
  EXPECT_EQ(server.run("LPUSHX", "q", "a", "b"), ":3\r\n");
  EXPECT_EQ(server.run("RPUSHX", "q", "z"), ":4\r\n");
  EXPECT_EQ(all_of(server, "q"), request({"b", "a", "m", "z"}));
}

TEST(Lists, ElementsAreAnyBytes) {
  Server server;
  const std::string bytes{"\0\r\n\xff$1\r\n", 8};
  const std::string large(100'000, 'x');
  EXPECT_EQ(server.run("RPUSH", bytes, bytes, "", large), ":3\r\n");
  EXPECT_EQ(all_of(server, bytes), request({bytes, "", large}));
}

TEST(Lists, AKeyGoesWithItsLastElement) {
  Server server;
  server.run("RPUSH", "q", "a", "b", "c");
  EXPECT_EQ(server.run("LPOP", "q"), "$1\r\na\r\n");
  EXPECT_EQ(server.run("RPOP", "q"), "$1\r\nc\r\n");
  EXPECT_EQ(server.run("LPOP", "q"), "$1\r\nb\r\n");
  EXPECT_EQ(server.run("EXISTS", "q"), ":0\r\n");
  EXPECT_EQ(server.run("LPOP", "q"), "$-1\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("RPOP", "q"), "_\r\n");
}

TEST(Lists, PoppingSeveralAnswersAnArray) {
  Server server;
  server.run("RPUSH", "q", "a", "b", "c", "d", "e");
  EXPECT_EQ(server.run("LPOP", "q", 2), request({"a", "b"}));
  EXPECT_EQ(server.run("RPOP", "q", 2), request({"e", "d"}));
  EXPECT_EQ(server.run("LPOP", "q", 0), "*0\r\n");
  EXPECT_EQ(server.run("LPOP", "q", 100), request({"c"}));
  EXPECT_EQ(server.run("LPOP", "q", 1), "*-1\r\n");
  EXPECT_EQ(server.run("LPOP", "q", 0), "*-1\r\n");
  EXPECT_EQ(server.run("LPOP", "q", -1), kMustBePositive);
  EXPECT_EQ(server.run("LPOP", "q", "x"), kMustBePositive);
  EXPECT_EQ(server.run("RPOP", "q", 1, 2), "-ERR wrong number of arguments for 'rpop' command\r\n");
}

TEST(Lists, LrangeCountsFromBothEnds) {
  Server server;
  server.run("RPUSH", "q", "a", "b", "c", "d");
  EXPECT_EQ(server.run("LRANGE", "q", 1, 2), request({"b", "c"}));
  EXPECT_EQ(server.run("LRANGE", "q", -2, -1), request({"c", "d"}));
  EXPECT_EQ(server.run("LRANGE", "q", -100, 0), request({"a"}));
  EXPECT_EQ(server.run("LRANGE", "q", 3, 100), request({"d"}));
  EXPECT_EQ(server.run("LRANGE", "q", 4, 100), "*0\r\n");
  EXPECT_EQ(server.run("LRANGE", "q", 2, 1), "*0\r\n");
  EXPECT_EQ(server.run("LRANGE", "q", 0, -5), "*0\r\n");
  EXPECT_EQ(server.run("LRANGE", "q", 0, "x"), kNotAnInteger);
  EXPECT_EQ(server.run("LRANGE", "nothing", 0, -1), "*0\r\n");
  EXPECT_EQ(server.run("LRANGE", "nothing", "x", -1), kNotAnInteger);
}

TEST(Lists, LindexAndLsetReachAnyPosition) {
  Server server;
  server.run("RPUSH", "q", "a", "b", "c");
  EXPECT_EQ(server.run("LINDEX", "q", 0), "$1\r\na\r\n");
  EXPECT_EQ(server.run("LINDEX", "q", -1), "$1\r\nc\r\n");
  EXPECT_EQ(server.run("LINDEX", "q", 3), "$-1\r\n");
  EXPECT_EQ(server.run("LINDEX", "q", -4), "$-1\r\n");
  EXPECT_EQ(server.run("LINDEX", "q", "x"), kNotAnInteger);
  EXPECT_EQ(server.run("LINDEX", "nothing", "x"), "$-1\r\n");
  EXPECT_EQ(server.run("LSET", "q", -2, "B"), "+OK\r\n");
  EXPECT_EQ(all_of(server, "q"), request({"a", "B", "c"}));
  EXPECT_EQ(server.run("LSET", "q", 3, "x"), "-ERR index out of range\r\n");
  EXPECT_EQ(server.run("LSET", "q", "x", "x"), kNotAnInteger);
  EXPECT_EQ(server.run("LSET", "nothing", 0, "x"), "-ERR no such key\r\n");
}

TEST(Lists, LinsertPutsNextToThePivot) {
  Server server;
  server.run("RPUSH", "q", "a", "c");
  EXPECT_EQ(server.run("LINSERT", "q", "before", "c", "b"), ":3\r\n");
  EXPECT_EQ(server.run("LINSERT", "q", "AFTER", "c", "d"), ":4\r\n");
  EXPECT_EQ(all_of(server, "q"), request({"a", "b", "c", "d"}));
  EXPECT_EQ(server.run("LINSERT", "q", "AFTER", "nope", "x"), ":-1\r\n");
  EXPECT_EQ(server.run("LINSERT", "nothing", "AFTER", "a", "x"), ":0\r\n");
  EXPECT_EQ(server.run("LINSERT", "q", "BESIDE", "c", "x"), kSyntaxError);
}

TEST(Lists, LremRemovesFromEitherEnd) {
  Server server;
  server.run("RPUSH", "q", "a", "b", "a", "c", "a");
  EXPECT_EQ(server.run("LREM", "q", -1, "a"), ":1\r\n");
  EXPECT_EQ(server.run("LREM", "q", 1, "a"), ":1\r\n");
  EXPECT_EQ(all_of(server, "q"), request({"b", "a", "c"}));
  EXPECT_EQ(server.run("LREM", "q", 0, "nope"), ":0\r\n");
  EXPECT_EQ(server.run("LREM", "q", "x", "a"), kNotAnInteger);
  for (const char* element : {"a", "b", "c"}) server.run("LREM", "q", 0, element);
  EXPECT_EQ(server.run("EXISTS", "q"), ":0\r\n");
}

TEST(Lists, LtrimKeepsAStretch) {
  Server server;
  server.run("RPUSH", "q", "a", "b", "c", "d");
  EXPECT_EQ(server.run("LTRIM", "q", 1, -2), "+OK\r\n");
  EXPECT_EQ(all_of(server, "q"), request({"b", "c"}));
  EXPECT_EQ(server.run("LTRIM", "q", 5, 9), "+OK\r\n");
  EXPECT_EQ(server.run("EXISTS", "q"), ":0\r\n");
  EXPECT_EQ(server.run("LTRIM", "nothing", 0, 1), "+OK\r\n");
}

TEST(Lists, LposFindsElements) {
  Server server;
  server.run("RPUSH", "q", "a", "b", "c", "1", "2", "3", "c", "c");
  EXPECT_EQ(server.run("LPOS", "q", "c"), ":2\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "RANK", 2), ":6\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "RANK", -1), ":7\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "COUNT", 2), "*2\r\n:2\r\n:6\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "COUNT", 0, "RANK", -2), "*2\r\n:6\r\n:2\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "MAXLEN", 2), "$-1\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "MAXLEN", 3), ":2\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "x"), "$-1\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "x", "COUNT", 1), "*0\r\n");
  EXPECT_EQ(server.run("LPOS", "nothing", "x"), "$-1\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "RANK"), kSyntaxError);
  EXPECT_EQ(server.run("LPOS", "q", "c", "COUNT", -1), "-ERR COUNT can't be negative\r\n");
  EXPECT_EQ(server.run("LPOS", "q", "c", "MAXLEN", -1), "-ERR MAXLEN can't be negative\r\n");
  EXPECT_TRUE(server.run("LPOS", "q", "c", "RANK", 0).starts_with("-ERR RANK can't be zero: "));
}

TEST(Lists, AnElementMovesFromOneListToAnother) {
  Server server;
  server.run("RPUSH", "a", "1", "2", "3");
  EXPECT_EQ(server.run("LMOVE", "a", "b", "LEFT", "right"), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("RPOPLPUSH", "a", "b"), "$1\r\n3\r\n");
  EXPECT_EQ(all_of(server, "b"), request({"3", "1"}));
  EXPECT_EQ(server.run("LMOVE", "b", "b", "LEFT", "RIGHT"), "$1\r\n3\r\n");
  EXPECT_EQ(all_of(server, "b"), request({"1", "3"}));
  EXPECT_EQ(server.run("LMOVE", "a", "a", "LEFT", "LEFT"), "$1\r\n2\r\n") << "the only element";
  EXPECT_EQ(server.run("RPOPLPUSH", "nothing", "b"), "$-1\r\n");
  EXPECT_EQ(server.run("LMOVE", "a", "b", "UP", "LEFT"), kSyntaxError);
  server.run("SET", "s", "v");
  EXPECT_EQ(server.run("RPOPLPUSH", "a", "s"), kWrongType);
  EXPECT_EQ(server.run("RPOPLPUSH", "s", "a"), kWrongType);
  EXPECT_EQ(server.run("RPOPLPUSH", "nothing", "s"), "$-1\r\n");
  EXPECT_EQ(all_of(server, "a"), request({"2"}));
}

TEST(Lists, LmpopTakesFromTheFirstListThereIs) {
  Server server;
  server.run("RPUSH", "b", "1", "2", "3");
  EXPECT_EQ(server.run("LMPOP", 2, "a", "b", "LEFT"), "*2\r\n$1\r\nb\r\n*1\r\n$1\r\n1\r\n");
  EXPECT_EQ(server.run("LMPOP", 2, "a", "b", "RIGHT", "COUNT", 9),
            "*2\r\n$1\r\nb\r\n" + request({"3", "2"}));
  EXPECT_EQ(server.run("LMPOP", 2, "a", "b", "LEFT"), "*-1\r\n");
  EXPECT_EQ(server.run("LMPOP", 0, "a", "LEFT"), "-ERR numkeys should be greater than 0\r\n");
  EXPECT_EQ(server.run("LMPOP", "x", "a", "LEFT"), "-ERR numkeys should be greater than 0\r\n");
  EXPECT_EQ(server.run("LMPOP", INT64_MAX, "a", "LEFT"), kSyntaxError);
  EXPECT_EQ(server.run("LMPOP", 2, "a", "LEFT"), kSyntaxError);
  EXPECT_EQ(server.run("LMPOP", 1, "a", "LEFT", "COUNT", 0),
            "-ERR count should be greater than 0\r\n");
  EXPECT_EQ(server.run("LMPOP", 1, "a", "LEFT", "COUNT", 1, "COUNT", 1), kSyntaxError);
}

TEST(Lists, OtherValuesAreRefused) {
  Server server;
  server.run("SET", "s", "v");
  server.run("RPUSH", "q", "a");
  EXPECT_EQ(server.run("RPUSH", "s", "a"), kWrongType);
  EXPECT_EQ(server.run("LPOP", "s"), kWrongType);
  EXPECT_EQ(server.run("LLEN", "s"), kWrongType);
  EXPECT_EQ(server.run("LPOS", "s", "a"), kWrongType);
  EXPECT_EQ(server.run("LINSERT", "s", "AFTER", "a", "b"), kWrongType);
  EXPECT_EQ(server.run("LMPOP", 2, "s", "q", "LEFT"), kWrongType);
  EXPECT_EQ(server.run("GET", "q"), kWrongType);
  EXPECT_EQ(server.run("APPEND", "q", "x"), kWrongType);
  EXPECT_EQ(server.run("LOCK", "q", "alice"), kWrongType);
  EXPECT_EQ(server.run("SET", "q", "v", "NX"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "q", "v"), "+OK\r\n") << "SET replaces anything";
}

TEST(Lists, AListDrawsAFenceWhenItComesIntoBeing) {
  Server server;
  server.run("RPUSH", "q", "a");
  EXPECT_EQ(server.run("FENCE", "q"), ":1\r\n");
  server.run("RPUSH", "q", "b");
  server.run("LSET", "q", 0, "c");
  EXPECT_EQ(server.run("FENCE", "q"), ":1\r\n");
  server.run("LPOP", "q", 2);
  server.run("LPUSH", "q", "a");
  EXPECT_EQ(server.run("FENCE", "q"), ":2\r\n");
}

TEST(Lists, AWatchSeesEveryChange) {
  Server server;
  Client other = server.client();
  const auto breaks = [&](auto... words) {
    server.run("DEL", "q");
    server.run("RPUSH", "q", "a", "b", "c");
    server.run("WATCH", "q");
    other.run(words...);
    server.run("MULTI");
    return server.run("EXEC") == "*-1\r\n";
  };
  EXPECT_TRUE(breaks("RPUSH", "q", "d"));
  EXPECT_TRUE(breaks("LPOP", "q"));
  EXPECT_TRUE(breaks("LSET", "q", 0, "x"));
  EXPECT_TRUE(breaks("LREM", "q", 0, "a"));
  EXPECT_FALSE(breaks("LREM", "q", 0, "x"));
  EXPECT_TRUE(breaks("LTRIM", "q", 0, -1)) << "as Redis, which does not look whether it did much";
  EXPECT_TRUE(breaks("LMOVE", "q", "q", "LEFT", "RIGHT"));
  EXPECT_FALSE(breaks("LRANGE", "q", 0, -1));
}

TEST(Lists, AreCopiedRenamedAndExpire) {
  Server server;
  server.run("RPUSH", "q", "a", "b");
  EXPECT_EQ(server.run("COPY", "q", "r"), ":1\r\n");
  server.run("LPOP", "q");
  EXPECT_EQ(all_of(server, "r"), request({"a", "b"}));
  EXPECT_EQ(server.run("RENAME", "r", "t"), "+OK\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "t", 100), ":1\r\n");
  server.pass(101);
  EXPECT_EQ(server.run("LLEN", "t"), ":0\r\n");
}

TEST(Lists, AKeyThatIsTooLongIsRefused) {
  Server server;
  const std::string key(64 * 1024 + 1, 'k');
  EXPECT_EQ(server.run("RPUSH", key, "a"), "-ERR key is longer than 65536 bytes\r\n");
  EXPECT_EQ(server.run("RPUSHX", key, "a"), ":0\r\n");
  server.run("RPUSH", "q", "a");
  EXPECT_EQ(server.run("RPOPLPUSH", "q", key), "-ERR key is longer than 65536 bytes\r\n");
  EXPECT_EQ(server.run("LLEN", "q"), ":1\r\n");
}

// What would not fit into a reply is not taken out either.
TEST(Lists, WhatCannotBeAnsweredStays) {
  Server server;
  const std::string large(8 * 1024 * 1024, 'x');
  for (int i = 0; i < 33; ++i) server.run("RPUSH", "q", large);
  const std::string_view refused =
      "-ERR the reply is larger than 256 MiB, the most that one request is answered\r\n";
  EXPECT_EQ(server.run("LPOP", "q", 33), refused);
  EXPECT_EQ(server.run("LMPOP", 1, "q", "LEFT", "COUNT", 33), refused);
  EXPECT_EQ(server.run("LLEN", "q"), ":33\r\n");
}

}  // namespace
}  // namespace fencepost::tests
