// The string family, as a client sees it.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kNotAnInteger = "-ERR value is not an integer or out of range\r\n";

TEST(Strings, SetAndGet) {
  Server server;
  EXPECT_EQ(server.run("GET", "k"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "v"), "+OK\r\n");
  EXPECT_EQ(server.run("GET", "k"), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("SET", "k", ""), "+OK\r\n");
  EXPECT_EQ(server.run("GET", "k"), "$0\r\n\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("GET", "nothing"), "_\r\n");
}

TEST(Strings, KeysAndValuesAreAnyBytes) {
  Server server;
  const std::string bytes{"\0\r\n\xff$1\r\n", 8};
  EXPECT_EQ(server.run("SET", bytes, bytes), "+OK\r\n");
  EXPECT_EQ(server.run("GET", bytes), "$8\r\n" + bytes + "\r\n");
}

TEST(Strings, SetNxGivesAValueOnlyOnce) {
  Server server;
  EXPECT_EQ(server.run("SET", "k", "a", "NX"), "+OK\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "nx"), "$-1\r\n");
  EXPECT_EQ(server.run("GET", "k"), "$1\r\na\r\n");
  EXPECT_EQ(server.run("SETNX", "k", "b"), ":0\r\n");
  EXPECT_EQ(server.run("SETNX", "l", "b"), ":1\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("SET", "k", "b", "NX"), "_\r\n");
}

TEST(Strings, SetXxGivesAValueOnlyToAKeyThatIsThere) {
  Server server;
  EXPECT_EQ(server.run("SET", "k", "a", "XX"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "a"), "+OK\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "xx"), "+OK\r\n");
  EXPECT_EQ(server.run("GET", "k"), "$1\r\nb\r\n");
}

TEST(Strings, SetTakesItsOptionsInAnyOrder) {
  Server server;
  EXPECT_EQ(server.run("SET", "k", "a", "PX", 1000, "NX", "GET"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "get", "Px", 2000, "xX"), "$1\r\na\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":2000\r\n");
  EXPECT_EQ(server.run("SET", "k", "c", "KEEPTTL", "XX"), "+OK\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":2000\r\n");
  EXPECT_EQ(server.run("SET", "k", "c"), "+OK\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":-1\r\n");
}

TEST(Strings, SetRefusesOptionsThatContradictEachOther) {
  Server server;
  EXPECT_EQ(server.run("SET", "k", "v", "NX", "XX"), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "EX", 1, "PX", 1), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "EX", 1, "KEEPTTL"), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "KEEPTTL", "EX", 1), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "NX", "IFEQ", "x"), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "IFEQ", "x", "XX"), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "IFEQ", "x", "IFNE", "y"), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "EX"), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "IFEQ"), kSyntaxError);
  EXPECT_EQ(server.run("SET", "k", "v", "PERSIST"), kSyntaxError);
  EXPECT_EQ(server.run("EXISTS", "k"), ":0\r\n");
}

TEST(Strings, ALeaseIsAWholeNumberAboveZeroThatDoesNotOverflow) {
  Server server;
  const std::string refused = "-ERR invalid expire time in 'set' command\r\n";
  EXPECT_EQ(server.run("SET", "k", "v", "EX", 0), refused);
  EXPECT_EQ(server.run("SET", "k", "v", "PX", -1), refused);
  EXPECT_EQ(server.run("SET", "k", "v", "EX", "9223372036854775807"), refused);
  EXPECT_EQ(server.run("SET", "k", "v", "EX", "9223372036854775"), refused);
  EXPECT_EQ(server.run("SET", "k", "v", "PX", "9223372036854775807"), refused);
  EXPECT_EQ(server.run("SET", "k", "v", "EX", "ten"), kNotAnInteger);
  EXPECT_EQ(server.run("SETEX", "k", 0, "v"), "-ERR invalid expire time in 'setex' command\r\n");
  EXPECT_EQ(server.run("PSETEX", "k", 0, "v"), "-ERR invalid expire time in 'psetex' command\r\n");
  EXPECT_EQ(server.run("EXISTS", "k"), ":0\r\n");
}

TEST(Strings, AKeyIsThereUntilTheClockIsPastItsLease) {
  Server server;
  server.run("SET", "k", "v", "PX", 100);
  server.pass(100);
  EXPECT_EQ(server.run("GET", "k"), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":0\r\n");
  server.pass(1);
  EXPECT_EQ(server.run("GET", "k"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "w", "NX"), "+OK\r\n");
}

TEST(Strings, ALeaseCanEndAtAMomentOfTheWallClock) {
  Server server;
  server.run("SET", "k", "v", "PXAT", server.unix_ms() + 500);
  EXPECT_EQ(server.run("PTTL", "k"), ":500\r\n");
  server.run("SET", "k", "v", "EXAT", server.unix_ms() / 1000 + 5);
  EXPECT_EQ(server.run("TTL", "k"), ":5\r\n");
  EXPECT_EQ(server.run("SET", "k", "v", "PXAT", 1), "+OK\r\n");
  EXPECT_EQ(server.run("EXISTS", "k"), ":0\r\n");
}

TEST(Strings, SetGetAnswersTheOldValueWhetherOrNotItSets) {
  Server server;
  EXPECT_EQ(server.run("SET", "k", "a", "GET"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "NX", "GET"), "$1\r\na\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "GET"), "$1\r\na\r\n");
  EXPECT_EQ(server.run("GETSET", "k", "c"), "$1\r\nb\r\n");
  EXPECT_EQ(server.run("GETSET", "l", "c"), "$-1\r\n");
}

TEST(Strings, SetIfEqual) {
  Server server;
  EXPECT_EQ(server.run("SET", "k", "b", "IFEQ", "a"), "$-1\r\n");
  server.run("SET", "k", "a");
  EXPECT_EQ(server.run("SET", "k", "b", "ifeq", "x"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "IFEQ", "a", "PX", 100), "+OK\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":100\r\n");
  EXPECT_EQ(server.run("SET", "k", "c", "IFEQ", "x", "GET"), "$1\r\nb\r\n");
  EXPECT_EQ(server.run("SET", "k", "c", "IFNE", "b"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "c", "IFNE", "x"), "+OK\r\n");
  EXPECT_EQ(server.run("SET", "new", "c", "IFNE", "x"), "+OK\r\n");
}

TEST(Strings, SetIfTheDigestIsEqual) {
  Server server;
  EXPECT_EQ(server.run("DIGEST", "k"), "$-1\r\n");
  server.run("SET", "k", "");
  EXPECT_EQ(server.run("DIGEST", "k"), "$16\r\n2d06800538d394c2\r\n");  // XXH3 of nothing
  EXPECT_EQ(server.run("SET", "k", "a", "IFDEQ", "2D06800538D394C2"), "+OK\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "IFDEQ", "2d06800538d394c2"), "$-1\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "IFDNE", "2d06800538d394c2"), "+OK\r\n");
  EXPECT_EQ(server.run("SET", "k", "b", "IFDEQ", "123"),
            "-ERR must be exactly 16 hexadecimal characters\r\n");
  EXPECT_EQ(server.run("SET", "new", "b", "IFDEQ", "123"), "$-1\r\n");
}

// The example of redis issue 14496: a digest keeps its leading zeros.
TEST(Strings, ADigestHasSixteenDigits) {
  Server server;
  server.run(
      "SET", "k",
      "v8lf0c11xh8ymlqztfd3eeq16kfn4sspw7fqmnuuq3k3t75em5wdizgcdw7uc26nnf961u2jkfzkjytls2kwlj762"
      "6sd");
  EXPECT_EQ(server.run("DIGEST", "k"), "$16\r\n00006c38adf31777\r\n");
}

TEST(Strings, DelexRemovesWhatMeetsTheCondition) {
  Server server;
  server.run("SET", "k", "a");
  EXPECT_EQ(server.run("DELEX", "k", "IFEQ", "b"), ":0\r\n");
  EXPECT_EQ(server.run("DELEX", "k", "IFNE", "a"), ":0\r\n");
  EXPECT_EQ(server.run("DELEX", "k", "ifeq", "a"), ":1\r\n");
  EXPECT_EQ(server.run("DELEX", "k", "IFEQ", "a"), ":0\r\n");
  EXPECT_EQ(server.run("DELEX", "k", "IFNE", "a"), ":0\r\n");
  server.run("SET", "k", "");
  EXPECT_EQ(server.run("DELEX", "k", "IFDNE", "2d06800538d394c2"), ":0\r\n");
  EXPECT_EQ(server.run("DELEX", "k", "IFDEQ", "2d06800538d394c2"), ":1\r\n");
  server.run("SET", "k", "a");
  EXPECT_EQ(server.run("DELEX", "k"), ":1\r\n");
  EXPECT_EQ(server.run("DELEX", "k"), ":0\r\n");
  EXPECT_EQ(server.run("DELEX", "k", "IFEQ"),
            "-ERR wrong number of arguments for 'delex' command\r\n");
  EXPECT_EQ(server.run("DELEX", "k", "EQ", "a"),
            "-ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE\r\n");
}

TEST(Strings, DelifeqRemovesAKeyWithThisValue) {
  Server server;
  server.run("SET", "k", "a");
  EXPECT_EQ(server.run("DELIFEQ", "k", "b"), ":0\r\n");
  EXPECT_EQ(server.run("DELIFEQ", "k", "a"), ":1\r\n");
  EXPECT_EQ(server.run("DELIFEQ", "k", "a"), ":0\r\n");
}

TEST(Strings, GetdelAndGetex) {
  Server server;
  server.run("SET", "k", "v");
  EXPECT_EQ(server.run("GETEX", "k", "PX", 100), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":100\r\n");
  EXPECT_EQ(server.run("GETEX", "k"), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":100\r\n");
  EXPECT_EQ(server.run("GETEX", "k", "persist"), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("PTTL", "k"), ":-1\r\n");
  EXPECT_EQ(server.run("GETEX", "k", "EX", 0), "-ERR invalid expire time in 'getex' command\r\n");
  EXPECT_EQ(server.run("GETEX", "nothing", "EX", 0), "$-1\r\n");
  EXPECT_EQ(server.run("GETEX", "k", "PERSIST", "EX", 1), kSyntaxError);
  EXPECT_EQ(server.run("GETEX", "k", "EX"), kSyntaxError);
  EXPECT_EQ(server.run("GETEX", "k", "PXAT", 1), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("GETDEL", "k"), "$-1\r\n");
  server.run("SET", "k", "v");
  EXPECT_EQ(server.run("GETDEL", "k"), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("EXISTS", "k"), ":0\r\n");
}

TEST(Strings, SeveralAtOnce) {
  Server server;
  EXPECT_EQ(server.run("MSET", "a", 1, "b", 2, "a", 3), "+OK\r\n");
  EXPECT_EQ(server.run("MGET", "a", "nothing", "b"), "*3\r\n$1\r\n3\r\n$-1\r\n$1\r\n2\r\n");
  EXPECT_EQ(server.run("MSETNX", "c", 1, "a", 2), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "c"), ":0\r\n");
  EXPECT_EQ(server.run("MSETNX", "c", 1, "d", 2), ":1\r\n");
  EXPECT_EQ(server.run("MSET", "a", 1, "b"),
            "-ERR wrong number of arguments for 'mset' command\r\n");
  EXPECT_EQ(server.run("MSETNX", "a", 1, "b"),
            "-ERR wrong number of arguments for 'msetnx' command\r\n");
}

TEST(Strings, Counting) {
  Server server;
  EXPECT_EQ(server.run("INCR", "n"), ":1\r\n");
  EXPECT_EQ(server.run("INCRBY", "n", 9), ":10\r\n");
  EXPECT_EQ(server.run("DECRBY", "n", 12), ":-2\r\n");
  EXPECT_EQ(server.run("DECR", "n"), ":-3\r\n");
  EXPECT_EQ(server.run("GET", "n"), "$2\r\n-3\r\n");
  server.run("SET", "n", "9223372036854775807", "PX", 100);
  EXPECT_EQ(server.run("INCR", "n"), "-ERR increment or decrement would overflow\r\n");
  EXPECT_EQ(server.run("DECR", "n"), ":9223372036854775806\r\n");
  EXPECT_EQ(server.run("PTTL", "n"), ":100\r\n");
  EXPECT_EQ(server.run("DECRBY", "n", "-9223372036854775808"), "-ERR decrement would overflow\r\n");
  EXPECT_EQ(server.run("INCRBY", "n", "1.5"), kNotAnInteger);
  server.run("SET", "s", "ten");
  EXPECT_EQ(server.run("INCR", "s"), kNotAnInteger);
}

TEST(Strings, CountingInFractions) {
  Server server;
  EXPECT_EQ(server.run("INCRBYFLOAT", "n", "10.5"), "$4\r\n10.5\r\n");
  EXPECT_EQ(server.run("INCRBYFLOAT", "n", "0.1"), "$4\r\n10.6\r\n");
  EXPECT_EQ(server.run("INCRBYFLOAT", "n", "-5.6"), "$1\r\n5\r\n");
  EXPECT_EQ(server.run("INCRBYFLOAT", "n", "5e3"), "$4\r\n5005\r\n");
  EXPECT_EQ(server.run("INCRBYFLOAT", "n", "x"), "-ERR value is not a valid float\r\n");
  EXPECT_EQ(server.run("INCRBYFLOAT", "n", "inf"),
            "-ERR increment would produce NaN or Infinity\r\n");
  EXPECT_EQ(server.run("GET", "n"), "$4\r\n5005\r\n");
}

TEST(Strings, Parts) {
  Server server;
  server.run("SET", "k", "This is a string");
  EXPECT_EQ(server.run("GETRANGE", "k", 0, 3), "$4\r\nThis\r\n");
  EXPECT_EQ(server.run("GETRANGE", "k", -3, -1), "$3\r\ning\r\n");
  EXPECT_EQ(server.run("SUBSTR", "k", 10, 100), "$6\r\nstring\r\n");
  EXPECT_EQ(server.run("GETRANGE", "k", 5, 3), "$0\r\n\r\n");
  EXPECT_EQ(server.run("GETRANGE", "k", "-9223372036854775808", "9223372036854775807"),
            "$16\r\nThis is a string\r\n");
  EXPECT_EQ(server.run("GETRANGE", "nothing", 0, -1), "$0\r\n\r\n");
  EXPECT_EQ(server.run("STRLEN", "k"), ":16\r\n");
  EXPECT_EQ(server.run("STRLEN", "nothing"), ":0\r\n");
}

TEST(Strings, EditingInPlace) {
  Server server;
  EXPECT_EQ(server.run("APPEND", "k", "Hello"), ":5\r\n");
  EXPECT_EQ(server.run("APPEND", "k", " World"), ":11\r\n");
  EXPECT_EQ(server.run("SETRANGE", "k", 6, "Redis"), ":11\r\n");
  EXPECT_EQ(server.run("GET", "k"), "$11\r\nHello Redis\r\n");
  EXPECT_EQ(server.run("SETRANGE", "gap", 2, "x"), ":3\r\n");
  EXPECT_EQ(server.run("GET", "gap"), (std::string{"$3\r\n\0\0x\r\n", 9}));
  EXPECT_EQ(server.run("SETRANGE", "nothing", 2, ""), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "nothing"), ":0\r\n");
  EXPECT_EQ(server.run("SETRANGE", "k", -1, "x"), "-ERR offset is out of range\r\n");
}

TEST(Strings, NoValueGrowsBeyondTheLimit) {
  commands::Settings settings;
  settings.values.max_bulk_bytes = 32;
  Server server{settings};
  const std::string refused = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n";
  server.run("SET", "k", std::string(30, 'k'));
  EXPECT_EQ(server.run("APPEND", "k", "12"), ":32\r\n");
  EXPECT_EQ(server.run("APPEND", "k", "1"), refused);
  EXPECT_EQ(server.run("SETRANGE", "k", 31, "12"), refused);
  EXPECT_EQ(server.run("SETRANGE", "new", "9223372036854775807", "12"), refused);
  EXPECT_EQ(server.run("STRLEN", "k"), ":32\r\n");
  EXPECT_EQ(server.run("EXISTS", "new"), ":0\r\n");
}

TEST(Strings, NoKeyIsLongerThanTheLimit) {
  Server server;
  const std::string longest(64 * 1024, 'k');
  const std::string longer = longest + "k";
  const std::string refused = "-ERR key is longer than 65536 bytes\r\n";
  EXPECT_EQ(server.run("SET", longest, "v"), "+OK\r\n");
  EXPECT_EQ(server.run("SET", longer, "v"), refused);
  EXPECT_EQ(server.run("SET", longer, "v", "NX"), refused);
  EXPECT_EQ(server.run("SETNX", longer, "v"), refused);
  EXPECT_EQ(server.run("SETEX", longer, 10, "v"), refused);
  EXPECT_EQ(server.run("GETSET", longer, "v"), refused);
  EXPECT_EQ(server.run("MSET", "a", "v", longer, "v"), refused);
  EXPECT_EQ(server.run("MSETNX", "a", "v", longer, "v"), refused);
  EXPECT_EQ(server.run("INCR", longer), refused);
  EXPECT_EQ(server.run("INCRBYFLOAT", longer, "1"), refused);
  EXPECT_EQ(server.run("APPEND", longer, "v"), refused);
  EXPECT_EQ(server.run("SETRANGE", longer, 0, "v"), refused);
  EXPECT_EQ(server.run("RENAME", longest, longer), refused);
  EXPECT_EQ(server.run("RENAMENX", longest, longer), refused);
  EXPECT_EQ(server.run("COPY", longest, longer), refused);
  EXPECT_EQ(server.run("GET", longer), "$-1\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":1\r\n");
}

TEST(Strings, LongestCommonSubsequence) {
  Server server;
  server.run("MSET", "a", "ohmytext", "b", "mynewtext");
  EXPECT_EQ(server.run("LCS", "a", "b"), "$6\r\nmytext\r\n");
  EXPECT_EQ(server.run("LCS", "a", "b", "LEN"), ":6\r\n");
  EXPECT_EQ(server.run("LCS", "a", "b", "IDX", "MINMATCHLEN", 4, "WITHMATCHLEN"),
            "*4\r\n$7\r\nmatches\r\n*1\r\n*3\r\n*2\r\n:4\r\n:7\r\n*2\r\n:5\r\n:8\r\n:4\r\n"
            "$3\r\nlen\r\n:6\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("LCS", "a", "nothing", "IDX"),
            "%2\r\n$7\r\nmatches\r\n*0\r\n$3\r\nlen\r\n:0\r\n");
  EXPECT_EQ(server.run("LCS", "a", "b", "LEN", "IDX"),
            "-ERR If you want both the length and indexes, please just use IDX.\r\n");
  EXPECT_EQ(server.run("LCS", "a", "b", "x"), kSyntaxError);
}

TEST(Strings, LcsDoesNotTakeMoreMemoryThanAValue) {
  Server server;
  const std::string text(3000, 'x');
  server.run("MSET", "a", text, "b", text);
  EXPECT_EQ(server.run("LCS", "a", "b"),
            "-ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len\r\n");
}

}  // namespace
}  // namespace fencepost::tests
