// The hash family, as a client sees it.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
constexpr std::string_view kNil = "$-1\r\n";

TEST(Hashes, FieldsAreSetReadAndRemoved) {
  Server server;
  EXPECT_EQ(server.run("HSET", "h", "f", "v", "g", "w"), ":2\r\n");
  EXPECT_EQ(server.run("HSET", "h", "f", "x", "i", ""), ":1\r\n");
  EXPECT_EQ(server.run("HGET", "h", "f"), "$1\r\nx\r\n");
  EXPECT_EQ(server.run("HGET", "h", "F"), kNil);
  EXPECT_EQ(server.run("HMGET", "h", "i", "no", "g"), "*3\r\n$0\r\n\r\n$-1\r\n$1\r\nw\r\n");
  EXPECT_EQ(server.run("HLEN", "h"), ":3\r\n");
  EXPECT_EQ(server.run("HSTRLEN", "h", "f"), ":1\r\n");
  EXPECT_EQ(server.run("HSTRLEN", "h", "no"), ":0\r\n");
  EXPECT_EQ(server.run("HEXISTS", "h", "g"), ":1\r\n");
  EXPECT_EQ(server.run("HDEL", "h", "g", "no", "g"), ":1\r\n");
  EXPECT_EQ(server.run("HEXISTS", "h", "g"), ":0\r\n");
  EXPECT_EQ(server.run("TYPE", "h"), "+hash\r\n");
}

TEST(Hashes, FieldsAndValuesAreAnyBytes) {
  Server server;
  const std::string bytes{"\0\r\n\xff$1\r\n", 8};
  EXPECT_EQ(server.run("HSET", bytes, bytes, bytes), ":1\r\n");
  EXPECT_EQ(server.run("HGET", bytes, bytes), "$8\r\n" + bytes + "\r\n");
  EXPECT_EQ(server.run("HSET", bytes, "", "empty"), ":1\r\n");
  EXPECT_EQ(server.run("HGET", bytes, ""), "$5\r\nempty\r\n");
}

TEST(Hashes, AKeyThatIsNotThereIsAnEmptyHash) {
  Server server;
  EXPECT_EQ(server.run("HGET", "h", "f"), kNil);
  EXPECT_EQ(server.run("HMGET", "h", "f", "g"), "*2\r\n$-1\r\n$-1\r\n");
  EXPECT_EQ(server.run("HLEN", "h"), ":0\r\n");
  EXPECT_EQ(server.run("HKEYS", "h"), "*0\r\n");
  EXPECT_EQ(server.run("HVALS", "h"), "*0\r\n");
  EXPECT_EQ(server.run("HGETALL", "h"), "*0\r\n");
  EXPECT_EQ(server.run("HDEL", "h", "f"), ":0\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("HGETALL", "h"), "%0\r\n");
}

TEST(Hashes, TheLastFieldTakesTheKeyWithIt) {
  Server server;
  server.run("HSET", "h", "f", "v");
  EXPECT_EQ(server.run("HDEL", "h", "f"), ":1\r\n");
  EXPECT_EQ(server.run("EXISTS", "h"), ":0\r\n");
}

TEST(Hashes, SmallOnesKeepTheOrderOfTheirFields) {
  Server server;
  server.run("HSET", "h", "c", 1, "a", 2, "b", 3);
  server.run("HSET", "h", "a", 4);
  EXPECT_EQ(server.run("HKEYS", "h"), "*3\r\n$1\r\nc\r\n$1\r\na\r\n$1\r\nb\r\n");
  server.run("HDEL", "h", "c");
  server.run("HSET", "h", "c", 5);
  EXPECT_EQ(server.run("HVALS", "h"), "*3\r\n$1\r\n4\r\n$1\r\n3\r\n$1\r\n5\r\n");
  EXPECT_EQ(server.run("HGETALL", "h"),
            "*6\r\n$1\r\na\r\n$1\r\n4\r\n$1\r\nb\r\n$1\r\n3\r\n$1\r\nc\r\n$1\r\n5\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("HGETALL", "h").substr(0, 4), "%3\r\n");
}

TEST(Hashes, HmsetAnswersOk) {
  Server server;
  EXPECT_EQ(server.run("HMSET", "h", "f", "v"), "+OK\r\n");
  EXPECT_EQ(server.run("HMSET", "h", "f", "v", "g"),
            "-ERR wrong number of arguments for 'hmset' command\r\n");
  EXPECT_EQ(server.run("HSET", "h", "f", "v", "g"),
            "-ERR wrong number of arguments for 'hset' command\r\n");
  EXPECT_EQ(server.run("HLEN", "h"), ":1\r\n");
}

TEST(Hashes, HsetnxSetsAFieldOnlyOnce) {
  Server server;
  EXPECT_EQ(server.run("HSETNX", "h", "f", "a"), ":1\r\n");
  EXPECT_EQ(server.run("HSETNX", "h", "f", "b"), ":0\r\n");
  EXPECT_EQ(server.run("HGET", "h", "f"), "$1\r\na\r\n");
}

TEST(Hashes, NumbersAreAddedTo) {
  Server server;
  EXPECT_EQ(server.run("HINCRBY", "h", "n", 5), ":5\r\n");
  EXPECT_EQ(server.run("HINCRBY", "h", "n", -7), ":-2\r\n");
  EXPECT_EQ(server.run("HINCRBYFLOAT", "h", "n", "0.5"), "$4\r\n-1.5\r\n");
  EXPECT_EQ(server.run("HINCRBY", "h", "n", 1), "-ERR hash value is not an integer\r\n");
  EXPECT_EQ(server.run("HINCRBY", "h", "n", "x"),
            "-ERR value is not an integer or out of range\r\n");
  server.run("HSET", "h", "n", "9223372036854775807", "t", "text");
  EXPECT_EQ(server.run("HINCRBY", "h", "n", 1), "-ERR increment or decrement would overflow\r\n");
  EXPECT_EQ(server.run("HINCRBYFLOAT", "h", "t", 1), "-ERR hash value is not a float\r\n");
  EXPECT_EQ(server.run("HINCRBYFLOAT", "h", "n", "x"), "-ERR value is not a valid float\r\n");
  EXPECT_EQ(server.run("HINCRBYFLOAT", "h", "n", "inf"), "-ERR value is NaN or Infinity\r\n");
  server.run("HSET", "h", "i", "inf");
  EXPECT_EQ(server.run("HINCRBYFLOAT", "h", "i", "1"),
            "-ERR increment would produce NaN or Infinity\r\n");
  EXPECT_EQ(server.run("HGET", "h", "n"), "$19\r\n9223372036854775807\r\n");
}

TEST(Hashes, OtherTypesAreRefused) {
  Server server;
  server.run("SET", "k", "v");
  for (const auto& answer :
       {server.run("HSET", "k", "f", "v"), server.run("HMSET", "k", "f", "v"),
        server.run("HSETNX", "k", "f", "v"), server.run("HGET", "k", "f"),
        server.run("HMGET", "k", "f"), server.run("HDEL", "k", "f"), server.run("HLEN", "k"),
        server.run("HSTRLEN", "k", "f"), server.run("HEXISTS", "k", "f"), server.run("HKEYS", "k"),
        server.run("HVALS", "k"), server.run("HGETALL", "k"), server.run("HINCRBY", "k", "f", 1),
        server.run("HINCRBYFLOAT", "k", "f", 1), server.run("HRANDFIELD", "k"),
        server.run("HRANDFIELD", "k", 2), server.run("HSCAN", "k", 0)}) {
    EXPECT_EQ(answer, kWrongType);
  }
  EXPECT_EQ(server.run("GET", "k"), "$1\r\nv\r\n");
  server.run("HSET", "h", "f", "v");
  EXPECT_EQ(server.run("GET", "h"), kWrongType);
}

TEST(Hashes, NamesOfKeysHaveALength) {
  Server server;
  const std::string longest(64 * 1024 + 1, 'k');
  const std::string refused = "-ERR key is longer than 65536 bytes\r\n";
  EXPECT_EQ(server.run("HSET", longest, "f", "v"), refused);
  EXPECT_EQ(server.run("HSETNX", longest, "f", "v"), refused);
  EXPECT_EQ(server.run("HINCRBY", longest, "f", 1), refused);
  EXPECT_EQ(server.run("HINCRBYFLOAT", longest, "f", 1), refused);
  EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
}

std::string encoding(Server& server, std::string_view key) {
  return server.run("OBJECT", "ENCODING", key);
}
constexpr std::string_view kListpack = "$8\r\nlistpack\r\n";
constexpr std::string_view kHashtable = "$9\r\nhashtable\r\n";

TEST(Hashes, EncodingFollowsTheSettings) {
  Server server;
  server.run("HSET", "h", std::string(64, 'f'), std::string(64, 'v'));
  EXPECT_EQ(encoding(server, "h"), kListpack);
  server.run("HSET", "h", "f", std::string(65, 'v'));
  EXPECT_EQ(encoding(server, "h"), kHashtable);
  server.run("HDEL", "h", "f");
  EXPECT_EQ(encoding(server, "h"), kHashtable);

  EXPECT_EQ(server.run("CONFIG", "SET", "hash-max-ziplist-entries", 2, "hash-max-ziplist-value", 3),
            "+OK\r\n");
  EXPECT_EQ(server.run("CONFIG", "GET", "hash-max-listpack-entries"),
            "*2\r\n$25\r\nhash-max-listpack-entries\r\n$1\r\n2\r\n");
  server.run("HSET", "i", "a", 1, "b", 2);
  EXPECT_EQ(encoding(server, "i"), kListpack);
  server.run("HSET", "i", "c", 3);
  EXPECT_EQ(encoding(server, "i"), kHashtable);
  server.run("HSET", "j", "long", 1);
  EXPECT_EQ(encoding(server, "j"), kHashtable);
  server.run("HINCRBY", "l", "n", 1000);
  EXPECT_EQ(encoding(server, "l"), kHashtable);
}

// Redisson's locks are hashes.
TEST(Hashes, AFenceIsDrawnWhenTheKeyComesIntoBeing) {
  Server server;
  server.run("HSET", "lock", "owner", 1);
  EXPECT_EQ(server.run("FENCE", "lock"), ":1\r\n");
  server.run("HINCRBY", "lock", "owner", 1);
  server.run("HSET", "lock", "other", 1);
  EXPECT_EQ(server.run("FENCE", "lock"), ":1\r\n");
  server.run("DEL", "lock");
  server.run("HINCRBY", "lock", "owner", 1);
  EXPECT_EQ(server.run("FENCE", "lock"), ":2\r\n");
  server.run("HDEL", "lock", "owner");
  server.run("HSETNX", "lock", "owner", 1);
  EXPECT_EQ(server.run("FENCE", "lock"), ":3\r\n");
}

TEST(Hashes, AreNoLocksOfOurs) {
  Server server;
  server.run("HSET", "lock", "alice", 1);
  EXPECT_EQ(server.run("LOCK", "lock", "bob"), kWrongType);
  server.run("HDEL", "lock", "alice");
  EXPECT_EQ(server.run("LOCK", "lock", "bob"), ":2\r\n");
  EXPECT_EQ(server.run("HSET", "lock", "alice", 1), kWrongType);
}

TEST(Hashes, WatchersSeeChangesAndNothingElse) {
  Server server;
  Client other = server.client();
  server.run("HSET", "h", "f", "v", "g", "w");
  const auto is_seen = [&server, &other](const auto&... words) {
    server.run("WATCH", "h");
    other.run(words...);
    server.run("MULTI");
    return server.run("EXEC") == "*-1\r\n";
  };
  EXPECT_TRUE(is_seen("HSET", "h", "f", "v"));
  EXPECT_TRUE(is_seen("HINCRBY", "h", "n", 0));
  EXPECT_TRUE(is_seen("HDEL", "h", "g"));
  EXPECT_FALSE(is_seen("HDEL", "h", "g"));
  EXPECT_FALSE(is_seen("HSETNX", "h", "f", "v"));
  EXPECT_FALSE(is_seen("HINCRBY", "h", "f", 1));
  EXPECT_FALSE(is_seen("HGETALL", "h"));
}

TEST(Hashes, AreCopiedRenamedAndCounted) {
  Server server;
  server.run("HSET", "h", "f", "v");
  EXPECT_EQ(server.run("COPY", "h", "copy"), ":1\r\n");
  server.run("HSET", "copy", "f", "w");
  EXPECT_EQ(server.run("HGET", "h", "f"), "$1\r\nv\r\n");
  EXPECT_EQ(server.run("RENAME", "copy", "moved"), "+OK\r\n");
  EXPECT_EQ(server.run("HGET", "moved", "f"), "$1\r\nw\r\n");
  EXPECT_EQ(server.run("SCAN", 0, "TYPE", "hash", "MATCH", "h"),
            "*2\r\n$1\r\n0\r\n*1\r\n$1\r\nh\r\n");
  const std::string before = server.run("MEMORY", "USAGE", "h");
  server.run("HSET", "h", "g", std::string(10'000, 'x'));
  EXPECT_NE(server.run("MEMORY", "USAGE", "h"), before);
  EXPECT_EQ(server.run("PEXPIRE", "h", 10), ":1\r\n");
  server.run("HSET", "h", "i", 1);
  EXPECT_EQ(server.run("PTTL", "h"), ":10\r\n");
  server.pass(11);
  EXPECT_EQ(server.run("HLEN", "h"), ":0\r\n");
}

}  // namespace
}  // namespace fencepost::tests
