// The key family, as a client sees it.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "resp/reply_parser.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kNotAnInteger = "-ERR value is not an integer or out of range\r\n";
constexpr std::string_view kNoSuchDatabase = "-ERR DB index is out of range\r\n";

resp::Reply parsed(const std::string& bytes) {
  resp::ReplyParser parser;
  EXPECT_EQ(parser.parse(bytes), resp::ReplyParser::Status::reply) << bytes;
  EXPECT_EQ(parser.consumed(), bytes.size());
  return parser.reply();
}

std::multiset<std::string> texts(const resp::Reply& array) {
  std::multiset<std::string> found;
  for (const resp::Reply& item : array.items) found.insert(item.text);
  return found;
}

TEST(Keys, DelAndUnlinkCountWhatWasThere) {
  Server server;
  server.run("MSET", "a", 1, "b", 2, "c", 3);
  EXPECT_EQ(server.run("DEL", "a", "a", "nothing", "b"), ":2\r\n");
  EXPECT_EQ(server.run("UNLINK", "c", "c"), ":1\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
}

TEST(Keys, ExistsAndTouchCountAKeyNamedTwiceTwice) {
  Server server;
  server.run("SET", "a", 1);
  EXPECT_EQ(server.run("EXISTS", "a", "a", "nothing"), ":2\r\n");
  EXPECT_EQ(server.run("TOUCH", "a", "a", "nothing"), ":2\r\n");
}

TEST(Keys, TypeIsStringOrNone) {
  Server server;
  server.run("SET", "a", 1);
  EXPECT_EQ(server.run("TYPE", "a"), "+string\r\n");
  EXPECT_EQ(server.run("TYPE", "nothing"), "+none\r\n");
}

TEST(Keys, ExpireSetsALease) {
  Server server;
  server.run("SET", "k", "v");
  EXPECT_EQ(server.run("TTL", "k"), ":-1\r\n");
  EXPECT_EQ(server.run("TTL", "nothing"), ":-2\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 1499), ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":1499\r\n");
  EXPECT_EQ(server.run("TTL", "k"), ":1\r\n");
  server.run("PEXPIRE", "k", 1500);
  EXPECT_EQ(server.run("TTL", "k"), ":2\r\n");
  EXPECT_EQ(server.run("EXPIRE", "k", 10), ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":10000\r\n");
  EXPECT_EQ(server.run("PEXPIRETIME", "k"),
            ":" + std::to_string(server.unix_ms() + 10'000) + "\r\n");
  EXPECT_EQ(server.run("EXPIREAT", "k", server.unix_ms() / 1000 + 5), ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":5000\r\n");
  EXPECT_EQ(server.run("EXPIRETIME", "k"),
            ":" + std::to_string(server.unix_ms() / 1000 + 5) + "\r\n");
  EXPECT_EQ(server.run("PEXPIREAT", "k", server.unix_ms() + 7), ":1\r\n");
  server.pass(7);
  EXPECT_EQ(server.run("EXISTS", "k"), ":1\r\n");
  server.pass(1);
  EXPECT_EQ(server.run("EXISTS", "k"), ":0\r\n");
  EXPECT_EQ(server.run("EXPIRE", "k", 10), ":0\r\n");
}

TEST(Keys, ExpireIntoThePastDeletes) {
  Server server;
  server.run("MSET", "a", 1, "b", 2, "c", 3);
  EXPECT_EQ(server.run("EXPIRE", "a", 0), ":1\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "b", "-9223372036854775808"), ":1\r\n");
  EXPECT_EQ(server.run("EXPIREAT", "c", 1), ":1\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
}

TEST(Keys, ExpireTakesConditions) {
  Server server;
  server.run("SET", "k", "v");
  EXPECT_EQ(server.run("PEXPIRE", "k", 100, "XX"), ":0\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 100, "GT"), ":0\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 100, "nx"), ":1\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 200, "NX"), ":0\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 100, "GT"), ":0\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 101, "GT", "XX"), ":1\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 101, "LT"), ":0\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 50, "LT"), ":1\r\n");
  EXPECT_EQ(server.run("PERSIST", "k"), ":1\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 50, "LT"), ":1\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 50, "NX", "GT"),
            "-ERR NX and XX, GT or LT options at the same time are not compatible\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 50, "LT", "GT"),
            "-ERR GT and LT options at the same time are not compatible\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 50, "foo"), "-ERR Unsupported option foo\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", 50, "f\ro\r\n"), "-ERR Unsupported option f o\r\n");
}

TEST(Keys, ExpireRefusesWhatOverflows) {
  Server server;
  server.run("SET", "k", "v");
  EXPECT_EQ(server.run("EXPIRE", "k", "9223372036854775807"),
            "-ERR invalid expire time in 'expire' command\r\n");
  EXPECT_EQ(server.run("PEXPIRE", "k", "9223372036854775807"),
            "-ERR invalid expire time in 'pexpire' command\r\n");
  EXPECT_EQ(server.run("EXPIREAT", "k", "-9223372036854775808"),
            "-ERR invalid expire time in 'expireat' command\r\n");
  EXPECT_EQ(server.run("EXPIRE", "k", "soon"), kNotAnInteger);
  EXPECT_EQ(server.run("TTL", "k"), ":-1\r\n");
  EXPECT_EQ(server.run("PEXPIREAT", "k", "9223372036854775807"), ":1\r\n");
  EXPECT_NE(server.run("PTTL", "k"), ":-1\r\n");
}

TEST(Keys, PersistTakesTheLeaseAway) {
  Server server;
  server.run("SET", "k", "v", "EX", 10);
  EXPECT_EQ(server.run("PERSIST", "k"), ":1\r\n");
  EXPECT_EQ(server.run("PERSIST", "k"), ":0\r\n");
  EXPECT_EQ(server.run("PERSIST", "nothing"), ":0\r\n");
  server.pass(20'000);
  EXPECT_EQ(server.run("GET", "k"), "$1\r\nv\r\n");
}

TEST(Keys, ALeaseDoesNotHearOfAWallClockThatSteps) {
  Server server;
  server.run("SET", "k", "v", "PX", 1000);
  server.step_wall(3'600'000);
  EXPECT_EQ(server.run("PTTL", "k"), ":1000\r\n");
  server.run("PEXPIREAT", "k", server.unix_ms() + 500);
  EXPECT_EQ(server.run("PTTL", "k"), ":500\r\n");
}

TEST(Keys, RenameTakesValueAndLeaseAlong) {
  Server server;
  server.run("SET", "a", 1, "PX", 100);
  server.run("SET", "b", 2);
  EXPECT_EQ(server.run("RENAME", "a", "b"), "+OK\r\n");
  EXPECT_EQ(server.run("GET", "b"), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("PTTL", "b"), ":100\r\n");
  EXPECT_EQ(server.run("RENAME", "a", "b"), "-ERR no such key\r\n");
  EXPECT_EQ(server.run("RENAME", "b", "b"), "+OK\r\n");
  server.run("SET", "a", 1);
  EXPECT_EQ(server.run("RENAMENX", "a", "b"), ":0\r\n");
  EXPECT_EQ(server.run("RENAMENX", "a", "a"), ":0\r\n");
  EXPECT_EQ(server.run("RENAMENX", "a", "c"), ":1\r\n");
  EXPECT_EQ(server.run("RENAMENX", "a", "c"), "-ERR no such key\r\n");
}

TEST(Keys, CopyLeavesTheSource) {
  Server server;
  server.run("SET", "a", 1, "PX", 100);
  EXPECT_EQ(server.run("COPY", "a", "b"), ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "b"), ":100\r\n");
  EXPECT_EQ(server.run("COPY", "a", "b"), ":0\r\n");
  server.run("SET", "a", 2);
  EXPECT_EQ(server.run("COPY", "a", "b", "REPLACE"), ":1\r\n");
  EXPECT_EQ(server.run("MGET", "a", "b"), "*2\r\n$1\r\n2\r\n$1\r\n2\r\n");
  EXPECT_EQ(server.run("COPY", "a", "a", "DB", 3), ":1\r\n");
  EXPECT_EQ(server.run("COPY", "a", "a"), "-ERR source and destination objects are the same\r\n");
  EXPECT_EQ(server.run("COPY", "nothing", "b"), ":0\r\n");
  EXPECT_EQ(server.run("COPY", "a", "b", "DB", 16), kNoSuchDatabase);
  EXPECT_EQ(server.run("COPY", "a", "b", "DB", "99999999999"),
            "-ERR value is out of range, value must between -2147483648 and 2147483647\r\n");
  EXPECT_EQ(server.run("COPY", "a", "b", "DB"), kSyntaxError);
}

TEST(Keys, MoveToAnotherDatabase) {
  Server server;
  Client other = server.client();
  other.run("SELECT", 1);
  server.run("SET", "a", 1, "PX", 100);
  EXPECT_EQ(server.run("MOVE", "a", 1), ":1\r\n");
  EXPECT_EQ(server.run("MOVE", "a", 1), ":0\r\n");
  EXPECT_EQ(other.run("PTTL", "a"), ":100\r\n");
  server.run("SET", "a", 2);
  EXPECT_EQ(server.run("MOVE", "a", 1), ":0\r\n");
  EXPECT_EQ(server.run("MOVE", "a", 0), "-ERR source and destination objects are the same\r\n");
  EXPECT_EQ(server.run("MOVE", "a", 16), kNoSuchDatabase);
  EXPECT_EQ(server.run("MOVE", "a", "x"), kNotAnInteger);
}

// Matching takes pattern x key steps: 60 KiB of each are seconds.
TEST(Keys, PatternsHaveALength) {
  Server server;
  server.run("SET", "door", "alice");
  const std::string longest = std::string(1020, '*') + "door";
  const std::string longer = "*" + longest;
  const std::string refused = "-ERR pattern is longer than 1024 bytes\r\n";
  EXPECT_EQ(server.run("KEYS", longest), "*1\r\n$4\r\ndoor\r\n");
  EXPECT_EQ(server.run("KEYS", longer), refused);
  EXPECT_EQ(server.run("SCAN", 0, "MATCH", longer), refused);
  EXPECT_EQ(server.run("LOCKSCAN", 0, "MATCH", longer), refused);
  EXPECT_NE(server.run("LOCKSCAN", 0, "MATCH", longest), refused);
}

TEST(Keys, SwapdbExchangesTwoDatabases) {
  Server server;
  server.run("SET", "a", 1);
  EXPECT_EQ(server.run("SWAPDB", 0, 9), "+OK\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
  EXPECT_EQ(server.run("SWAPDB", 9, 0), "+OK\r\n");
  EXPECT_EQ(server.run("GET", "a"), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("SWAPDB", 0, 0), "+OK\r\n");
  EXPECT_EQ(server.run("SWAPDB", "x", 0), "-ERR invalid first DB index\r\n");
  EXPECT_EQ(server.run("SWAPDB", 0, "x"), "-ERR invalid second DB index\r\n");
  EXPECT_EQ(server.run("SWAPDB", 0, 16), kNoSuchDatabase);
}

TEST(Keys, SwapdbBreaksWatchesOfKeysThatLeaveAndOfThoseThatCome) {
  Server server;
  server.run("SET", "leaves", 1);
  server.client().send("SELECT 1\r\nSET comes 1\r\n");
  for (const std::string key : {"leaves", "comes"}) {
    Client watcher = server.client();
    watcher.run("WATCH", key);
    server.run("SWAPDB", 0, 1);
    watcher.run("MULTI");
    EXPECT_EQ(watcher.run("EXEC"), "*-1\r\n") << key;
    server.run("SWAPDB", 0, 1);
  }
}

// A key whose time is over is not there, so that it goes or comes is no change.
TEST(Keys, SwapdbLeavesWatchesOfKeysThatAreOver) {
  for (const bool both : {false, true}) {
    Server server;
    Client watcher = server.client();
    server.run("DEBUG", "SET-ACTIVE-EXPIRE", 0);
    if (both) server.run("SET", "a", 1, "PX", 10);
    server.client().send("SELECT 1\r\nSET a 1 PX 10\r\n");
    server.pass(11);
    watcher.run("WATCH", "a");
    server.run("SWAPDB", 0, 1);
    watcher.run("MULTI");
    EXPECT_EQ(watcher.run("EXEC"), "*0\r\n") << both;
    EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
  }
}

TEST(Keys, SwapdbHandsAKeyThatLeavesToWhoeverWaitsForIt) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 4000);
  EXPECT_EQ(bob.take(), "");
  server.run("SWAPDB", 0, 1);
  EXPECT_TRUE(bob.take().starts_with(":"));
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
}

TEST(Keys, KeysAnswersThoseThatMatch) {
  Server server;
  server.run("MSET", "lock:a", 1, "lock:b", 2, "other", 3);
  server.run("SET", "lock:over", 1, "PX", 10);
  server.sleep_through(11);
  EXPECT_EQ(texts(parsed(server.run("KEYS", "lock:*"))),
            (std::multiset<std::string>{"lock:a", "lock:b"}));
  EXPECT_EQ(server.run("KEYS", "nothing*"), "*0\r\n");
}

TEST(Keys, AWholeScanSeesEachKeyOnce) {
  Server server;
  std::multiset<std::string> made;
  for (int i = 0; i < 300; ++i) {
    server.run("SET", "key:" + std::to_string(i), i);
    made.insert("key:" + std::to_string(i));
  }
  std::multiset<std::string> seen;
  std::string cursor = "0";
  do {
    const resp::Reply reply = parsed(server.run("SCAN", cursor, "COUNT", 7));
    cursor = reply.items[0].text;
    seen.merge(texts(reply.items[1]));
  } while (cursor != "0");
  EXPECT_EQ(seen, made);
}

TEST(Keys, ScanFilters) {
  Server server;
  server.run("MSET", "a", 1, "b", 2);
  EXPECT_EQ(server.run("SCAN", 0, "MATCH", "a*"), "*2\r\n$1\r\n0\r\n*1\r\n$1\r\na\r\n");
  EXPECT_EQ(server.run("SCAN", 0, "type", "string", "MATCH", "b"),
            "*2\r\n$1\r\n0\r\n*1\r\n$1\r\nb\r\n");
  EXPECT_EQ(server.run("SCAN", 0, "TYPE", "hash"), "*2\r\n$1\r\n0\r\n*0\r\n");
  EXPECT_EQ(server.run("SCAN", "x"), "-ERR invalid cursor\r\n");
  EXPECT_EQ(server.run("SCAN", 0, "COUNT", 0), kSyntaxError);
  EXPECT_EQ(server.run("SCAN", 0, "COUNT", "x"), kNotAnInteger);
  EXPECT_EQ(server.run("SCAN", 0, "MATCH"), kSyntaxError);
  EXPECT_EQ(server.run("SCAN", "18446744073709551615"), "*2\r\n$1\r\n0\r\n*0\r\n");
}

TEST(Keys, RandomkeyIsOneOfThem) {
  Server server;
  EXPECT_EQ(server.run("RANDOMKEY"), "$-1\r\n");
  server.run("MSET", "a", 1, "b", 2);
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(parsed(server.run("RANDOMKEY")).text);
  EXPECT_EQ(seen, (std::set<std::string>{"a", "b"}));
}

TEST(Keys, FlushdbAndFlushall) {
  Server server;
  Client other = server.client();
  other.run("SELECT", 1);
  server.run("SET", "a", 1);
  other.run("SET", "a", 1);
  EXPECT_EQ(server.run("FLUSHDB", "async"), "+OK\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
  EXPECT_EQ(other.run("DBSIZE"), ":1\r\n");
  EXPECT_EQ(server.run("FLUSHALL", "SYNC"), "+OK\r\n");
  EXPECT_EQ(other.run("DBSIZE"), ":0\r\n");
  EXPECT_EQ(server.run("FLUSHALL", "now"), kSyntaxError);
  EXPECT_EQ(server.run("FLUSHALL", "SYNC", "SYNC"), kSyntaxError);
}

TEST(Keys, ObjectTellsHowRedisWouldKeepAValue) {
  Server server;
  server.run("SET", "n", 42);
  server.run("SET", "s", std::string(44, 's'));
  server.run("SET", "l", std::string(45, 'l'));
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "n"), "$3\r\nint\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "s"), "$6\r\nembstr\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "l"), "$3\r\nraw\r\n");
  server.run("APPEND", "n", 1);
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "n"), "$3\r\nraw\r\n");
  server.run("INCR", "n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "n"), "$3\r\nint\r\n");
  EXPECT_EQ(server.run("OBJECT", "REFCOUNT", "n"), ":2147483647\r\n");
  EXPECT_EQ(server.run("OBJECT", "REFCOUNT", "s"), ":1\r\n");
  server.run("INCRBYFLOAT", "n", 1);  // what it makes stays a text, though it looks like a number
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "n"), "$6\r\nembstr\r\n");
  EXPECT_EQ(server.run("OBJECT", "REFCOUNT", "n"), ":1\r\n");
  server.run("COPY", "n", "m");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "m"), "$6\r\nembstr\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "nothing"), "$-1\r\n");
  EXPECT_TRUE(server.run("OBJECT", "FREQ", "n").starts_with("-ERR An LFU maxmemory policy"));
  EXPECT_TRUE(server.run("OBJECT", "HELP").starts_with("*11\r\n+OBJECT <subcommand>"));
}

TEST(Keys, AWriteThatChangesNothingIsAUseAndExistsIsNone) {
  Server server;
  const auto idle_after = [&server](auto... words) {
    server.run("FLUSHALL");
    server.run("SET", "k", "abc");
    server.run("SET", "k2", "abc");
    server.pass(4000);
    server.run(words...);
    return server.run("OBJECT", "IDLETIME", "k") + server.run("OBJECT", "IDLETIME", "k2");
  };
  // As redis-server 7.0.15 was seen to do.
  EXPECT_EQ(idle_after("EXISTS", "k", "k2"), ":4\r\n:4\r\n");
  EXPECT_EQ(idle_after("PERSIST", "k"), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("RENAME", "k", "k"), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("RENAMENX", "k", "k2"), ":0\r\n:0\r\n");
  EXPECT_EQ(idle_after("COPY", "k", "k2"), ":0\r\n:0\r\n");
  EXPECT_EQ(idle_after("SET", "k", "a", "NX"), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("SETNX", "k", "x"), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("SETRANGE", "k", 0, ""), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("LPUSH", "k", "x"), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("MSETNX", "k", 1, "k9", 2), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("INCR", "k"), ":0\r\n:4\r\n");
  EXPECT_EQ(idle_after("EXPIRE", "k", 10, "XX"), ":0\r\n:4\r\n");
}

TEST(Keys, IdletimeIsSinceTheLastUse) {
  Server server;
  server.run("SET", "k", "v");
  server.pass(5'000);
  EXPECT_EQ(server.run("OBJECT", "IDLETIME", "k"), ":5\r\n");
  EXPECT_EQ(server.run("TTL", "k"), ":-1\r\n");
  EXPECT_EQ(server.run("OBJECT", "IDLETIME", "k"), ":5\r\n");
  server.run("TOUCH", "k");
  EXPECT_EQ(server.run("OBJECT", "IDLETIME", "k"), ":0\r\n");
  server.pass(2'000);
  server.run("GET", "k");
  EXPECT_EQ(server.run("OBJECT", "IDLETIME", "k"), ":0\r\n");
}

}  // namespace
}  // namespace fencepost::tests
