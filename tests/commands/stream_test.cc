// The stream family, as a client sees it.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
constexpr std::string_view kNoId =
    "-ERR Invalid stream ID specified as stream command argument\r\n";
constexpr std::string_view kNotAbove =
    "-ERR The ID specified in XADD is equal or smaller than the target stream top item\r\n";
constexpr std::string_view kWaits = "";

std::string bulk(std::string_view text) {
  return "$" + std::to_string(text.size()) + "\r\n" + std::string{text} + "\r\n";
}

std::string entry(std::string_view id, const std::vector<std::string>& fields) {
  return "*2\r\n" + bulk(id) + request(fields);
}

TEST(Streams, EntriesHaveIdsThatRise) {
  Server server;
  EXPECT_EQ(server.run("XADD", "s", "5-1", "a", "1"), bulk("5-1"));
  EXPECT_EQ(server.run("XADD", "s", "5-1", "a", "1"), kNotAbove);
  EXPECT_EQ(server.run("XADD", "s", "5-0", "a", "1"), kNotAbove);
  EXPECT_EQ(server.run("XADD", "s", "5", "a", "1"), kNotAbove) << "5 is 5-0";
  EXPECT_EQ(server.run("XADD", "s", "5-*", "a", "1"), bulk("5-2"));
  EXPECT_EQ(server.run("XADD", "s", "6-*", "a", "1"), bulk("6-0"));
  EXPECT_EQ(server.run("XADD", "s", "7", "a", "1"), bulk("7-0"));
  EXPECT_EQ(server.run("XLEN", "s"), ":4\r\n");
  EXPECT_EQ(server.run("XLEN", "nothing"), ":0\r\n");
  EXPECT_EQ(server.run("TYPE", "s"), "+stream\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "s"), bulk("stream"));
}

TEST(Streams, AnIdMayBeTheMoment) {
  Server server;
  const std::string now = std::to_string(server.unix_ms());
  EXPECT_EQ(server.run("XADD", "s", "*", "a", "1"), bulk(now + "-0"));
  EXPECT_EQ(server.run("XADD", "s", "*", "a", "1"), bulk(now + "-1"));
  server.step_wall(-5000);
  EXPECT_EQ(server.run("XADD", "s", "*", "a", "1"), bulk(now + "-2")) << "ids never fall";
  server.step_wall(5000);
  server.pass(3);
  EXPECT_EQ(server.run("XADD", "s", "*", "a", "1"), bulk(std::to_string(server.unix_ms()) + "-0"));
}

TEST(Streams, WhatXaddRefuses) {
  Server server;
  const std::string_view arity = "-ERR wrong number of arguments for 'xadd' command\r\n";
  EXPECT_EQ(server.run("XADD", "s", "0-0", "a", "1"),
            "-ERR The ID specified in XADD must be greater than 0-0\r\n");
  EXPECT_EQ(server.run("XADD", "s", "0-*", "a", "1"), bulk("0-1"));
  EXPECT_EQ(server.run("XADD", "s", "*", "a", "1", "b"), arity);
  EXPECT_EQ(server.run("XADD", "s", "MAXLEN", "5", "*"), arity);
  for (const char* id :
       {"-", "+", "x", "5-", "-5", "5-x", "*-5", "5-*-*", "(5", "", "18446744073709551616-0"}) {
    EXPECT_EQ(server.run("XADD", "s", id, "a", "1"), kNoId) << id;
  }
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("XADD", "text", "*", "a", "1"), kWrongType);
  EXPECT_EQ(server.run("XADD", "n", "NOMKSTREAM", "*", "a", "1"), "$-1\r\n");
  EXPECT_EQ(server.run("EXISTS", "n"), ":0\r\n");
  EXPECT_EQ(server.run("XADD", std::string(70'000, 'k'), "*", "a", "1"),
            "-ERR key is longer than 65536 bytes\r\n");
}

TEST(Streams, TheLastIdIsTheLast) {
  Server server;
  const std::string greatest = "18446744073709551615-18446744073709551615";
  EXPECT_EQ(server.run("XADD", "s", greatest, "a", "1"), bulk(greatest));
  const std::string_view exhausted =
      "-ERR The stream has exhausted the last possible ID, unable to add more items\r\n";
  EXPECT_EQ(server.run("XADD", "s", "*", "a", "1"), exhausted);
  EXPECT_EQ(server.run("XADD", "s", "1-1", "a", "1"), exhausted);
  server.run("XADD", "t", "5-18446744073709551615", "a", "1");
  EXPECT_EQ(server.run("XADD", "t", "5-*", "a", "1"), kNotAbove);
}

TEST(Streams, RangesHaveEndsThatCountOrNot) {
  Server server;
  for (const char* id : {"1-0", "1-1", "2-0", "3-0"}) server.run("XADD", "s", id, "f", id);
  const auto answer = [](const std::vector<std::string>& ids) {
    std::string bytes = "*" + std::to_string(ids.size()) + "\r\n";
    for (const std::string& id : ids) bytes += entry(id, {"f", id});
    return bytes;
  };
  EXPECT_EQ(server.run("XRANGE", "s", "-", "+"), answer({"1-0", "1-1", "2-0", "3-0"}));
  EXPECT_EQ(server.run("XRANGE", "s", "1", "1"), answer({"1-0", "1-1"})) << "all of that moment";
  EXPECT_EQ(server.run("XRANGE", "s", "(1-0", "(3-0"), answer({"1-1", "2-0"}));
  EXPECT_EQ(server.run("XRANGE", "s", "-", "+", "COUNT", 2), answer({"1-0", "1-1"}));
  EXPECT_EQ(server.run("XRANGE", "s", "-", "+", "COUNT", 0), "*-1\r\n");
  EXPECT_EQ(server.run("XRANGE", "s", "3", "1"), "*0\r\n");
  EXPECT_EQ(server.run("XREVRANGE", "s", "+", "-", "COUNT", 2), answer({"3-0", "2-0"}));
  EXPECT_EQ(server.run("XREVRANGE", "s", "(2-0", "1"), answer({"1-1", "1-0"}));
  EXPECT_EQ(server.run("XRANGE", "nothing", "-", "+"), "*0\r\n");
  EXPECT_EQ(server.run("XRANGE", "s", "(-", "+"), kNoId);
  EXPECT_EQ(server.run("XRANGE", "s", "-", "+", "COUNT"), kSyntaxError);
  EXPECT_EQ(server.run("XRANGE", "s", "(18446744073709551615-18446744073709551615", "+"),
            "-ERR invalid start ID for the interval\r\n");
  EXPECT_EQ(server.run("XRANGE", "s", "-", "(0-0"), "-ERR invalid end ID for the interval\r\n");
}

TEST(Streams, AreTrimmed) {
  Server server;
  for (int i = 1; i <= 10; ++i) server.run("XADD", "s", i, "f", "v");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", 8), ":2\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", "=", 8), ":0\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MINID", "5"), ":2\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", "~", 1), ":0\r\n") << "all are in one node";
  EXPECT_EQ(server.run("XADD", "s", "MAXLEN", 3, "11", "f", "v"), bulk("11-0"));
  EXPECT_EQ(server.run("XLEN", "s"), ":3\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", 0), ":3\r\n");
  EXPECT_EQ(server.run("EXISTS", "s"), ":1\r\n") << "a stream without entries stays";
  EXPECT_EQ(server.run("XTRIM", "nothing", "MAXLEN", 0), ":0\r\n");
}

TEST(Streams, NodesAreAsLargeAsTheSettingsSay) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "stream-node-max-entries", 3), "+OK\r\n");
  for (int i = 1; i <= 10; ++i) server.run("XADD", "s", i, "f", "v");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", "~", 5), ":3\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", "~", 0, "LIMIT", 4), ":3\r\n");
  EXPECT_EQ(server.run("CONFIG", "GET", "stream-node-max-entries"),
            request({"stream-node-max-entries", "3"}));
}

TEST(Streams, WhatTrimmingRefuses) {
  Server server;
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", -1), "-ERR The MAXLEN argument must be >= 0.\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", "~", 1, "LIMIT", -1),
            "-ERR The LIMIT argument must be >= 0.\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", 1, "LIMIT", 1),
            "-ERR syntax error, LIMIT cannot be used without the special ~ option\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MAXLEN", 1, "MINID", 1),
            "-ERR syntax error, MAXLEN and MINID options at the same time are not compatible\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "LIMIT", 1),
            "-ERR syntax error, LIMIT cannot be used without specifying a trimming strategy\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "LIMIT", 0),
            "-ERR syntax error, XTRIM must be called with a trimming strategy\r\n");
  EXPECT_EQ(server.run("XTRIM", "s", "MINID", "x"), kNoId);
  EXPECT_EQ(server.run("XTRIM", "s", "LENGTH", 1), kSyntaxError);
}

TEST(Streams, EntriesAreRemovedById) {
  Server server;
  for (int i = 1; i <= 3; ++i) server.run("XADD", "s", i, "f", "v");
  EXPECT_EQ(server.run("XDEL", "s", "2", "2", "7"), ":1\r\n");
  EXPECT_EQ(server.run("XDEL", "s", "1", "x"), kNoId);
  EXPECT_EQ(server.run("XLEN", "s"), ":2\r\n") << "a refused request changes nothing";
  EXPECT_EQ(server.run("XDEL", "s", "1", "3"), ":2\r\n");
  EXPECT_EQ(server.run("EXISTS", "s"), ":1\r\n");
  EXPECT_EQ(server.run("XADD", "s", "3", "f", "v"), kNotAbove) << "the last id is remembered";
  EXPECT_EQ(server.run("XDEL", "nothing", "x"), ":0\r\n");
}

TEST(Streams, TheLastIdCanBeSet) {
  Server server;
  EXPECT_EQ(server.run("XSETID", "s", "5"), "-ERR no such key\r\n");
  server.run("XADD", "s", "3", "f", "v");
  EXPECT_EQ(server.run("XSETID", "s", "2"),
            "-ERR The ID specified in XSETID is smaller than the target stream top item\r\n");
  EXPECT_EQ(server.run("XSETID", "s", "9-5", "ENTRIESADDED", 7, "MAXDELETEDID", "4"), "+OK\r\n");
  EXPECT_EQ(server.run("XADD", "s", "9-*", "f", "v"), bulk("9-6"));
  EXPECT_EQ(server.run("XSETID", "s", "10", "ENTRIESADDED", 1),
            "-ERR The entries_added specified in XSETID is smaller than the target stream "
            "length\r\n");
  EXPECT_EQ(
      server.run("XSETID", "s", "10", "MAXDELETEDID", "11"),
      "-ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id\r\n");
  EXPECT_EQ(server.run("XSETID", "s", "10", "ENTRIESADDED", -1),
            "-ERR entries_added must be positive\r\n");
  EXPECT_EQ(server.run("XSETID", "s", "10", "ELSE", "1"), kSyntaxError);
}

// As redis-server 7.0.15, which tells nobody that the last id is another one.
TEST(Streams, ALastIdThatIsSetIsNoChangeToWhoWatchesOrCaches) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  server.run("XADD", "s", "3", "f", "v");
  alice.run("CLIENT", "TRACKING", "ON");
  alice.run("XLEN", "s");
  alice.run("WATCH", "s");
  EXPECT_EQ(server.run("XSETID", "s", "9"), "+OK\r\n");
  alice.run("MULTI");
  alice.run("PING");
  EXPECT_EQ(alice.run("EXEC"), "*1\r\n+PONG\r\n");
}

TEST(Streams, XinfoTellsTheRest) {
  Server server;
  server.run("XADD", "s", "1", "f", "v");
  server.run("XADD", "s", "2", "f", "v");
  server.run("XDEL", "s", "1");
  const std::string summary = bulk("length") + ":1\r\n" + bulk("radix-tree-keys") + ":1\r\n" +
                              bulk("radix-tree-nodes") + ":2\r\n" + bulk("last-generated-id") +
                              bulk("2-0") + bulk("max-deleted-entry-id") + bulk("1-0") +
                              bulk("entries-added") + ":2\r\n" + bulk("recorded-first-entry-id") +
                              bulk("2-0");
  const std::string rest = bulk("groups") + ":0\r\n" + bulk("first-entry") +
                           entry("2-0", {"f", "v"}) + bulk("last-entry") + entry("2-0", {"f", "v"});
  EXPECT_EQ(server.run("XINFO", "STREAM", "s"), "*20\r\n" + summary + rest);
  EXPECT_EQ(server.client(Protocol::resp3).run("XINFO", "STREAM", "s"), "%10\r\n" + summary + rest);
  EXPECT_EQ(server.run("XINFO", "STREAM", "s", "FULL"), "*18\r\n" + summary + bulk("entries") +
                                                            "*1\r\n" + entry("2-0", {"f", "v"}) +
                                                            bulk("groups") + "*0\r\n");
  EXPECT_EQ(server.run("XINFO", "GROUPS", "s"), "*0\r\n");
  EXPECT_EQ(server.run("XINFO", "CONSUMERS", "s", "g"),
            "-NOGROUP No such consumer group 'g' for key name 's'\r\n");
  EXPECT_EQ(server.run("XINFO", "STREAM", "nothing"), "-ERR no such key\r\n");
  EXPECT_EQ(server.run("XINFO", "STREAM", "s", "HALF"),
            "-ERR unknown subcommand or wrong number of arguments for 'STREAM'. Try XINFO "
            "HELP.\r\n");
}

TEST(Streams, GroupsAreNotThere) {
  Server server;
  EXPECT_TRUE(server.run("XGROUP", "CREATE", "s", "g", "$").starts_with("-ERR unknown command"));
  EXPECT_TRUE(server.run("XACK", "s", "g", "1").starts_with("-ERR unknown command"));
}

TEST(Streams, XreadAnswersWhatIsNew) {
  Server server;
  server.run("XADD", "s", "1", "f", "a");
  server.run("XADD", "s", "2", "f", "b");
  server.run("XADD", "t", "7", "g", "c");
  const std::string in_s = bulk("s") + "*1\r\n" + entry("2-0", {"f", "b"});
  const std::string in_t = bulk("t") + "*1\r\n" + entry("7-0", {"g", "c"});
  EXPECT_EQ(server.run("XREAD", "STREAMS", "s", "t", "1", "0"),
            "*2\r\n*2\r\n" + in_s + "*2\r\n" + in_t);
  EXPECT_EQ(server.client(Protocol::resp3).run("XREAD", "STREAMS", "s", "t", "1", "0"),
            "%2\r\n" + in_s + in_t);
  EXPECT_EQ(server.run("XREAD", "COUNT", 1, "STREAMS", "s", "nothing", "0", "0"),
            "*1\r\n*2\r\n" + bulk("s") + "*1\r\n" + entry("1-0", {"f", "a"}));
  EXPECT_EQ(server.run("XREAD", "STREAMS", "s", "t", "2", "$"), "*-1\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("XREAD", "STREAMS", "s", "$"), "_\r\n");
  EXPECT_EQ(server.run("XREAD", "STREAMS", "s", "t", "0"),
            "-ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be "
            "specified.\r\n");
  EXPECT_EQ(server.run("XREAD", "STREAMS", "s", "+"), kNoId);
  EXPECT_EQ(server.run("XREAD", "COUNT", 1, "BLOCK", "1"), kSyntaxError);
  server.run("SET", "text", "v");
  EXPECT_EQ(server.run("XREAD", "STREAMS", "text", "0"), kWrongType);
}

TEST(BlockingStreams, AllWhoWaitAreToldOfAnEntry) {
  Server server;
  Client alice = server.client();
  Client bob = server.client(Protocol::resp3);
  EXPECT_EQ(alice.run("XREAD", "BLOCK", 0, "STREAMS", "s", "$"), kWaits);
  EXPECT_EQ(bob.run("XREAD", "BLOCK", 0, "STREAMS", "t", "s", "5", "0-0"), kWaits);
  server.run("XADD", "s", "1", "f", "v");
  const std::string told = bulk("s") + "*1\r\n" + entry("1-0", {"f", "v"});
  EXPECT_EQ(alice.take(), "*1\r\n*2\r\n" + told);
  EXPECT_EQ(bob.take(), "%1\r\n" + told);
  EXPECT_EQ(server.run("XLEN", "s"), ":1\r\n");
}

TEST(BlockingStreams, WhatIsKnownDoesNotServe) {
  Server server;
  Client alice = server.client();
  alice.begin("XREAD", "BLOCK", 0, "STREAMS", "s", "5");
  server.run("XADD", "s", "3", "f", "v");
  server.run("XADD", "s", "5", "f", "v");
  EXPECT_EQ(alice.take(), kWaits);
  server.run("XADD", "s", "6", "f", "v");
  EXPECT_EQ(alice.take(), "*1\r\n*2\r\n" + bulk("s") + "*1\r\n" + entry("6-0", {"f", "v"}));
}

// "$" is the last entry as it was when the request came, however often the stream changes then.
TEST(BlockingStreams, TheLastIdIsThatOfTheBeginning) {
  Server server;
  Client alice = server.client();
  server.run("XADD", "s", "5", "f", "v");
  alice.begin("XREAD", "COUNT", 2, "BLOCK", 0, "STREAMS", "s", "$");
  server.first().send("MULTI\r\nXADD s 6 f a\r\nXADD s 7 f b\r\nXADD s 8 f c\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), "*1\r\n*2\r\n" + bulk("s") + "*2\r\n" + entry("6-0", {"f", "a"}) +
                              entry("7-0", {"f", "b"}));
}

// As Redis: the client is told that there was something, though it is gone again.
TEST(BlockingStreams, AnEntryThatIsGoneAgainIsToldAsNone) {
  Server server;
  Client alice = server.client();
  alice.begin("XREAD", "BLOCK", 0, "STREAMS", "s", "$");
  server.first().send("MULTI\r\nXADD s 6 f a\r\nXDEL s 6\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), "*1\r\n*2\r\n" + bulk("s") + "*0\r\n");
}

TEST(BlockingStreams, AWaitEndsWithANullArray) {
  Server server;
  Client alice = server.client();
  alice.begin("XREAD", "BLOCK", 100, "STREAMS", "s", "$");
  server.pass(101);
  EXPECT_EQ(alice.take(), "*-1\r\n");
  EXPECT_EQ(alice.run("XREAD", "BLOCK", "0.5", "STREAMS", "s", "$"),
            "-ERR timeout is not an integer or out of range\r\n");
  EXPECT_EQ(alice.run("XREAD", "BLOCK", -1, "STREAMS", "s", "$"), "-ERR timeout is negative\r\n");
  alice.send("MULTI\r\nXREAD BLOCK 0 STREAMS s $\r\n");
  alice.take();
  EXPECT_EQ(alice.run("EXEC"), "*1\r\n*-1\r\n");
  EXPECT_TRUE(alice.run("EVAL", "return redis.call('xread', 'BLOCK', 0, 'STREAMS', 's', '$')", 0)
                  .starts_with("-ERR xread command is not allowed with BLOCK option from scripts"));
}

TEST(BlockingStreams, WhoIsGoneIsForgotten) {
  Server server;
  Client alice = server.client();
  alice.begin("XREAD", "BLOCK", 0, "STREAMS", "s", "$");
  EXPECT_EQ(server.engine().state().parked().size(), 1U);
  alice.hang_up();
  EXPECT_EQ(server.engine().state().parked().size(), 0U);
}

TEST(BlockingStreams, AKeyOfAnotherTypeServesNobody) {
  Server server;
  Client alice = server.client();
  alice.begin("XREAD", "BLOCK", 0, "STREAMS", "s", "$");
  server.run("RPUSH", "s", "1");
  EXPECT_EQ(alice.take(), kWaits);
  server.run("DEL", "s");
  server.run("XADD", "t", "1", "f", "v");
  server.run("RENAME", "t", "s");
  EXPECT_EQ(alice.take(), "*1\r\n*2\r\n" + bulk("s") + "*1\r\n" + entry("1-0", {"f", "v"}));
}

}  // namespace
}  // namespace fencepost::tests
