// Those who wait: the answer finds them, a pipeline goes on behind it, and a grant that cannot be
// told is given back.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/engine.h"
#include "stage.h"

namespace fencepost::server {

namespace {

using namespace std::chrono_literals;

TEST(Waiting, TheNextInLineIsToldInTheTurnOfTheRelease) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  EXPECT_EQ(stage.ask(alice, "LOCK door alice EX 30"), ":1\r\n");
  EXPECT_EQ(stage.ask(bob, "LOCK door bob WAIT 4000"), "");
  EXPECT_EQ(stage.ask(alice, "UNLOCK door alice"), ":1\r\n");
  EXPECT_EQ(stage.heard(bob), ":2\r\n");
}

TEST(Waiting, APipelineBehindAWaitingLockWaitsWithIt) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "LOCK door alice");
  EXPECT_EQ(stage.say(bob, "PING\r\nLOCK door bob WAIT 4000\r\nSET seen 1\r\nPI"), "+PONG\r\n");
  EXPECT_EQ(stage.say(bob, "NG\r\n"), "");
  EXPECT_EQ(stage.say(alice, "EXISTS seen\r\nUNLOCK door alice\r\nEXISTS seen\r\n"),
            ":0\r\n:1\r\n:0\r\n");
  EXPECT_EQ(stage.heard(bob), ":2\r\n+OK\r\n+PONG\r\n");
  EXPECT_EQ(stage.ask(alice, "EXISTS seen"), ":1\r\n");
}

TEST(Waiting, AWaitThatIsOverIsAnsweredNil) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "LOCK door alice");
  EXPECT_EQ(stage.say(bob, "LOCK door bob WAIT 100\r\nPING\r\n"), "");
  stage.pass(100ms);
  EXPECT_EQ(stage.heard(bob), "");
  stage.pass(1ms);
  EXPECT_EQ(stage.heard(bob), "$-1\r\n+PONG\r\n");
}

TEST(Waiting, TheEngineWantsToBeCalledJustAfterTheEndOfTheLease) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  EXPECT_EQ(stage.engine().next_deadline(), kNever);
  stage.ask(alice, "LOCK door alice PX 100");
  stage.ask(bob, "LOCK door bob WAIT 4000");
  EXPECT_EQ(stage.engine().next_deadline() - stage.engine().state().clock(), 101ms);
  stage.pass(101ms);
  EXPECT_EQ(stage.heard(bob), ":2\r\n");
}

TEST(Waiting, EachIsAnsweredInItsOwnProtocol) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  const ClientId carol = stage.join();
  const ClientId dave = stage.join();
  stage.ask(carol, "HELLO 3");
  stage.say(alice, "LOCK x alice\r\nLOCK y alice\r\n");
  stage.ask(bob, "LOCKMANY 2 x y bob WAIT 50");
  stage.ask(carol, "LOCKMANY 2 x y carol WAIT 50");
  stage.ask(dave, "LOCKMANY 2 x y dave WAIT 4000");
  stage.pass(51ms);
  EXPECT_EQ(stage.heard(bob), "*-1\r\n");
  EXPECT_EQ(stage.heard(carol), "_\r\n");
  stage.leave(bob);
  stage.leave(carol);
  stage.pass(3s);  // their places are no longer kept
  EXPECT_EQ(stage.ask(alice, "UNLOCK x y alice"), ":2\r\n");
  EXPECT_EQ(stage.heard(dave), "*2\r\n:2\r\n:2\r\n");
}

TEST(Waiting, ClientUnblockAnswersNilOrAnError) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  const std::string number = std::to_string(static_cast<std::uint64_t>(bob));
  stage.ask(alice, "LOCK door alice");
  stage.ask(bob, "LOCK door bob WAIT 4000");
  EXPECT_EQ(stage.ask(alice, "CLIENT UNBLOCK " + number), ":1\r\n");
  EXPECT_EQ(stage.heard(bob), "$-1\r\n");
  EXPECT_EQ(stage.ask(alice, "CLIENT UNBLOCK " + number), ":0\r\n");
  stage.ask(bob, "LOCK door bob WAIT 4000");
  EXPECT_EQ(stage.say(alice, "MULTI\r\nCLIENT UNBLOCK " + number + " ERROR\r\nEXEC\r\n"),
            "+OK\r\n+QUEUED\r\n*1\r\n:1\r\n");
  EXPECT_EQ(stage.heard(bob), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
}

TEST(Waiting, AnAnswerThatIsNotWantedIsLeftOut) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "LOCK door alice");
  EXPECT_EQ(stage.say(bob, "CLIENT REPLY SKIP\r\nLOCK door bob WAIT 4000\r\nPING\r\n"), "");
  stage.ask(alice, "UNLOCK door alice");
  EXPECT_EQ(stage.heard(bob), "+PONG\r\n");
  EXPECT_EQ(stage.ask(alice, "GET door"), "$3\r\nbob\r\n");
}

TEST(Waiting, InATransactionNobodyWaits) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "LOCK door alice");
  EXPECT_EQ(stage.say(bob, "MULTI\r\nLOCK door bob WAIT 4000\r\nEXEC\r\nPING\r\n"),
            "+OK\r\n+QUEUED\r\n*1\r\n$-1\r\n+PONG\r\n");
}

TEST(Waiting, WhoHasGoneIsSkipped) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  const ClientId carol = stage.join();
  stage.ask(alice, "LOCK door alice");
  stage.ask(bob, "LOCK door bob WAIT 4000");
  stage.ask(carol, "LOCK door carol WAIT 4000");
  stage.leave(bob);
  stage.ask(alice, "UNLOCK door alice");
  EXPECT_EQ(stage.heard(carol), ":2\r\n");
}

// The socket takes nothing any more when the grant comes, and then it is known to be gone.
TEST(Waiting, AGrantThatCouldNotBeToldGoesToTheNextInLine) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  const ClientId carol = stage.join();
  stage.ask(alice, "LOCK door alice");
  stage.ask(bob, "LOCK door bob WAIT 4000");
  stage.ask(carol, "LOCK door carol WAIT 4000");
  stage.stop_reading(bob);
  stage.ask(alice, "UNLOCK door alice");
  EXPECT_EQ(stage.ask(alice, "GET door"), "$3\r\nbob\r\n");
  stage.leave(bob);
  EXPECT_EQ(stage.heard(carol), ":3\r\n");
  EXPECT_EQ(stage.ask(alice, "GET door"), "$5\r\ncarol\r\n");
}

TEST(Waiting, AGrantThatWasToldStaysWhenItsClientGoes) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  EXPECT_EQ(stage.ask(alice, "LOCK door alice"), ":1\r\n");
  stage.leave(alice);
  EXPECT_EQ(stage.ask(bob, "GET door"), "$5\r\nalice\r\n");
}

TEST(Waiting, AGrantAtOnceThatCouldNotBeToldIsGivenBack) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.stop_reading(alice);
  stage.ask(alice, "LOCK door alice");
  EXPECT_EQ(stage.ask(bob, "GET door"), "$5\r\nalice\r\n");
  stage.leave(alice);
  EXPECT_EQ(stage.ask(bob, "EXISTS door"), ":0\r\n");
}

TEST(Waiting, GrantsWithinATransactionAreGivenBackToo) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.stop_reading(alice);
  stage.say(alice, "MULTI\r\nLOCK x alice\r\nLOCKMANY 2 y z alice\r\nEXEC\r\n");
  EXPECT_EQ(stage.ask(bob, "EXISTS x y z"), ":3\r\n");
  stage.leave(alice);
  EXPECT_EQ(stage.ask(bob, "EXISTS x y z"), ":0\r\n");
}

// Each hand-over lets the next pipeline run, which hands over in turn: a loop and not a stack.
TEST(Waiting, ALongLineOfPipelinesIsServedInOneTurn) {
  constexpr std::size_t kClients = 2000;
  Stage stage{{{"maxclients", "3000"}}};
  const ClientId first = stage.join();
  stage.ask(first, "LOCK door first");
  std::vector<ClientId> line;
  for (std::size_t i = 0; i < kClients; ++i) {
    const std::string owner = "o" + std::to_string(i);
    line.push_back(stage.join());
    stage.say(line.back(), "LOCK door " + owner + " WAIT 9000\r\nUNLOCK door " + owner + "\r\n");
  }
  EXPECT_EQ(stage.ask(first, "UNLOCK door first"), ":1\r\n");
  for (std::size_t i = 0; i < kClients; ++i) {
    EXPECT_EQ(stage.heard(line[i]), ":" + std::to_string(i + 2) + "\r\n:1\r\n");
  }
}

TEST(Waiting, AtShutdownThoseWhoWaitAreToldNil) {
  Stage stage;
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "LOCK door alice");
  stage.ask(bob, "LOCK door bob WAIT 4000");
  stage.engine().begin_shutdown();
  stage.flush();
  EXPECT_EQ(stage.heard(bob), "$-1\r\n");
  EXPECT_FALSE(stage.is_open(alice));
  EXPECT_FALSE(stage.is_open(bob));
}

TEST(Waiting, WhoWaitsIsNotIdle) {
  Stage stage{{{"timeout", "2"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "LOCK door alice");
  stage.ask(bob, "LOCK door bob WAIT 9000");
  for (int second = 0; second < 4; ++second) stage.pass(1s);
  EXPECT_FALSE(stage.is_open(alice));
  EXPECT_TRUE(stage.is_open(bob));
}

}  // namespace

}  // namespace fencepost::server
