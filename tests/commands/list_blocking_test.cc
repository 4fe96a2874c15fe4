// BLPOP and its kin: who waits, who is served, in which order, and who is not.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
constexpr std::string_view kWaits = "";

std::string id_of(const Client& client) {
  return std::to_string(static_cast<std::uint64_t>(client.id()));
}

// As the client that was there from the beginning.
std::string say(Server& server, std::string_view lines) {
  server.first().send(lines);
  return server.take();
}

TEST(BlockingLists, WhatIsThereIsTakenAtOnce) {
  Server server;
  server.run("RPUSH", "b", "1", "2", "3", "4");
  EXPECT_EQ(server.run("BLPOP", "a", "b", 0), request({"b", "1"}));
  EXPECT_EQ(server.run("BRPOP", "a", "b", 0), request({"b", "4"}));
  EXPECT_EQ(server.run("BLMOVE", "b", "c", "LEFT", "LEFT", 0), "$1\r\n2\r\n");
  EXPECT_EQ(server.run("BRPOPLPUSH", "b", "c", 0), "$1\r\n3\r\n");
  EXPECT_EQ(server.run("BLMPOP", 0, 2, "b", "c", "LEFT", "COUNT", 5),
            "*2\r\n$1\r\nc\r\n" + request({"3", "2"}));
}

TEST(BlockingLists, ThoseWhoWaitAreServedInTheOrderOfTheirArrival) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  Client carol = server.client();
  EXPECT_EQ(alice.run("BLPOP", "q", 0), kWaits);
  EXPECT_EQ(bob.run("BRPOP", "q", 0), kWaits);
  EXPECT_EQ(carol.run("BLPOP", "q", 0), kWaits);
  EXPECT_EQ(server.run("RPUSH", "q", "1", "2", "3"), ":3\r\n");
  EXPECT_EQ(alice.take(), request({"q", "1"}));
  EXPECT_EQ(bob.take(), request({"q", "3"}));
  EXPECT_EQ(carol.take(), request({"q", "2"}));
  EXPECT_EQ(server.run("EXISTS", "q"), ":0\r\n");
}

TEST(BlockingLists, OfSeveralKeysTheOneCountsThatWasReadyFirst) {
  Server server;
  Client alice = server.client();
  alice.begin("BLPOP", "a", "b", 0);
  say(server, "MULTI\r\nRPUSH b 1\r\nRPUSH a 2\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), request({"b", "1"}));
  EXPECT_EQ(server.run("LRANGE", "a", 0, -1), request({"2"}));
}

// A string at `a` does not make it ready for those who wait for a list.
TEST(BlockingLists, AKeyIsReadyOnceItIsAList) {
  Server server;
  Client alice = server.client();
  alice.begin("BLPOP", "a", "b", 0);
  say(server, "MULTI\r\nSET a x\r\nRPUSH b 1\r\nDEL a\r\nRPUSH a 2\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), request({"b", "1"}));
  alice.begin("BLPOP", "c", 0);
  EXPECT_EQ(server.run("SET", "c", "x"), "+OK\r\n");
  EXPECT_EQ(alice.take(), kWaits);
  say(server, "DEL c\r\nRPUSH c 1\r\n");
  EXPECT_EQ(alice.take(), request({"c", "1"}));
}

TEST(BlockingLists, OfATransactionOnlyTheEndIsSeen) {
  Server server;
  Client alice = server.client();
  alice.begin("BLPOP", "q", 0);
  say(server, "MULTI\r\nRPUSH q 1\r\nDEL q\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), kWaits);
  say(server, "MULTI\r\nRPUSH q 1 2\r\nLPOP q\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), request({"q", "2"}));
  alice.begin("BLPOP", "q", 0);
  server.run("EVAL", "redis.call('RPUSH', KEYS[1], 1, 2, 3) redis.call('LPOP', KEYS[1])", 1, "q");
  EXPECT_EQ(alice.take(), request({"q", "2"}));
}

TEST(BlockingLists, NobodyWaitsInATransactionOrAScript) {
  Server server;
  for (const Protocol protocol : {Protocol::resp2, Protocol::resp3}) {
    Client client = server.client(protocol);
    const std::string none = protocol == Protocol::resp2 ? "*-1\r\n" : "_\r\n";
    const std::string null = protocol == Protocol::resp2 ? "$-1\r\n" : "_\r\n";
    client.send(
        "MULTI\r\nBLPOP q 0\r\nBRPOP q 0\r\nBLMPOP 0 1 q LEFT\r\nBLMOVE q r LEFT LEFT 0\r\n"
        "BRPOPLPUSH q r 0\r\n");
    client.take();
    EXPECT_EQ(client.run("EXEC"), "*5\r\n" + none + none + none + null + null);
    EXPECT_EQ(client.run("EVAL", "return redis.call('BLMPOP', 0, 1, 'q', 'LEFT')", 0), null);
    EXPECT_TRUE(client.run("EVAL", "return redis.call('BLPOP', 'q', 0)", 0)
                    .starts_with("-ERR This Redis command is not allowed from script"));
  }
}

TEST(BlockingLists, AWaitEndsWithANullArray) {
  Server server;
  Client alice = server.client();
  Client bob = server.client(Protocol::resp3);
  Client carol = server.client();
  alice.begin("BLPOP", "q", "0.1");
  bob.begin("BRPOP", "q", "0.1");
  carol.begin("BLMOVE", "q", "r", "LEFT", "LEFT", "0.0999");
  server.pass(100);
  EXPECT_EQ(alice.take() + bob.take() + carol.take(), kWaits);
  server.pass(1);
  EXPECT_EQ(alice.take(), "*-1\r\n");
  EXPECT_EQ(bob.take(), "_\r\n");
  EXPECT_EQ(carol.take(), "*-1\r\n");
  server.run("RPUSH", "q", "1");
  EXPECT_EQ(server.run("LLEN", "q"), ":1\r\n") << "nobody waits any more";
}

TEST(BlockingLists, TimeoutsAreCheckedBeforeTheKeys) {
  Server server;
  server.run("SET", "s", "v");
  EXPECT_EQ(server.run("BLPOP", "s", "x"), "-ERR timeout is not a float or out of range\r\n");
  EXPECT_EQ(server.run("BLPOP", "s", -1), "-ERR timeout is negative\r\n");
  EXPECT_EQ(server.run("BLPOP", "s", "inf"), "-ERR timeout is negative\r\n");
  EXPECT_EQ(server.run("BLPOP", "s", 0), kWrongType);
  EXPECT_EQ(server.run("BLPOP", "q", "s", 0), kWrongType);
  EXPECT_EQ(server.run("BLMOVE", "q", "r", "LEFT", "UP", "x"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("BLMPOP", "x", 1, "s", "UP"), "-ERR syntax error\r\n");
}

TEST(BlockingLists, AnElementGoesThroughAChain) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  Client carol = server.client();
  alice.begin("BLMOVE", "a", "b", "LEFT", "RIGHT", 0);
  bob.begin("BLMOVE", "b", "c", "LEFT", "RIGHT", 0);
  carol.begin("BLPOP", "c", 0);
  server.run("RPUSH", "a", "1");
  EXPECT_EQ(alice.take(), "$1\r\n1\r\n");
  EXPECT_EQ(bob.take(), "$1\r\n1\r\n");
  EXPECT_EQ(carol.take(), request({"c", "1"}));
  EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
}

TEST(BlockingLists, ACircleEnds) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.begin("BRPOPLPUSH", "a", "b", 0);
  bob.begin("BRPOPLPUSH", "b", "a", 0);
  server.run("RPUSH", "a", "1");
  EXPECT_EQ(alice.take(), "$1\r\n1\r\n");
  EXPECT_EQ(bob.take(), "$1\r\n1\r\n");
  EXPECT_EQ(server.run("LRANGE", "a", 0, -1), request({"1"}));
  alice.begin("BLMOVE", "c", "c", "LEFT", "RIGHT", 0);
  server.run("RPUSH", "c", "1", "2");
  EXPECT_EQ(server.run("LRANGE", "c", 0, -1), request({"2", "1"}));
}

TEST(BlockingLists, AWrongDestinationIsAnsweredAndNothingIsLost) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  server.run("SET", "s", "v");
  alice.begin("BLMOVE", "q", "s", "LEFT", "LEFT", 0);
  bob.begin("BLPOP", "q", 0);
  server.run("RPUSH", "q", "1");
  EXPECT_EQ(alice.take(), kWrongType);
  EXPECT_EQ(bob.take(), request({"q", "1"}));
}

TEST(BlockingLists, AKeyMayComeFromElsewhere) {
  Server server;
  Client alice = server.client();
  const auto served = [&](auto... words) {
    server.run("FLUSHALL");
    server.run("RPUSH", "from", "1");
    alice.begin("BLPOP", "to", 0);
    server.run(words...);
    const std::string answer = alice.take();
    if (answer.empty()) server.run("RPUSH", "to", "late");
    alice.take();
    return answer == request({"to", "1"});
  };
  EXPECT_TRUE(served("RENAME", "from", "to"));
  EXPECT_TRUE(served("COPY", "from", "to"));
  EXPECT_TRUE(served("LMOVE", "from", "to", "LEFT", "LEFT"));
  EXPECT_FALSE(served("COPY", "from", "other"));
}

TEST(BlockingLists, AKeyMayComeFromAnotherDatabase) {
  Server server;
  Client alice = server.client();
  Client other = server.client();
  alice.begin("BLPOP", "to", 0);
  other.send("SELECT 1\r\nRPUSH to 1\r\n");
  other.take();
  EXPECT_EQ(alice.take(), kWaits);
  server.run("SWAPDB", 0, 1);
  EXPECT_EQ(alice.take(), request({"to", "1"}));
  alice.begin("BLPOP", "to", 0);
  EXPECT_EQ(other.run("RPUSH", "to", "2"), ":1\r\n");
  EXPECT_EQ(alice.take(), kWaits) << "that is another database";
  other.run("MOVE", "to", 0);
  EXPECT_EQ(alice.take(), request({"to", "2"}));
}

TEST(BlockingLists, ClientUnblockEndsAWait) {
  Server server;
  Client alice = server.client();
  alice.begin("BLPOP", "q", 0);
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id_of(alice)), ":1\r\n");
  EXPECT_EQ(alice.take(), "*-1\r\n");
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id_of(alice)), ":0\r\n");
  alice.begin("BLPOP", "q", 0);
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", id_of(alice), "ERROR"), ":1\r\n");
  EXPECT_EQ(alice.take(), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
  alice.begin("BLPOP", "q", 0);
  say(server, "MULTI\r\nRPUSH q 1\r\nCLIENT UNBLOCK " + id_of(alice) + "\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), "*-1\r\n");
  EXPECT_EQ(server.run("LLEN", "q"), ":1\r\n");
}

TEST(BlockingLists, WhoIsGoneGetsNothing) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.begin("BLPOP", "q", 0);
  alice.hang_up();
  EXPECT_EQ(server.run("RPUSH", "q", "1"), ":1\r\n");
  EXPECT_EQ(server.run("LPOP", "q"), "$1\r\n1\r\n");
  bob.begin("BLPOP", "q", 0);
  EXPECT_TRUE(say(server, "MULTI\r\nRPUSH q 1\r\nCLIENT KILL ID " + id_of(bob) +
                              "\r\nCLIENT UNBLOCK " + id_of(bob) + "\r\nEXEC\r\n")
                  .ends_with("*3\r\n:1\r\n:1\r\n:0\r\n"));
  EXPECT_TRUE(bob.closed());
  EXPECT_EQ(server.run("LLEN", "q"), ":1\r\n");
  Client carol = server.client();
  const std::string kill = "CLIENT KILL ID " + id_of(carol) + "\r\n";
  EXPECT_TRUE(say(server, "MULTI\r\n" + kill + kill + "EXEC\r\n").ends_with("*2\r\n:1\r\n:0\r\n"));
}

TEST(BlockingLists, APipelineBehindAWaitWaitsWithIt) {
  Server server;
  Client alice = server.client();
  alice.send("BLPOP q 0\r\nLLEN q\r\nBLPOP q 0\r\nPING\r\n");
  EXPECT_EQ(alice.take(), kWaits);
  EXPECT_EQ(server.run("RPUSH", "q", "1", "2"), ":2\r\n");
  EXPECT_EQ(alice.take(), request({"q", "1"}) + ":1\r\n" + request({"q", "2"}) + "+PONG\r\n");
}

// Compared with redis-server 7.0.15: CLIENT UNBLOCK comes before anybody is served.
TEST(BlockingLists, ThoseWhoGoOnDoSoInTheOrderInWhichTheirWaitsEnded) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.send("BLPOP a 0\r\nRPUSH log alice\r\n");
  bob.send("BLPOP b 0\r\nRPUSH log bob\r\n");
  say(server, "MULTI\r\nRPUSH a 1\r\nCLIENT UNBLOCK " + id_of(bob) + "\r\nEXEC\r\n");
  EXPECT_EQ(server.run("LRANGE", "log", 0, -1), request({"bob", "alice"}));
}

TEST(BlockingLists, RepliesThatAreNotWantedAreLeftOut) {
  Server server;
  Client alice = server.client();
  alice.send("CLIENT REPLY SKIP\r\nBLPOP q 0\r\nPING\r\n");
  server.run("RPUSH", "q", "1");
  EXPECT_EQ(alice.take(), "+PONG\r\n");
  alice.send("CLIENT REPLY OFF\r\nBLPOP q 0\r\nCLIENT REPLY ON\r\n");
  server.run("RPUSH", "q", "1");
  EXPECT_EQ(alice.take(), "+OK\r\n");
  EXPECT_EQ(server.run("EXISTS", "q"), ":0\r\n");
}

TEST(BlockingLists, AServedWaitBreaksAWatch) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.begin("BLPOP", "q", 0);
  bob.send("WATCH q\r\nMULTI\r\nPING\r\n");
  bob.take();
  server.run("RPUSH", "q", "1");
  EXPECT_EQ(bob.run("EXEC"), "*-1\r\n");
}

TEST(BlockingLists, WhoWaitsIsShown) {
  Server server;
  Client alice = server.client();
  alice.begin("BLPOP", "q", "10");
  const std::string line = server.run("CLIENT", "LIST", "ID", id_of(alice));
  EXPECT_NE(line.find(" flags=b "), std::string::npos) << line;
  EXPECT_NE(line.find(" cmd=blpop "), std::string::npos) << line;
  const std::string info = server.run("INFO", "clients");
  EXPECT_NE(info.find("blocked_clients:1\r\n"), std::string::npos) << info;
  EXPECT_NE(info.find("clients_in_timeout_table:1\r\n"), std::string::npos) << info;
  alice.hang_up();
  EXPECT_NE(server.run("INFO", "clients").find("blocked_clients:0\r\n"), std::string::npos);
}

// As Redis: counted when it begins to wait, in the slow log when it is answered.
TEST(BlockingLists, AWaitIsCountedOnceAndLoggedAtItsEnd) {
  Server server;
  Client alice = server.client();
  server.run("CONFIG", "SET", "slowlog-log-slower-than", 0);
  server.run("SET", "s", "v");
  alice.begin("BLMOVE", "q", "s", "LEFT", "LEFT", 0);
  EXPECT_EQ(server.run("SLOWLOG", "GET", 100).find("BLMOVE"), std::string::npos);
  server.run("RPUSH", "q", "1");
  EXPECT_NE(server.run("SLOWLOG", "GET", 100).find("BLMOVE"), std::string::npos);
  const std::string stats = server.run("INFO", "commandstats");
  const std::size_t at = stats.find("cmdstat_blmove:calls=1,");
  ASSERT_NE(at, std::string::npos) << stats;
  EXPECT_NE(stats.find("failed_calls=1", at), std::string::npos) << stats;
  alice.take();
  server.run("SLOWLOG", "RESET");
  alice.begin("BLPOP", "nothing", "0.1");
  server.pass(101);
  EXPECT_NE(server.run("SLOWLOG", "GET", 100).find("nothing"), std::string::npos);
}

TEST(BlockingLists, AMonitorIsShownTheRequestOnce) {
  Server server;
  Client monitor = server.client();
  Client alice = server.client();
  monitor.run("MONITOR");
  alice.begin("BLPOP", "q", 0);
  server.run("RPUSH", "q", "1");
  const std::string shown = monitor.take();
  const std::size_t first = shown.find("\"BLPOP\" \"q\" \"0\"");
  EXPECT_NE(first, std::string::npos) << shown;
  EXPECT_EQ(shown.find("\"BLPOP\"", first + 1), std::string::npos) << shown;
  EXPECT_NE(shown.find("\"RPUSH\""), std::string::npos) << shown;
}

TEST(BlockingLists, APauseHoldsThemBack) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.begin("BLPOP", "q", "0.5");
  server.run("CLIENT", "PAUSE", 1000, "WRITE");
  bob.begin("BLPOP", "r", "0.3");
  server.pass(501);
  EXPECT_EQ(alice.take(), "*-1\r\n") << "a wait ends in a pause too";
  EXPECT_EQ(bob.take(), kWaits);
  server.pass(700);
  EXPECT_EQ(bob.take(), kWaits) << "its wait began with the end of the pause";
  server.pass(200);
  EXPECT_EQ(bob.take(), "*-1\r\n");
}

TEST(BlockingLists, ShutdownTellsThoseWhoWait) {
  Server server;
  Client alice = server.client();
  alice.begin("BLPOP", "q", 0);
  server.engine().begin_shutdown();
  server.pass(0);
  EXPECT_EQ(alice.take(), "*-1\r\n");
  EXPECT_TRUE(alice.closed());
}

TEST(BlockingLists, TheSameKeyTwiceIsOnePlace) {
  Server server;
  Client alice = server.client();
  alice.begin("BLPOP", "q", "q", "q", 0);
  server.run("RPUSH", "q", "1", "2");
  EXPECT_EQ(alice.take(), request({"q", "1"}));
  EXPECT_EQ(server.run("LLEN", "q"), ":1\r\n");
}

TEST(BlockingLists, WhatWaitsInAllIsBounded) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  server.run("CONFIG", "SET", "blocked-clients-max-memory", 300'000);
  const std::string key(100'000, 'k');
  EXPECT_EQ(alice.run("BLPOP", key, 0), kWaits);
  EXPECT_EQ(bob.run("BLPOP", key, 0),
            "-ERR clients wait for more than blocked-clients-max-memory has room for\r\n");
  EXPECT_EQ(bob.run("PING"), "+PONG\r\n");
  alice.hang_up();
  EXPECT_EQ(bob.run("BLPOP", key, 0), kWaits);
}

// 10,000 on one key, each served by an element of its own, and one on 10,000 keys: a line that was
// walked from its beginning each time would take minutes.
TEST(BlockingLists, LongLinesAreServedInLinearTime) {
  Server server;
  constexpr int kMany = 10'000;
  server.run("CONFIG", "SET", "maxclients", 2 * kMany);
  std::vector<Client> line;
  for (int i = 0; i < kMany; ++i) {
    line.push_back(server.client());
    line.back().begin("BLPOP", "q", 0);
  }
  for (int i = 0; i < kMany; ++i) {
    server.run("RPUSH", "q", i);
    ASSERT_EQ(line[static_cast<std::size_t>(i)].take(), request({"q", std::to_string(i)}));
  }
}

TEST(BlockingLists, OneMayWaitForManyKeys) {
  Server server;
  Client alice = server.client();
  std::vector<std::string> words{"BLPOP"};
  for (int i = 0; i < 10'000; ++i) words.push_back("q" + std::to_string(i));
  words.emplace_back("0");
  for (int i = 0; i < 100; ++i) {
    alice.send(request(words));
    const std::string key = "q" + std::to_string(i * 100);
    server.run("RPUSH", key, "x");
    ASSERT_EQ(alice.take(), request({key, "x"}));
  }
}

}  // namespace
}  // namespace fencepost::tests
