// A script that runs for long: what others hear meanwhile, how it is ended, and that nothing of it
// or of them is lost. The first half has no sockets and comes out the same each time.
#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/sha1.h"
#include "live.h"
#include "stage.h"

namespace fencepost::server {

namespace {

using namespace std::chrono_literals;

const std::string kBusy =
    "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n";
const std::string kUnkillable =
    "-UNKILLABLE Sorry the script already executed write commands against the dataset. You can "
    "either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE "
    "command.\r\n";
// Long enough to be seen, and done by itself.
const std::string kLong = "for i = 1, 5e6 do end";

std::string eval(const std::string& script) {
  return request({"EVAL", script, "0"});
}

std::string killed(const std::string& script) {
  return "-ERR Script killed by user with SCRIPT KILL... script: " + sha1_hex(script) +
         ", on @user_script:1.\r\n";
}

class Busy : public ::testing::Test {
 protected:
  // What happens once, when others are heard for the first time.
  void meanwhile(std::function<void()> happens) {
    stage_.engine().process().while_busy = [this, happens = std::move(happens),
                                            done = false]() mutable {
      if (std::exchange(done, true)) return;
      ++times_;
      happens();
    };
  }

  Stage stage_{{{"busy-reply-threshold", "1"}}};
  ClientId alice_ = stage_.join();
  ClientId bob_ = stage_.join();
  int times_ = 0;
};

TEST_F(Busy, OthersAreToldAndMayEndIt) {
  const std::string endless = "while true do end";
  meanwhile([this] {
    EXPECT_EQ(stage_.ask(bob_, "PING"), kBusy);
    EXPECT_EQ(stage_.ask(bob_, "GET k"), kBusy);
    EXPECT_EQ(stage_.ask(bob_, "CLIENT LIST"), kBusy);
    EXPECT_EQ(stage_.ask(bob_, "NOSUCH").substr(0, 20), "-ERR unknown command");
    EXPECT_EQ(stage_.ask(bob_, "SCRIPT KILL"), "+OK\r\n");
  });
  EXPECT_EQ(stage_.say(alice_, eval(endless) + "PING\r\n"), killed(endless) + "+PONG\r\n");
  EXPECT_EQ(times_, 1);
  EXPECT_EQ(stage_.ask(bob_, "PING"), "+PONG\r\n");
  EXPECT_EQ(stage_.ask(bob_, "SCRIPT KILL"), "-NOTBUSY No scripts in execution right now.\r\n");
}

TEST_F(Busy, AScriptThatIsSoonDoneIsNotSeen) {
  meanwhile([] {});
  EXPECT_EQ(stage_.say(alice_, eval("for i = 1, 1000 do end return 1")), ":1\r\n");
  EXPECT_EQ(times_, 0);
}

TEST_F(Busy, NobodyIsToldWithoutAThreshold) {
  stage_.ask(alice_, "CONFIG SET lua-time-limit 0");
  meanwhile([] {});
  EXPECT_EQ(stage_.say(alice_, eval(kLong + " return 1")), ":1\r\n");
  EXPECT_EQ(times_, 0);
}

TEST_F(Busy, NothingCatchesTheEnd) {
  for (const std::string script :
       {"while true do pcall(function() while true do end end) end",
        "while true do pcall(pcall, function() while true do end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) "
        "end",
        "while true do redis.pcall('ping') end",
        "while true do load(function() while true do end end) end"}) {
    meanwhile([this] { EXPECT_EQ(stage_.ask(bob_, "SCRIPT KILL"), "+OK\r\n"); });
    EXPECT_EQ(stage_.say(alice_, eval(script)), killed(script));
  }
}

TEST_F(Busy, WhatHasWrittenIsNotEndedByClients) {
  meanwhile([this] {
    EXPECT_EQ(stage_.ask(bob_, "SCRIPT KILL"), kUnkillable);
    EXPECT_EQ(stage_.ask(bob_, "SHUTDOWN"), kBusy);
    EXPECT_EQ(stage_.ask(bob_, "SHUTDOWN SAVE"), kBusy);
    EXPECT_EQ(stage_.ask(bob_, "SHUTDOWN ABORT"), "-ERR No shutdown in progress.\r\n");
    EXPECT_FALSE(stage_.engine().shutdown_requested());
    EXPECT_EQ(stage_.ask(bob_, "SHUTDOWN NOSAVE"), "");
    EXPECT_TRUE(stage_.engine().shutdown_requested());
  });
  EXPECT_EQ(stage_.say(alice_, eval("redis.call('SET', 'k', 'v') " + kLong + " return 1")),
            ":1\r\n");
  EXPECT_EQ(times_, 1);
}

TEST_F(Busy, NothingOutlastsTheLastLimit) {
  const std::string endless = "redis.call('SET', 'k', 'v') while true do pcall(error) end";
  meanwhile([this] { stage_.work(61s); });
  EXPECT_EQ(stage_.say(alice_, eval(endless)),
            "-ERR the script ran for 60 seconds and was ended script: " + sha1_hex(endless) +
                ", on @user_script:1.\r\n");
  EXPECT_EQ(stage_.ask(bob_, "GET k"), "$1\r\nv\r\n");
}

TEST_F(Busy, ATransactionThatMeetsItIsRefusedWhole) {
  const ClientId carol = stage_.join();
  stage_.ask(carol, "MULTI");
  stage_.ask(carol, "SET before 1");
  meanwhile([this, carol] {
    EXPECT_EQ(stage_.say(bob_, "MULTI\r\nSET a 1\r\n"), "+OK\r\n" + kBusy);
    EXPECT_EQ(stage_.ask(carol, "EXEC"),
              "-EXECABORT Transaction discarded because of: " + kBusy.substr(1));
    EXPECT_EQ(stage_.ask(carol, "WATCH a"), "+OK\r\n");
    EXPECT_EQ(stage_.ask(carol, "MULTI"), "+OK\r\n");
    EXPECT_EQ(stage_.ask(carol, "DISCARD"), "+OK\r\n");
  });
  stage_.say(alice_, eval(kLong + " return redis.call('SET', 'a', 'b')"));
  EXPECT_EQ(stage_.say(bob_, "SET b 1\r\nEXEC\r\n"),
            "+QUEUED\r\n-EXECABORT Transaction discarded because of previous errors.\r\n");
  EXPECT_EQ(stage_.ask(bob_, "EXISTS a b before"), ":1\r\n");
}

TEST_F(Busy, AWatchMadeMeanwhileSeesTheWrite) {
  meanwhile([this] { EXPECT_EQ(stage_.ask(bob_, "WATCH a"), "+OK\r\n"); });
  stage_.say(alice_, eval(kLong + " return redis.call('SET', 'a', 'b')"));
  EXPECT_EQ(stage_.say(bob_, "MULTI\r\nPING\r\nEXEC\r\n"), "+OK\r\n+QUEUED\r\n*-1\r\n");
}

TEST_F(Busy, AScriptInATransactionIsEndedAndTheRestRuns) {
  const std::string endless = "while true do end";
  meanwhile([this] { EXPECT_EQ(stage_.ask(bob_, "SCRIPT KILL"), "+OK\r\n"); });
  EXPECT_EQ(
      stage_.say(alice_, "MULTI\r\nSET a 1\r\n" + eval(endless) + "GET a\r\nEXEC\r\nPING\r\n"),
      "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n+OK\r\n" + killed(endless) +
          "$1\r\n1\r\n+PONG\r\n");
}

TEST_F(Busy, RepliesLeaveInOrderAndNoneIsLost) {
  meanwhile([this] {
    EXPECT_EQ(stage_.heard(alice_), "") << "the reply that is being written is left alone";
    EXPECT_EQ(stage_.say(bob_, "PING\r\nPING\r\nPI"), kBusy + kBusy);
  });
  EXPECT_EQ(
      stage_.say(alice_, "SET a 1\r\nGET a\r\n" + eval(kLong + " return 'done'") + "GET a\r\n"),
      "+OK\r\n$1\r\n1\r\n$4\r\ndone\r\n$1\r\n1\r\n");
  EXPECT_EQ(stage_.say(bob_, "NG\r\n"), "+PONG\r\n");
}

TEST_F(Busy, WhoWaitsForALockWaitsOnAndIsGrantedBehindTheScript) {
  stage_.ask(alice_, "LOCK door alice");
  EXPECT_EQ(stage_.ask(bob_, "LOCK door bob WAIT 10000"), "");
  meanwhile([this] { EXPECT_EQ(stage_.ask(bob_, "PING"), ""); });
  EXPECT_EQ(stage_.say(alice_, eval("redis.call('DEL', 'door') " + kLong + " return 1")), ":1\r\n");
  EXPECT_EQ(stage_.heard(bob_), ":2\r\n+PONG\r\n");
}

// The next in line must not be told of a lease that has been running since the script began.
TEST_F(Busy, ALeaseBeginsWhenTheScriptHasEnded) {
  stage_.ask(alice_, "LOCK door alice");
  stage_.ask(bob_, "LOCK door bob PX 3000 WAIT 60000");
  meanwhile([this] { stage_.pass(5s); });
  stage_.say(alice_, eval("redis.call('DEL', 'door') " + kLong));
  EXPECT_EQ(times_, 1);
  EXPECT_EQ(stage_.heard(bob_), ":2\r\n");
  EXPECT_EQ(stage_.ask(alice_, "PTTL door"), ":3000\r\n");
}

TEST_F(Busy, WhoGoesMeanwhileIsGrantedNothing) {
  const ClientId carol = stage_.join();
  stage_.ask(alice_, "LOCK door alice");
  stage_.ask(bob_, "LOCK door bob WAIT 10000");
  stage_.ask(carol, "LOCK door carol WAIT 10000");
  meanwhile([this] { stage_.leave(bob_); });
  EXPECT_EQ(stage_.say(alice_, eval("redis.call('DEL', 'door') " + kLong + " return 1")), ":1\r\n");
  EXPECT_EQ(stage_.heard(carol).substr(0, 1), ":");
  EXPECT_NE(stage_.ask(alice_, "LOCKINFO door").find("carol"), std::string::npos);
  EXPECT_EQ(stage_.engine().client_count(), 2U);
}

TEST_F(Busy, WhatWasBoundToWhoGoesEndsBehindTheScript) {
  stage_.ask(bob_, "LOCK door bob BIND");
  meanwhile([this] { stage_.leave(bob_); });
  EXPECT_EQ(stage_.say(alice_, eval(kLong + " return redis.call('EXISTS', 'door')")), ":1\r\n");
  EXPECT_EQ(stage_.ask(alice_, "EXISTS door"), ":0\r\n");
}

TEST_F(Busy, ClientsComeAndGo) {
  meanwhile([this] {
    const ClientId carol = stage_.join();
    EXPECT_EQ(stage_.ask(carol, "PING"), kBusy);
    EXPECT_EQ(stage_.ask(carol, "HELLO 3").substr(0, 2), "%7");
    EXPECT_EQ(stage_.ask(carol, "RESET"), "+RESET\r\n");
    EXPECT_EQ(stage_.ask(carol, "QUIT"), "+OK\r\n");
    EXPECT_FALSE(stage_.is_open(carol));
    const ClientId dave = stage_.join();
    stage_.ask(dave, "POST / HTTP/1.1");
    EXPECT_FALSE(stage_.is_open(dave));
  });
  EXPECT_EQ(stage_.say(alice_, eval(kLong + " return 1")), ":1\r\n");
  EXPECT_EQ(stage_.engine().client_count(), 2U);
}

// Bob's script runs in a turn that alice's bytes began.
TEST_F(Busy, WhoWokeTheScriptsClientIsHeardToo) {
  stage_.ask(alice_, "LOCK door alice");
  EXPECT_EQ(
      stage_.say(bob_, "LOCK door bob WAIT 10000\r\n" + eval("while true do end") + "PING\r\n"),
      "");
  meanwhile([this] {
    EXPECT_EQ(stage_.say(alice_, "PING\r\nSCRIPT KILL\r\n"), ":1\r\n" + kBusy + "+OK\r\n");
  });
  EXPECT_EQ(stage_.ask(alice_, "UNLOCK door alice"), "");
  EXPECT_EQ(stage_.heard(bob_), ":2\r\n" + killed("while true do end") + "+PONG\r\n");
}

TEST_F(Busy, WhoWokeItMayGo) {
  stage_.ask(alice_, "LOCK door alice BIND");
  EXPECT_EQ(stage_.say(bob_, "LOCK door bob WAIT 10000\r\n" + eval(kLong + " return 1")), "");
  meanwhile([] {});
  stage_.leave(alice_);
  EXPECT_EQ(times_, 1);
  EXPECT_EQ(stage_.heard(bob_), ":2\r\n:1\r\n");
  EXPECT_EQ(stage_.engine().client_count(), 1U);
}

TEST_F(Busy, AReadOnlyScriptIsNoDifferent) {
  meanwhile([this] { EXPECT_EQ(stage_.say(bob_, "PING\r\nSCRIPT KILL\r\n"), kBusy + "+OK\r\n"); });
  EXPECT_EQ(stage_.say(alice_, request({"EVAL_RO", "while true do end", "0"})),
            killed("while true do end"));
}

TEST_F(Busy, WhoHasNoPasswordIsToldThatFirst) {
  stage_.ask(alice_, "CONFIG SET requirepass pw");
  meanwhile([this] {
    const ClientId carol = stage_.join();
    EXPECT_EQ(stage_.ask(carol, "GET k"), "-NOAUTH Authentication required.\r\n");
    EXPECT_EQ(stage_.ask(carol, "SCRIPT KILL"), "-NOAUTH Authentication required.\r\n");
    EXPECT_EQ(stage_.ask(carol, "AUTH pw"), "+OK\r\n");
    EXPECT_EQ(stage_.ask(carol, "GET k"), kBusy);
  });
  EXPECT_EQ(stage_.say(alice_, eval(kLong + " return 1")), ":1\r\n");
  EXPECT_EQ(times_, 1);
}

TEST_F(Busy, IsCountedAsARefusal) {
  meanwhile([this] { stage_.ask(bob_, "GET k"); });
  stage_.say(alice_, eval(kLong));
  EXPECT_NE(stage_.ask(bob_, "INFO errorstats").find("errorstat_BUSY:count=1"), std::string::npos);
  EXPECT_NE(stage_.ask(bob_, "INFO commandstats").find("rejected_calls=1"), std::string::npos);
}

// --- with sockets

constexpr std::string_view kTold =
    "(error) BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN "
    "NOSAVE.";

TEST(BusyLive, OldAndNewClientsAreHeard) {
  const LiveServer server{{"--busy-reply-threshold", "50"}};
  LiveClient alice = server.client();
  LiveClient bob = server.client();
  EXPECT_EQ(bob.ask("PING"), "PONG");
  alice.send(eval("while true do end") + "PING\r\n");
  std::this_thread::sleep_for(200ms);
  bob.send("PING\r\nINFO\r\nGET k\r\n");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bob.reply(1s), kTold);
  LiveClient carol = server.client();
  EXPECT_EQ(carol.ask("PING"), kTold);
  EXPECT_EQ(carol.ask("QUIT"), "OK");
  EXPECT_EQ(carol.reply(1s), "(closed)");
  EXPECT_EQ(bob.ask("SCRIPT KILL"), "OK");
  EXPECT_EQ(alice.reply(5s).substr(0, 45), "(error) ERR Script killed by user with SCRIPT");
  EXPECT_EQ(alice.reply(), "PONG");
  bob.send("PING\r\nGET k\r\n");
  EXPECT_EQ(bob.reply(), "PONG");
  EXPECT_EQ(bob.reply(), "(nil)");
}

TEST(BusyLive, ManyClientsCallOnAndGoMeanwhile) {
  const LiveServer server{{"--busy-reply-threshold", "20"}};
  LiveClient alice = server.client();
  alice.send(eval("while true do end"));
  std::this_thread::sleep_for(100ms);
  for (int i = 0; i < 300; ++i) {
    LiveClient one = server.client();
    ASSERT_EQ(one.ask("PING"), kTold) << i;
    if (i % 2 == 0) one.send("PING\r\n");
  }
  LiveClient bob = server.client();
  EXPECT_EQ(bob.ask("SCRIPT KILL"), "OK");
  EXPECT_EQ(bob.ask("PING"), "PONG");
  EXPECT_EQ(bob.ask("CLIENT ID"), "303");
}

TEST(BusyLive, TheScriptOfAClientThatHasGoneCanBeEnded) {
  const LiveServer server{{"--busy-reply-threshold", "20"}};
  LiveClient alice = server.client();
  alice.send(eval("while true do end"));
  std::this_thread::sleep_for(100ms);
  alice.close();
  LiveClient bob = server.client();
  EXPECT_EQ(bob.ask("PING"), kTold);
  EXPECT_EQ(bob.ask("SCRIPT KILL"), "OK");
  EXPECT_EQ(bob.ask("PING"), "PONG");
}

TEST(BusyLive, ShutdownNosaveEndsTheProcessWhateverWasWritten) {
  const Scratch scratch;
  LiveServer server{{"--busy-reply-threshold", "20", "--unixsocket", scratch.path("s")}};
  LiveClient alice = server.client();
  alice.send(eval("redis.call('SET', 'k', 'v') while true do end"));
  std::this_thread::sleep_for(100ms);
  LiveClient bob = server.client();
  EXPECT_EQ(bob.ask("SCRIPT KILL").substr(0, 25), "(error) UNKILLABLE Sorry ");
  EXPECT_EQ(bob.ask("SHUTDOWN"), kTold);
  bob.send("SHUTDOWN NOSAVE\r\n");
  EXPECT_EQ(bob.reply(), "(closed)");
  EXPECT_EQ(alice.reply(), "(closed)");
  EXPECT_EQ(server.wait(), 0);
}

TEST(BusyLive, SigtermEndsAScriptThatHasNotWritten) {
  LiveServer server{{"--busy-reply-threshold", "300"}};
  LiveClient alice = server.client();
  alice.send(eval("while true do end"));
  std::this_thread::sleep_for(100ms);
  server.signal(SIGTERM);  // before anybody is told BUSY
  EXPECT_EQ(alice.reply().substr(0, 28), "(error) ERR Script killed by");
  EXPECT_EQ(alice.reply(), "(closed)");
  EXPECT_EQ(server.wait(), 0);
}

}  // namespace

}  // namespace fencepost::server
