// The set family, as a client sees it.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

TEST(Sets, MembersAreAddedAskedForAndRemoved) {
  Server server;
  EXPECT_EQ(server.run("SADD", "s", "a", "b", "a"), ":2\r\n");
  EXPECT_EQ(server.run("SADD", "s", "a", "c"), ":1\r\n");
  EXPECT_EQ(server.run("SCARD", "s"), ":3\r\n");
  EXPECT_EQ(server.run("SISMEMBER", "s", "b"), ":1\r\n");
  EXPECT_EQ(server.run("SISMEMBER", "s", "B"), ":0\r\n");
  EXPECT_EQ(server.run("SMISMEMBER", "s", "a", "no", "c"), "*3\r\n:1\r\n:0\r\n:1\r\n");
  EXPECT_EQ(server.run("SREM", "s", "a", "no", "a"), ":1\r\n");
  EXPECT_EQ(server.run("SCARD", "s"), ":2\r\n");
  EXPECT_EQ(server.run("TYPE", "s"), "+set\r\n");
}

TEST(Sets, AKeyThatIsNotThereIsAnEmptySet) {
  Server server;
  EXPECT_EQ(server.run("SCARD", "s"), ":0\r\n");
  EXPECT_EQ(server.run("SISMEMBER", "s", "a"), ":0\r\n");
  EXPECT_EQ(server.run("SMISMEMBER", "s", "a", "b"), "*2\r\n:0\r\n:0\r\n");
  EXPECT_EQ(server.run("SMEMBERS", "s"), "*0\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("SMEMBERS", "s"), "~0\r\n");
  EXPECT_EQ(server.run("SREM", "s", "a"), ":0\r\n");
}

TEST(Sets, NumbersComeInOrder) {
  Server server;
  server.run("SADD", "s", 30, -2, 5, "9223372036854775807");
  EXPECT_EQ(server.run("SMEMBERS", "s"),
            "*4\r\n$2\r\n-2\r\n$1\r\n5\r\n$2\r\n30\r\n$19\r\n9223372036854775807\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("SMEMBERS", "s").substr(0, 4), "~4\r\n");
}

std::string encoding(Server& server, std::string_view key) {
  return server.run("OBJECT", "ENCODING", key);
}
constexpr std::string_view kIntset = "$6\r\nintset\r\n";
constexpr std::string_view kHashtable = "$9\r\nhashtable\r\n";

TEST(Sets, EncodingFollowsTheMembersAndTheSetting) {
  Server server;
  server.run("SADD", "s", 1, 2);
  EXPECT_EQ(encoding(server, "s"), kIntset);
  for (const char* text : {"01", "+1", "-0", "1.0", "9223372036854775808", "", " 1"}) {
    server.run("DEL", "t");
    server.run("SADD", "t", 1, text);
    EXPECT_EQ(encoding(server, "t"), kHashtable) << text;
  }
  server.run("SREM", "t", " 1");
  EXPECT_EQ(encoding(server, "t"), kHashtable);
  server.run("CONFIG", "SET", "set-max-intset-entries", 2);
  server.run("SADD", "s", 2);
  EXPECT_EQ(encoding(server, "s"), kIntset);
  server.run("SADD", "s", 3);
  EXPECT_EQ(encoding(server, "s"), kHashtable);
  EXPECT_EQ(server.run("SISMEMBER", "s", 3), ":1\r\n");
}

TEST(Sets, TheLastMemberTakesTheKeyWithIt) {
  Server server;
  server.run("SADD", "s", "a", 1);
  EXPECT_EQ(server.run("SREM", "s", 1, "a", "b"), ":2\r\n");
  EXPECT_EQ(server.run("EXISTS", "s"), ":0\r\n");
}

TEST(Sets, AMemberMoves) {
  Server server;
  server.run("SADD", "a", "x", "y");
  EXPECT_EQ(server.run("SMOVE", "a", "b", "x"), ":1\r\n");
  EXPECT_EQ(server.run("SMEMBERS", "b"), "*1\r\n$1\r\nx\r\n");
  EXPECT_EQ(server.run("SMOVE", "a", "b", "x"), ":0\r\n");
  EXPECT_EQ(server.run("SMOVE", "a", "a", "y"), ":1\r\n");
  EXPECT_EQ(server.run("SMOVE", "a", "a", "x"), ":0\r\n");
  EXPECT_EQ(server.run("SMOVE", "a", "b", "y"), ":1\r\n");
  EXPECT_EQ(server.run("EXISTS", "a"), ":0\r\n");
  EXPECT_EQ(server.run("SCARD", "b"), ":2\r\n");
  EXPECT_EQ(server.run("SMOVE", "a", "b", "y"), ":0\r\n");
}

// Redis looks at the destination only when there is a source.
TEST(Sets, AMoveBetweenOtherTypesIsRefused) {
  Server server;
  server.run("SET", "k", "v");
  server.run("SADD", "s", "x");
  EXPECT_EQ(server.run("SMOVE", "nothing", "k", "x"), ":0\r\n");
  EXPECT_EQ(server.run("SMOVE", "s", "k", "x"), kWrongType);
  EXPECT_EQ(server.run("SMOVE", "k", "s", "x"), kWrongType);
  EXPECT_EQ(server.run("SMOVE", "s", std::string(64 * 1024 + 1, 'k'), "x"),
            "-ERR key is longer than 65536 bytes\r\n");
  EXPECT_EQ(server.run("SCARD", "s"), ":1\r\n");
}

TEST(Sets, OtherTypesAreRefused) {
  Server server;
  server.run("SET", "k", "v");
  for (const auto& answer :
       {server.run("SADD", "k", "x"), server.run("SREM", "k", "x"), server.run("SCARD", "k"),
        server.run("SISMEMBER", "k", "x"), server.run("SMISMEMBER", "k", "x"),
        server.run("SMEMBERS", "k"), server.run("SPOP", "k"), server.run("SPOP", "k", 0),
        server.run("SRANDMEMBER", "k"), server.run("SRANDMEMBER", "k", 1),
        server.run("SINTER", "nothing", "k"), server.run("SUNION", "k"), server.run("SDIFF", "k"),
        server.run("SINTERSTORE", "d", "nothing", "k"), server.run("SUNIONSTORE", "d", "k"),
        server.run("SDIFFSTORE", "d", "k"), server.run("SINTERCARD", 1, "k"),
        server.run("SSCAN", "k", 0)}) {
    EXPECT_EQ(answer, kWrongType);
  }
  EXPECT_EQ(server.run("SADD", std::string(64 * 1024 + 1, 'k'), "x"),
            "-ERR key is longer than 65536 bytes\r\n");
  EXPECT_EQ(server.run("DBSIZE"), ":1\r\n");
}

TEST(Sets, AFenceIsDrawnWhenTheKeyComesIntoBeing) {
  Server server;
  server.run("SADD", "s", "a");
  server.run("SADD", "s", "b");
  server.run("SREM", "s", "a");
  EXPECT_EQ(server.run("FENCE", "s"), ":1\r\n");
  server.run("SREM", "s", "b");
  server.run("SADD", "s", "b");
  EXPECT_EQ(server.run("FENCE", "s"), ":2\r\n");
}

TEST(Sets, WatchersSeeChangesAndNothingElse) {
  Server server;
  Client other = server.client();
  server.run("SADD", "s", "a", "b", "c");
  const auto is_seen = [&server, &other](const auto&... words) {
    server.run("WATCH", "s");
    other.run(words...);
    server.run("MULTI");
    return server.run("EXEC") == "*-1\r\n";
  };
  EXPECT_FALSE(is_seen("SADD", "s", "a"));
  EXPECT_TRUE(is_seen("SADD", "s", "d"));
  EXPECT_FALSE(is_seen("SREM", "s", "no"));
  EXPECT_TRUE(is_seen("SREM", "s", "d"));
  EXPECT_FALSE(is_seen("SMOVE", "s", "t", "no"));
  EXPECT_TRUE(is_seen("SMOVE", "s", "t", "a"));
  EXPECT_TRUE(is_seen("SMOVE", "t", "s", "a"));
  EXPECT_FALSE(is_seen("SPOP", "s", 0));
  EXPECT_TRUE(is_seen("SPOP", "s"));
  EXPECT_TRUE(is_seen("SUNIONSTORE", "s", "s"));
  EXPECT_TRUE(is_seen("SINTERSTORE", "s", "nothing"));
  EXPECT_FALSE(is_seen("SINTERSTORE", "s", "nothing"));
}

}  // namespace
}  // namespace fencepost::tests
