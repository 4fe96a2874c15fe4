// While the state is read back, and what waits for a sync.
#include <string>

#include <gtest/gtest.h>

#include "stage.h"

namespace fencepost::server {
namespace {

using namespace std::chrono_literals;

constexpr const char* kLoading = "-LOADING Redis is loading the dataset in memory\r\n";

TEST(Loading, WhoAsksForNothingOfTheStateIsServed) {
  Stage stage;
  stage.engine().begin_loading();
  const ClientId client = stage.join();
  EXPECT_EQ(stage.ask(client, "PING"), "+PONG\r\n");
  EXPECT_EQ(stage.ask(client, "CLIENT SETNAME early"), "+OK\r\n");
  EXPECT_EQ(stage.ask(client, "GET a"), kLoading);
  EXPECT_EQ(stage.ask(client, "LOCK door alice"), kLoading);
  EXPECT_EQ(stage.ask(client, "EVAL 'return 1' 0"), kLoading);
  EXPECT_EQ(stage.ask(client, "SUBSCRIBE news"), "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n");
  EXPECT_EQ(stage.ask(client, "UNSUBSCRIBE"), "*3\r\n$11\r\nunsubscribe\r\n$4\r\nnews\r\n:0\r\n");
  stage.engine().end_loading(0ms);
  EXPECT_EQ(stage.ask(client, "LOCK door alice"), ":1\r\n");
  EXPECT_EQ(stage.ask(client, "CLIENT GETNAME"), "$5\r\nearly\r\n");
}

TEST(Loading, ATransactionThatNeedsTheStateIsRefused) {
  Stage stage;
  stage.engine().begin_loading();
  const ClientId client = stage.join();
  EXPECT_EQ(stage.ask(client, "MULTI"), "+OK\r\n");
  EXPECT_EQ(stage.ask(client, "GET a"), kLoading);
  EXPECT_EQ(stage.ask(client, "EXEC").substr(0, 10), "-EXECABORT");
  EXPECT_EQ(stage.say(client, "MULTI\r\nPING\r\nEXEC\r\n"), "+OK\r\n+QUEUED\r\n*1\r\n+PONG\r\n");
}

TEST(Loading, ALoginComesFirst) {
  Stage stage{{{"requirepass", "secret"}}};
  stage.engine().begin_loading();
  const ClientId client = stage.join();
  EXPECT_EQ(stage.ask(client, "GET a"), "-NOAUTH Authentication required.\r\n");
  EXPECT_EQ(stage.ask(client, "AUTH secret"), "+OK\r\n");
  EXPECT_EQ(stage.ask(client, "GET a"), kLoading);
}

TEST(Loading, NoLeaseEndsBeforeItIsKnownWhenItIs) {
  Stage stage;
  const ClientId client = stage.join();
  stage.ask(client, "LOCK door alice PX 1000");
  stage.engine().begin_loading();
  stage.pass(5s);
  stage.ask(client, "PING");
  EXPECT_NE(stage.engine().state().keys().peek(0, "door"), nullptr);
  stage.engine().end_loading(0ms);
  stage.pass(1ms);
  EXPECT_EQ(stage.ask(client, "EXISTS door"), ":0\r\n");
}

TEST(Loading, InfoTellsHowFarItIs) {
  Stage stage;
  stage.engine().begin_loading();
  stage.engine().note_loading(250, 1000);
  const ClientId client = stage.join();
  const std::string info = stage.ask(client, "INFO persistence");
  for (const char* line : {"loading:1\r\n", "loading_total_bytes:1000\r\n",
                           "loading_loaded_bytes:250\r\n", "loading_loaded_perc:25.00\r\n"}) {
    EXPECT_NE(info.find(line), std::string::npos) << line << info;
  }
  stage.engine().end_loading(0ms);
  EXPECT_EQ(stage.ask(client, "INFO persistence").find("loading_total_bytes"), std::string::npos);
}

class Sync : public testing::Test {
 protected:
  Sync() {
    stage.engine().keep_journal();
    stage.engine().process().durability.enabled = true;
  }

  // As under `everysec`: written at once, synced later.
  std::uint64_t write() {
    std::string batch;
    const std::uint64_t number = stage.engine().collect(batch);
    stage.engine().committed(number);
    stage.flush();
    return number;
  }
  void sync(std::uint64_t number) {
    stage.engine().synced(number);
    stage.pass(0ms);
  }

  Stage stage;
  ClientId alice = stage.join();
  ClientId bob = stage.join();
};

TEST_F(Sync, WaitaofWaitsForTheCallersOwnWrites) {
  EXPECT_EQ(stage.ask(alice, "WAITAOF 1 0 0"), "*2\r\n:1\r\n:0\r\n") << "it wrote nothing";
  stage.ask(alice, "SET a 1");
  const std::uint64_t first = write();
  EXPECT_EQ(stage.heard(alice), "+OK\r\n");
  EXPECT_EQ(stage.ask(alice, "WAITAOF 1 0 0"), "");
  EXPECT_TRUE(stage.engine().sync_is_awaited());
  EXPECT_EQ(stage.ask(alice, "PING"), "") << "a pipeline behind it waits";
  stage.ask(bob, "SET b 1");
  write();
  sync(first);
  EXPECT_EQ(stage.heard(alice), "*2\r\n:1\r\n:0\r\n+PONG\r\n");
  EXPECT_FALSE(stage.engine().sync_is_awaited());
}

TEST_F(Sync, WaitaofThatNeedsNothingDoesNotWait) {
  stage.ask(alice, "SET a 1");
  const std::uint64_t number = write();
  stage.heard(alice);
  EXPECT_EQ(stage.ask(alice, "WAITAOF 0 0 0"), "*2\r\n:0\r\n:0\r\n");
  EXPECT_EQ(stage.ask(alice, "WAITAOF 0 3 0"), "*2\r\n:0\r\n:0\r\n") << "there are no replicas";
  sync(number);
  EXPECT_EQ(stage.ask(alice, "WAITAOF 0 0 0"), "*2\r\n:1\r\n:0\r\n");
}

TEST_F(Sync, WaitaofEndsWithItsTime) {
  stage.ask(alice, "SET a 1");
  write();
  stage.heard(alice);
  EXPECT_EQ(stage.ask(alice, "WAITAOF 1 0 100"), "");
  stage.pass(100ms);
  EXPECT_EQ(stage.heard(alice), "") << "a wait is over when the clock is past its end";
  stage.pass(1ms);
  EXPECT_EQ(stage.heard(alice), "*2\r\n:0\r\n:0\r\n");
}

TEST_F(Sync, ClientUnblockEndsIt) {
  stage.ask(alice, "SET a 1");
  const std::uint64_t number = write();
  stage.heard(alice);
  stage.ask(alice, "WAITAOF 1 0 0");
  const std::string unblock = "CLIENT UNBLOCK " + std::to_string(static_cast<std::uint64_t>(alice));
  EXPECT_EQ(stage.ask(bob, unblock), ":1\r\n");
  EXPECT_EQ(stage.heard(alice), "*2\r\n:0\r\n:0\r\n");
  stage.ask(alice, "WAITAOF 1 0 0");
  EXPECT_EQ(stage.ask(bob, unblock + " ERROR"), ":1\r\n");
  EXPECT_EQ(stage.heard(alice), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
  EXPECT_EQ(stage.ask(bob, unblock), ":0\r\n");
  sync(number);
  EXPECT_EQ(stage.heard(alice), "");
}

TEST_F(Sync, WhoLeavesIsForgotten) {
  stage.ask(alice, "SET a 1");
  const std::uint64_t number = write();
  stage.ask(alice, "WAITAOF 1 0 0");
  stage.leave(alice);
  sync(number);
  EXPECT_FALSE(stage.engine().sync_is_awaited());
}

TEST_F(Sync, WithinATransactionNobodyWaits) {
  stage.say(alice, "MULTI\r\nSET a 1\r\nWAITAOF 1 0 0\r\nEXEC\r\n");
  write();
  EXPECT_EQ(stage.heard(alice), "+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n+OK\r\n*2\r\n:0\r\n:0\r\n");
}

TEST_F(Sync, WhatTheDiskRefusesIsRefusedWithinTransactionsAndScriptsToo) {
  stage.say(alice, "MULTI\r\nSET a 1\r\nINCR n\r\n");
  stage.engine().process().durability.refusal = "MISCONF Errors writing to the AOF file: full";
  EXPECT_EQ(stage.ask(alice, "EXEC"),
            "-EXECABORT Transaction discarded because of: MISCONF Errors writing to the AOF file: "
            "full\r\n");
  EXPECT_EQ(stage.ask(bob, "EVAL \"return redis.call('set','s','1')\" 0"),
            "-MISCONF Errors writing to the AOF file: full\r\n");
  EXPECT_EQ(stage.ask(bob, "EXISTS a n s"), ":0\r\n");
  EXPECT_EQ(stage.say(bob, "MULTI\r\nGET a\r\nEXEC\r\n"), "+OK\r\n+QUEUED\r\n*1\r\n$-1\r\n");
  EXPECT_EQ(stage.ask(bob, "PUBLISH news hello"), ":0\r\n") << "a message is not kept anyway";
  EXPECT_EQ(stage.ask(bob, "SHUTDOWN"), "-ERR Errors trying to SHUTDOWN. Check logs.\r\n");
  EXPECT_FALSE(stage.engine().shutdown_requested());
  EXPECT_EQ(stage.say(bob, "SHUTDOWN FORCE\r\nPING\r\n"), "") << "nothing runs behind it";
  EXPECT_TRUE(stage.engine().shutdown_requested());
  EXPECT_EQ(stage.ask(alice, "PING"), "");
}

}  // namespace
}  // namespace fencepost::server
