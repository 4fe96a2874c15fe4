// maxmemory-clients: those that take most are cut off, and nobody else.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/engine.h"
#include "stage.h"

namespace fencepost::server {

namespace {

constexpr std::size_t kMebi = 1024 * 1024;

// The beginning of a request with one word of so many bytes, and those bytes, which it lacks the
// end of.
std::string unfinished(std::size_t bytes) {
  return "*2\r\n$" + std::to_string(bytes) + "\r\n" + std::string(bytes, 'x');
}

std::uint64_t evicted(Stage& stage) {
  return stage.engine().process().statistics.evicted_clients;
}

TEST(ClientEviction, WhoSendsTooMuchIsCutOffBeforeItRuns) {
  Stage stage{{{"maxmemory-clients", "3000000"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  EXPECT_EQ(stage.say(alice, request({"SET", "a", std::string(1'000'000, 'x')})), "+OK\r\n");
  const std::string large = request({"SET", "b", std::string(3'000'000, 'x')});
  for (std::size_t at = 0; at < large.size(); at += 65'536) {
    if (stage.is_open(alice)) stage.say(alice, large.substr(at, 65'536));
  }
  EXPECT_FALSE(stage.is_open(alice));
  EXPECT_EQ(stage.ask(bob, "EXISTS a b"), ":1\r\n");
  EXPECT_EQ(evicted(stage), 1U);
}

TEST(ClientEviction, CountsWhatIsQueuedWatchedHeardAndTracked) {
  const auto until_gone = [](std::vector<std::string> before, const std::string& line, int most) {
    Stage stage{{{"maxmemory-clients", "200000"}}};
    const ClientId alice = stage.join();
    for (const std::string& one : before) stage.ask(alice, one);
    for (int i = 0; i < most && stage.is_open(alice); ++i) {
      stage.ask(alice, line + std::to_string(100'000 + i));
    }
    return !stage.is_open(alice) && evicted(stage) == 1;
  };
  EXPECT_TRUE(until_gone({"MULTI"}, "SET a " + std::string(10'000, 'x'), 25));
  EXPECT_TRUE(until_gone({"MULTI"}, "GET ", 1300));
  EXPECT_TRUE(until_gone({}, "WATCH ", 900));
  EXPECT_TRUE(until_gone({}, "SUBSCRIBE ", 1600));
  EXPECT_TRUE(until_gone({}, "CLIENT TRACKING ON BCAST PREFIX ", 900));
  EXPECT_FALSE(until_gone({}, "GET ", 2000));
}

TEST(ClientEviction, WhoDoesNotReadItsRepliesIsCutOff) {
  Stage stage{{{"maxmemory-clients", "1mb"}}};
  const ClientId alice = stage.join();
  stage.say(alice, request({"SET", "big", std::string(100'000, 'x')}));
  stage.stop_reading(alice);
  for (int i = 0; i < 12; ++i) stage.ask(alice, "GET big");
  EXPECT_FALSE(stage.is_open(alice));
}

TEST(ClientEviction, WhoReadsAsManyAsItLikesStays) {
  Stage stage{{{"maxmemory-clients", "1mb"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.say(alice, request({"SET", "big", std::string(500'000, 'x')}));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(stage.ask(i % 2 == 0 ? alice : bob, "GET big").size(), 500'000U + 11);
  }
  EXPECT_TRUE(stage.is_open(alice));
  EXPECT_TRUE(stage.is_open(bob));
  EXPECT_EQ(evicted(stage), 0U);
}

TEST(ClientEviction, CutsOffTheLargestUntilThereIsRoom) {
  Stage stage{{{"maxmemory-clients", "8mb"}}};
  const ClientId alice = stage.join();
  std::vector<ClientId> clients;
  for (std::size_t i = 1; i <= 3; ++i) {
    clients.push_back(stage.join());
    stage.say(clients.back(), unfinished(i * kMebi));
  }
  EXPECT_EQ(stage.ask(alice, "CONFIG SET maxmemory-clients 4mb"), "+OK\r\n");
  EXPECT_TRUE(stage.is_open(clients[0]));
  EXPECT_TRUE(stage.is_open(clients[1]));
  EXPECT_FALSE(stage.is_open(clients[2]));
  EXPECT_EQ(stage.ask(alice, "CONFIG SET maxmemory-clients 0"), "+OK\r\n");
  stage.say(stage.join(), unfinished(9 * kMebi));
  EXPECT_EQ(evicted(stage), 1U);
}

TEST(ClientEviction, IsAShareOfMaxmemoryIfItSaysSo) {
  Stage stage{{{"maxmemory-clients", "7%"}, {"maxmemory", "6mb"}}};
  const ClientId alice = stage.join();
  EXPECT_EQ(stage.ask(alice, "CONFIG GET maxmemory-clients"),
            "*2\r\n$17\r\nmaxmemory-clients\r\n$2\r\n7%\r\n");
  const ClientId bob = stage.join();
  stage.say(bob, unfinished(220'000));
  EXPECT_TRUE(stage.is_open(bob));
  const ClientId carol = stage.join();
  stage.say(carol, unfinished(440'401));
  EXPECT_FALSE(stage.is_open(carol));
  stage.ask(alice, "CONFIG SET maxmemory 0");
  const ClientId dave = stage.join();
  stage.say(dave, unfinished(500'000));
  EXPECT_TRUE(stage.is_open(dave));
}

TEST(ClientEviction, WhatIsAnnouncedCountsBeforeItCame) {
  Stage stage{{{"maxmemory-clients", "1mb"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.say(bob, "*1\r\n$600000\r\nxx");
  EXPECT_TRUE(stage.is_open(bob));
  const std::string list = stage.ask(alice, "CLIENT LIST");
  EXPECT_NE(list.find(" qbuf=2 qbuf-free=0 argv-mem=13 "), std::string::npos) << list;
  const ClientId carol = stage.join();
  stage.say(carol, "*1\r\n$700000\r\n");
  EXPECT_TRUE(stage.is_open(bob));
  EXPECT_FALSE(stage.is_open(carol));
}

TEST(ClientEviction, WhoAskedNotToBeEvictedStays) {
  Stage stage{{{"maxmemory-clients", "1mb"}}};
  const ClientId alice = stage.join();
  const ClientId bob = stage.join();
  stage.ask(alice, "CLIENT NO-EVICT ON");
  stage.say(alice, unfinished(2 * kMebi));
  EXPECT_TRUE(stage.is_open(alice));
  EXPECT_FALSE(stage.is_open(bob));
}

}  // namespace

}  // namespace fencepost::server
