// The one path of a request: order, split bytes, login, transactions, replies that are not wanted.
#include "server/engine.h"

#include <gtest/gtest.h>

#include "base/sha1.h"
#include "stage.h"

namespace fencepost::server {

namespace {

using namespace std::chrono_literals;

// What a journal on disk, or another node, will do with an entry.
TEST(Replay, AnEntryThatNamesAScriptCarriesIt) {
  Stage stage;
  const std::string script = "return redis.call('SET', KEYS[1], ARGV[1])";
  const std::vector<std::string> words{"EVALSHA", sha1_hex(script), "1", "k", "v"};
  const std::vector<std::string_view> views{words.begin(), words.end()};
  const std::vector<journal::Request> requests{views};
  const std::vector<std::string_view> scripts{script};
  journal::Entry entry{.kind = journal::EntryKind::command,
                       .now = {.log = stage.engine().state().clock()},
                       .client = ClientId{77},
                       .requests = requests};
  stage.engine().replay(entry);
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.ask(alice, "EXISTS k"), ":0\r\n") << "this node does not know the script";
  entry.scripts = scripts;
  stage.engine().replay(entry);
  EXPECT_EQ(stage.ask(alice, "GET k"), "$1\r\nv\r\n");
}

TEST(Engine, AnswersInTheOrderOfThePipeline) {
  Stage stage;
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "SET a 1\r\nINCR a\r\nGET a\r\nNOSUCH\r\nPING\r\n"),
            "+OK\r\n:2\r\n$1\r\n2\r\n"
            "-ERR unknown command 'NOSUCH', with args beginning with: \r\n+PONG\r\n");
}

TEST(Engine, AnswersTheSameWhereverTheBytesAreSplit) {
  const std::string bytes = request({"SET", "key", "a\r\nb"}) + "ECHO hello\r\n" +
                            request({"GET", "key"}) + "\r\n*0\r\n" + request({"PING"});
  const std::string replies = "+OK\r\n$5\r\nhello\r\n$4\r\na\r\nb\r\n+PONG\r\n";
  for (std::size_t split = 0; split <= bytes.size(); ++split) {
    Stage stage;
    const ClientId alice = stage.join();
    std::string heard = stage.say(alice, bytes.substr(0, split));
    heard += stage.say(alice, bytes.substr(split));
    EXPECT_EQ(heard, replies) << "split at " << split;
  }
  Stage stage;
  const ClientId alice = stage.join();
  std::string heard;
  for (const char byte : bytes) heard += stage.say(alice, {&byte, 1});
  EXPECT_EQ(heard, replies);
}

TEST(Engine, KeepsNothingOfAConnectionThatHasSaidAll) {
  Stage stage;
  const ClientId alice = stage.join();
  stage.say(alice, "SET a");
  EXPECT_EQ(stage.engine().process().clients.at(alice)->input_bytes, 5U);
  stage.say(alice, " 1\r\n");
  EXPECT_EQ(stage.engine().process().clients.at(alice)->input_bytes, 0U);
  EXPECT_EQ(stage.engine().process().clients.at(alice)->output_bytes, 0U);
}

TEST(Engine, AnswersAProtocolErrorAndCloses) {
  Stage stage;
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "PING\r\n*1\r\nfoo\r\nPING\r\n"),
            "+PONG\r\n-ERR Protocol error: expected '$', got 'f'\r\n");
  EXPECT_FALSE(stage.is_open(alice));
}

TEST(Engine, RunsNothingBehindQuit) {
  Stage stage;
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "QUIT\r\nSET a 1\r\n"), "+OK\r\n");
  EXPECT_FALSE(stage.is_open(alice));
  EXPECT_EQ(stage.ask(stage.join(), "EXISTS a"), ":0\r\n");
}

TEST(Engine, ClosesOnTheWordsOfABrowser) {
  for (const std::string_view word : {"POST / HTTP/1.1", "host: localhost:6379"}) {
    Stage stage;
    const ClientId alice = stage.join();
    EXPECT_EQ(stage.say(alice, std::string{word} + "\r\nSET a 1\r\n"), "");
    EXPECT_FALSE(stage.is_open(alice));
    EXPECT_EQ(stage.ask(stage.join(), "EXISTS a"), ":0\r\n");
  }
}

TEST(Engine, SaysThatThereAreTooManyClients) {
  Stage stage{{{"maxclients", "2"}}};
  const ClientId alice = stage.join();
  stage.join();
  const ClientId carol = stage.join();
  EXPECT_EQ(stage.heard(carol), "-ERR max number of clients reached\r\n");
  EXPECT_FALSE(stage.is_open(carol));
  stage.leave(alice);
  EXPECT_EQ(stage.ask(stage.join(), "PING"), "+PONG\r\n");
}

TEST(Engine, ProtectedModeLetsOnlyItsOwnHostInWhileThereIsNoPassword) {
  const Peer stranger{
      .address = "192.0.2.7:4000", .local_address = "192.0.2.1:6379", .local = false};
  Stage open_house;
  const ClientId mallory = open_house.join(stranger);
  EXPECT_TRUE(open_house.heard(mallory).starts_with("-DENIED "));
  EXPECT_FALSE(open_house.is_open(mallory));

  Stage with_password{{{"requirepass", "secret"}}};
  const ClientId bob = with_password.join(stranger);
  EXPECT_EQ(with_password.say(bob, "AUTH secret\r\nPING\r\n"), "+OK\r\n+PONG\r\n");

  Stage unprotected{{{"protected-mode", "no"}}};
  EXPECT_EQ(unprotected.ask(unprotected.join(stranger), "PING"), "+PONG\r\n");
}

TEST(Engine, RunsNothingBeforeLogin) {
  Stage stage{{{"requirepass", "secret"}}};
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "GET a\r\nGET\r\nNOSUCH\r\nMULTI\r\n"),
            "-NOAUTH Authentication required.\r\n"
            "-ERR wrong number of arguments for 'get' command\r\n"
            "-ERR unknown command 'NOSUCH', with args beginning with: \r\n"
            "-NOAUTH Authentication required.\r\n");
  EXPECT_EQ(stage.ask(alice, "AUTH wrong"),
            "-WRONGPASS invalid username-password pair or user is disabled.\r\n");
  EXPECT_EQ(stage.say(alice, "AUTH secret\r\nGET a\r\n"), "+OK\r\n$-1\r\n");
}

TEST(Engine, TakesLittleBeforeLogin) {
  Stage stage{{{"requirepass", "secret"}}};
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "*11\r\n"),
            "-ERR Protocol error: unauthenticated multibulk length\r\n");
  EXPECT_FALSE(stage.is_open(alice));
  // The limits go with the login, within the same pipeline.
  const ClientId bob = stage.join();
  const std::string large(20'000, 'x');
  EXPECT_EQ(stage.say(bob, request({"AUTH", "secret"}) + request({"SET", "a", large})),
            "+OK\r\n+OK\r\n");
}

TEST(Engine, ATransactionIsOneEntry) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  EXPECT_EQ(stage.say(alice, "MULTI\r\nSET a 1\r\nGET a\r\n"), "+OK\r\n+QUEUED\r\n+QUEUED\r\n");
  EXPECT_EQ(stage.ask(bob, "GET a"), "$-1\r\n");
  EXPECT_EQ(stage.ask(alice, "EXEC"), "*2\r\n+OK\r\n$1\r\n1\r\n");
  EXPECT_EQ(stage.ask(bob, "GET a"), "$1\r\n1\r\n");
}

TEST(Engine, ARefusedCommandAbortsTheTransaction) {
  Stage stage;
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "MULTI\r\nGET\r\nSET a 1\r\nEXEC\r\nEXISTS a\r\n"),
            "+OK\r\n-ERR wrong number of arguments for 'get' command\r\n+QUEUED\r\n"
            "-EXECABORT Transaction discarded because of previous errors.\r\n:0\r\n");
  EXPECT_EQ(stage.say(alice, "MULTI\r\nEXEC now\r\nEXEC\r\n"),
            "+OK\r\n-EXECABORT Transaction discarded because of: wrong number of arguments for "
            "'exec' command\r\n"
            "-ERR EXEC without MULTI\r\n");
}

TEST(Engine, AWatchedKeyThatAnotherChangedStopsTheTransaction) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  EXPECT_EQ(stage.say(alice, "WATCH a\r\nMULTI\r\nSET b 1\r\n"), "+OK\r\n+OK\r\n+QUEUED\r\n");
  EXPECT_EQ(stage.ask(bob, "SET a 2"), "+OK\r\n");
  EXPECT_EQ(stage.say(alice, "EXEC\r\nEXISTS b\r\n"), "*-1\r\n:0\r\n");
}

// Measured against redis-server 7.0.15.
TEST(Engine, LeavesOutTheRepliesThatAreNotWanted) {
  Stage stage;
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "CLIENT REPLY OFF\r\nPING\r\nNOSUCH\r\nCLIENT REPLY ON\r\nPING\r\n"),
            "+OK\r\n+PONG\r\n");
  EXPECT_EQ(stage.say(alice, "CLIENT REPLY SKIP\r\nPING\r\nECHO a\r\n"), "$1\r\na\r\n");
  EXPECT_EQ(stage.say(alice, "CLIENT REPLY SKIP\r\nCLIENT REPLY SKIP\r\nPING\r\nECHO a\r\n"),
            "$1\r\na\r\n");
  EXPECT_EQ(stage.say(alice, "CLIENT REPLY SKIP\r\nSET a 1\r\nGET a\r\n"), "$1\r\n1\r\n");
  EXPECT_EQ(
      stage.say(alice, "MULTI\r\nCLIENT REPLY SKIP\r\nPING\r\nPING\r\nEXEC\r\nPING\r\nECHO b\r\n"),
      "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n+PONG\r\n+PONG\r\n$1\r\nb\r\n");
}

// Measured against redis-server 7.0.15: the pause is asked about before a command is queued, too.
TEST(Engine, APauseHoldsBackWritesOrAll) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  EXPECT_EQ(stage.ask(alice, "CLIENT PAUSE 600 WRITE"), "+OK\r\n");
  EXPECT_EQ(stage.say(bob, "GET a\r\nMULTI\r\nGET a\r\nSET a 1\r\nEXEC\r\n"),
            "$-1\r\n+OK\r\n+QUEUED\r\n");
  stage.pass(599ms);
  EXPECT_EQ(stage.heard(bob), "");
  stage.pass(1ms);
  EXPECT_EQ(stage.heard(bob), "+QUEUED\r\n*2\r\n$-1\r\n+OK\r\n");

  EXPECT_EQ(stage.ask(alice, "CLIENT PAUSE 600 WRITE"), "+OK\r\n");
  EXPECT_EQ(stage.say(bob, "SET a 2\r\nGET a\r\n"), "");
  EXPECT_EQ(stage.ask(alice, "CLIENT UNPAUSE"), "+OK\r\n");
  EXPECT_EQ(stage.heard(bob), "+OK\r\n$1\r\n2\r\n");

  EXPECT_EQ(stage.ask(alice, "CLIENT PAUSE 600 ALL"), "+OK\r\n");
  EXPECT_EQ(stage.ask(bob, "PING"), "");
  stage.pass(600ms);
  EXPECT_EQ(stage.heard(bob), "+PONG\r\n");
}

TEST(Engine, TheNextDeadlineIsTheEndOfAPauseThatHoldsSomebody) {
  Stage stage;
  const ClientId alice = stage.join();
  stage.ask(alice, "CLIENT PAUSE 600 ALL");
  EXPECT_EQ(stage.engine().next_deadline(), kNever);
  stage.ask(alice, "PING");
  EXPECT_EQ(stage.engine().next_deadline() - stage.engine().state().clock(), 600ms);
}

TEST(Engine, AKilledClientIsGoneForTheNextRequest) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  const std::string number = std::to_string(static_cast<std::uint64_t>(bob));
  const std::string heard =
      stage.say(alice, "CLIENT KILL ID " + number + "\r\nCLIENT LIST ID " + number + "\r\n");
  EXPECT_TRUE(heard.starts_with(":1\r\n$0\r\n")) << heard;
  EXPECT_FALSE(stage.is_open(bob));
  EXPECT_TRUE(stage.is_open(alice));
}

TEST(Engine, WhoKillsItselfHearsOfIt) {
  Stage stage;
  const ClientId alice = stage.join();
  const std::string number = std::to_string(static_cast<std::uint64_t>(alice));
  EXPECT_EQ(stage.say(alice, "CLIENT KILL ID " + number + " SKIPME no\r\nPING\r\n"), ":1\r\n");
  EXPECT_FALSE(stage.is_open(alice));
}

TEST(Engine, ClosesWhoSaysNothingForTooLong) {
  Stage stage{{{"timeout", "10"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  for (int second = 0; second < 10; ++second) {
    stage.pass(1s);
    stage.ask(bob, "PING");
  }
  EXPECT_TRUE(stage.is_open(alice));
  stage.pass(1s);
  EXPECT_FALSE(stage.is_open(alice));
  EXPECT_TRUE(stage.is_open(bob));
}

TEST(Engine, MonitorsSeeWhatOthersRun) {
  Stage stage;
  const ClientId monitor = stage.join();
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.ask(monitor, "MONITOR"), "+OK\r\n");
  stage.say(alice, "SELECT 3\r\nSET a \"b c\"\r\nCONFIG GET port\r\nNOSUCH\r\n");
  EXPECT_EQ(stage.heard(monitor),
            "+1700000000.500000 [3 127.0.0.1:40112] \"SELECT\" \"3\"\r\n"
            "+1700000000.500000 [3 127.0.0.1:40112] \"SET\" \"a\" \"b c\"\r\n");
  EXPECT_EQ(stage.ask(monitor, "GET a"), "-ERR Replica can't interact with the keyspace\r\n");
  stage.leave(monitor);
  EXPECT_EQ(stage.engine().process().monitor_count, 0U);
}

TEST(Engine, CountsWhatWasRunRefusedAndFailed) {
  Stage stage;
  const ClientId alice = stage.join();
  stage.say(alice, "SET a x\r\nINCR a\r\nGET\r\nNOSUCH\r\nMULTI\r\nPING\r\nEXEC\r\n");
  const commands::Statistics& statistics = stage.engine().process().statistics;
  const auto of = [&statistics](std::string_view name) {
    return statistics.commands.at(commands::find_command(name));
  };
  EXPECT_EQ(of("SET").calls, 1U);
  EXPECT_EQ(of("SET").microseconds, 3U);
  EXPECT_EQ(of("INCR").failed, 1U);
  EXPECT_EQ(of("GET").calls, 0U);
  EXPECT_EQ(of("GET").rejected, 1U);
  EXPECT_EQ(of("PING").calls, 1U);
  EXPECT_EQ(of("EXEC").calls, 1U);
  EXPECT_EQ(statistics.errors.at("ERR"), 3U);
  EXPECT_EQ(statistics.error_replies, 3U);
}

TEST(Engine, SlowCommandsAreWrittenDown) {
  Stage stage{{{"slowlog-log-slower-than", "3"}}};
  const ClientId alice = stage.join();
  stage.ask(alice, "SET a 1");
  const auto& entries = stage.engine().process().slow_log.entries();
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries.front().arguments, (std::vector<std::string>{"SET", "a", "1"}));
  EXPECT_EQ(entries.front().took_us, 3);
}

}  // namespace

}  // namespace fencepost::server
