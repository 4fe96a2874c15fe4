// Clients that wait for a key, over real sockets: those who vanish, and the end of the server.
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/live.h"

namespace fencepost::server {
namespace {

using namespace std::chrono_literals;

// Until so many wait.
void await_blocked(LiveClient& client, int count) {
  const std::string wanted = "blocked_clients:" + std::to_string(count);
  for (int i = 0; i < 1000; ++i) {
    if (client.ask("INFO clients").find(wanted + "\\r\\n") != std::string::npos) return;
  }
  FAIL() << "never " << wanted << "\n" << client.ask("INFO clients");
}

TEST(Parked, WhoVanishesTakesNothing) {
  LiveServer server;
  LiveClient pusher = server.client();
  for (int i = 0; i < 20; ++i) {
    LiveClient waiter = server.client();
    waiter.send("BLPOP q 0\r\n");
    await_blocked(pusher, 1);
    if (i % 2 == 0) {
      waiter.close();
    } else {
      waiter.finish_sending();
    }
    await_blocked(pusher, 0);
    EXPECT_EQ(pusher.ask("RPUSH q x"), "1");
    EXPECT_EQ(pusher.ask("LPOP q"), "\"x\"");
  }
}

TEST(Parked, TwoHundredWaitersAreServedInOrder) {
  LiveServer server;
  LiveClient pusher = server.client();
  std::vector<LiveClient> waiters;
  for (int i = 0; i < 200; ++i) {
    waiters.push_back(server.client());
    waiters.back().send("BLPOP q 0\r\n");
    await_blocked(pusher, i + 1);
  }
  std::string push = "RPUSH q";
  for (int i = 0; i < 200; ++i) push += " " + std::to_string(i);
  EXPECT_EQ(pusher.ask(push), "200");
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(waiters[static_cast<std::size_t>(i)].reply(),
              "[\"q\", \"" + std::to_string(i) + "\"]");
  }
}

TEST(Parked, AWaitEndsOnTime) {
  LiveServer server;
  LiveClient waiter = server.client();
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(waiter.ask("BLPOP q 0.05"), "(nil)");
  EXPECT_EQ(waiter.ask("XREAD BLOCK 50 STREAMS s $"), "(nil)");
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_GE(took, 100ms);
}

TEST(Parked, TheEndOfTheServerIsTold) {
  LiveServer server;
  LiveClient pusher = server.client();
  LiveClient waiter = server.client();
  LiveClient reader = server.client();
  waiter.send("BLPOP q 0\r\n");
  reader.send("XREAD BLOCK 0 STREAMS s $\r\n");
  await_blocked(pusher, 2);
  server.signal(SIGTERM);
  EXPECT_EQ(waiter.reply(), "(nil)");
  EXPECT_EQ(waiter.reply(), "(closed)");
  EXPECT_EQ(reader.reply(), "(nil)");
  EXPECT_EQ(server.wait(), 0);
}

}  // namespace
}  // namespace fencepost::server
