// What a client may cost: unread output, unfinished input, idle connections.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/engine.h"
#include "stage.h"

namespace fencepost::server {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMebi = 1024 * 1024;

std::size_t unread(Stage& stage, ClientId client) {
  return stage.engine().process().clients.at(client)->output_bytes;
}

TEST(OutputLimit, WhoAsksOnWithoutReadingIsCutOffUnderSixteenMebibytes) {
  Stage stage;
  const ClientId alice = stage.join();
  stage.say(alice, request({"SET", "big", std::string(100'000, 'x')}));
  stage.stop_reading(alice);
  for (int i = 0; i < 1000; ++i) {
    stage.ask(alice, "GET big");
    ASSERT_LT(unread(stage, alice), 9 * kMebi);
  }
  EXPECT_GT(unread(stage, alice), 8 * kMebi);
  EXPECT_TRUE(stage.is_open(alice));
  stage.pass(1s);
  EXPECT_FALSE(stage.is_open(alice));
  EXPECT_EQ(stage.engine().process().statistics.output_limit_disconnections, 1U);
}

TEST(OutputLimit, ASingleLargeReplyIsAllowedAndWhatStandsBehindItFollows) {
  Stage stage;
  const ClientId alice = stage.join();
  const std::string large(10 * kMebi, 'x');
  stage.say(alice, request({"SET", "big", large}));
  stage.stop_reading(alice);
  stage.say(alice, "GET big\r\nPING\r\n");
  stage.pass(900ms);
  EXPECT_TRUE(stage.is_open(alice));
  stage.read_again(alice);
  const std::string heard = stage.heard(alice);
  EXPECT_EQ(heard.size(), large.size() + 20);
  EXPECT_TRUE(heard.ends_with("x\r\n+PONG\r\n"));
  stage.pass(5s);
  EXPECT_TRUE(stage.is_open(alice));
}

TEST(OutputLimit, AboveTheHardLimitAClientIsCutOffAndWhatItAskedForIsDone) {
  Stage stage{{{"client-output-buffer-limit", "normal 100000 0 0"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.say(alice, request({"SET", "big", std::string(99'000, 'x')}));
  EXPECT_EQ(stage.ask(bob, "GET big").size(), 99'000U + 10);
  stage.ask(bob, "MULTI");
  for (const char* line : {"SET before 1", "GET big", "GET big", "SET after 1"}) {
    EXPECT_EQ(stage.ask(bob, line), "+QUEUED\r\n");
  }
  EXPECT_EQ(stage.ask(bob, "EXEC"), "");
  EXPECT_FALSE(stage.is_open(bob));
  EXPECT_EQ(stage.engine().process().statistics.output_limit_disconnections, 1U);
  EXPECT_EQ(stage.ask(alice, "EXISTS before after"), ":2\r\n");
}

// One request can name a value as often as it likes, and each name is a copy.
TEST(OutputLimit, AReplyThatWouldNeverEndIsAnErrorInItsPlace) {
  Stage stage;
  const ClientId alice = stage.join();
  stage.say(alice, request({"SET", "big", std::string(16 * kMebi, 'x')}));
  std::vector<std::string> words(1 + 17, "big");
  words.front() = "MGET";
  const std::string refused =
      "-ERR the reply is larger than 256 MiB, the most that one request is answered\r\n";
  EXPECT_EQ(stage.say(alice, request(words)), refused);
  EXPECT_EQ(stage.ask(alice, "PING"), "+PONG\r\n");

  stage.ask(alice, "MULTI");
  for (int i = 0; i < 17; ++i) stage.ask(alice, "GET big");
  stage.ask(alice, "SET door alice");
  const std::string heard = stage.ask(alice, "EXEC");
  EXPECT_TRUE(heard.ends_with("x\r\n" + refused + refused));
  EXPECT_TRUE(heard.starts_with("*18\r\n$16777216\r\nx"));
  EXPECT_EQ(stage.ask(alice, "EXISTS door"), ":0\r\n");
}

TEST(OutputLimit, WhoReadsMayAskForMuchInOnePipeline) {
  Stage stage;
  const ClientId alice = stage.join();
  const std::string value(kMebi, 'x');
  stage.say(alice, request({"SET", "big", value}));
  std::string pipeline;
  for (int i = 0; i < 50; ++i) pipeline += "GET big\r\n";
  const std::string heard = stage.say(alice, pipeline);
  EXPECT_EQ(heard.size(), 50 * (value.size() + 12));
}

// Its replies are short, but what is noted of each grant is not.
TEST(OutputLimit, GrantsThatCannotBeToldAreNotNotedWithoutEnd) {
  Stage stage{{{"client-output-buffer-limit", "normal 2mb 0 0"}}};
  const ClientId alice = stage.join();
  stage.stop_reading(alice);
  std::string pipeline;
  for (int i = 0; i < 100'000; ++i) pipeline += "LOCK k" + std::to_string(i) + " a\r\n";
  stage.say(alice, pipeline);
  EXPECT_LT(stage.engine().state().keys().size(0), 60'000U);
  stage.pass(1s);
  EXPECT_FALSE(stage.is_open(alice));
  EXPECT_EQ(stage.engine().state().keys().size(0), 0U);
}

TEST(OutputLimit, AMonitorThatDoesNotReadIsCutOff) {
  Stage stage;
  const ClientId monitor = stage.join();
  const ClientId alice = stage.join();
  stage.ask(monitor, "MONITOR");
  stage.stop_reading(monitor);
  const std::string value(kMebi, 'x');
  for (int i = 0; i < 9; ++i) EXPECT_EQ(stage.say(alice, request({"SET", "a", value})), "+OK\r\n");
  EXPECT_FALSE(stage.is_open(monitor));
  EXPECT_EQ(stage.engine().process().monitor_count, 0U);
}

TEST(InputLimit, WhoSendsOnWhileItWaitsIsCutOff) {
  Stage stage{{{"client-query-buffer-limit", "1mb"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "LOCK door alice");
  stage.ask(bob, "LOCK door bob WAIT 4000");
  stage.say(bob, std::string(kMebi, '\n'));
  EXPECT_TRUE(stage.is_open(bob));
  stage.say(bob, "\n");
  EXPECT_FALSE(stage.is_open(bob));
  EXPECT_EQ(stage.engine().process().statistics.query_limit_disconnections, 1U);
  EXPECT_EQ(stage.ask(alice, "UNLOCK door alice"), ":1\r\n");
  EXPECT_EQ(stage.ask(alice, "EXISTS door"), ":0\r\n");
}

TEST(InputLimit, AClaimedLengthCostsNothingUntilTheBytesCome) {
  Stage stage{{{"proto-max-bulk-len", "512mb"}}};
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.say(alice, "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$536870912\r\n"), "");
  EXPECT_LT(stage.engine().process().clients.at(alice)->input_bytes, 64U);
  EXPECT_TRUE(stage.is_open(alice));
}

}  // namespace

}  // namespace fencepost::server
