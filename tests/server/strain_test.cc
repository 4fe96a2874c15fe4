// The process under strain: no descriptors, clients that do not read, thousands that say nothing,
// leases that end.
#include <algorithm>
#include <chrono>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "live.h"

namespace fencepost::server {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kMebi = 1024 * 1024;

// As many descriptors as the system lets us have; false when they are fewer.
bool want_descriptors(rlim_t count) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min(std::max(limit.rlim_cur, count), limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur >= count;
}

void only_256_descriptors() {
  const rlimit limit{256, 256};
  setrlimit(RLIMIT_NOFILE, &limit);
}

void no_reserve_of_descriptors() {
  const rlimit limit{40, 40};
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(Strain, FourHundredClientsAt256DescriptorsDoNotSpinIt) {
  const LiveServer server{{}, "", &only_256_descriptors};
  std::vector<LiveClient> clients;
  for (int i = 0; i < 400; ++i) clients.push_back(server.client());
  std::size_t served = 0;
  std::size_t turned_away = 0;
  for (LiveClient& client : clients) {
    const std::string reply = client.ask("PING");
    if (reply == "PONG") ++served;
    // Whose PING was under way when the server closed sees a reset instead of the words.
    if (reply == "(closed)" || reply == "(error) ERR max number of clients reached") ++turned_away;
  }
  EXPECT_GE(served, 200U);
  EXPECT_EQ(served + turned_away, clients.size());
  const auto before = server.processor_time();
  std::this_thread::sleep_for(1s);
  EXPECT_LE(server.processor_time() - before, 50ms);
  clients.clear();
  EXPECT_EQ(server.client().ask("PING"), "PONG");
}

// Fewer descriptors than it means to keep in reserve: then the system itself refuses, and that must
// not spin either.
TEST(Strain, WithoutADescriptorLeftItRestsAndRecovers) {
  const LiveServer server{{"--maxclients", "4"}, "", &no_reserve_of_descriptors};
  std::vector<LiveClient> clients;
  for (int i = 0; i < 100; ++i) clients.push_back(server.client());
  EXPECT_EQ(clients.front().ask("PING"), "PONG");
  const auto before = server.processor_time();
  std::this_thread::sleep_for(500ms);
  EXPECT_LE(server.processor_time() - before, 50ms);
  clients.clear();
  LiveClient client = server.client();
  EXPECT_EQ(client.ask("PING"), "PONG");
}

TEST(Strain, MaxmemoryIsHeldAndWhatIsDeletedMakesRoomAtOnce) {
  if (kSanitized) GTEST_SKIP() << "memory is not ours to measure";
  const LiveServer server{{"--maxmemory", "32mb"}};
  LiveClient client = server.client();
  int kept = 0;
  std::string reply;
  while (kept < 100) {
    reply = client.ask("SET k" + std::to_string(kept) + " " + std::string(kMebi / 32, 'x'));
    if (reply != "OK") break;
    for (int again = 0; again < 31; ++again) {
      client.ask("APPEND k" + std::to_string(kept) + " " + std::string(kMebi / 32, 'x'));
    }
    ++kept;
  }
  EXPECT_EQ(reply, "(error) OOM command not allowed when used memory > 'maxmemory'.");
  EXPECT_GE(kept, 10);
  EXPECT_LE(kept, 34);
  EXPECT_EQ(client.ask("LOCK door alice"),
            "(error) OOM command not allowed when used memory > 'maxmemory'.");
  for (int i = 0; i < kept; ++i) client.ask("DEL k" + std::to_string(i));
  EXPECT_EQ(client.ask("LOCK door alice"), "1");
}

TEST(Strain, OneThatNeverReadsIsCutOffUnderSixteenMebibytes) {
  if (kSanitized) GTEST_SKIP() << "memory is not ours to measure";
  const LiveServer server;
  LiveClient other = server.client();
  other.send("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$100000\r\n" + std::string(100'000, 'x') + "\r\n");
  EXPECT_EQ(other.reply(), "OK");
  const std::size_t before = server.resident_bytes();
  std::size_t most = before;
  LiveClient deaf = server.client();
  EXPECT_EQ(deaf.ask("PING"), "PONG");
  EXPECT_NE(other.ask("INFO clients").find("connected_clients:2"), std::string::npos);
  std::string requests;
  while (requests.size() < 100'000) requests += "GET big\r\n";
  const auto deadline = steady_clock::now() + 10s;
  bool cut_off = false;
  while (!cut_off && steady_clock::now() < deadline) {
    deaf.send_some(requests);
    most = std::max(most, server.resident_bytes());
    cut_off = other.ask("INFO clients").find("connected_clients:1") != std::string::npos;
  }
  EXPECT_TRUE(cut_off);
  EXPECT_LT(most - before, 16 * kMebi);
}

// Sends `requests` over and over, whole ones only, and reads nothing; how many bytes were taken.
std::size_t flood(LiveClient& client, std::string_view requests, milliseconds duration) {
  std::size_t sent = 0;
  const auto until = steady_clock::now() + duration;
  while (steady_clock::now() < until && sent < 256 * kMebi) {
    const std::size_t took = client.send_some(requests.substr(sent % requests.size()));
    sent += took;
    if (took == 0) std::this_thread::sleep_for(10ms);
  }
  return sent;
}

std::string a_mebibyte_of_pings() {
  std::string pings;
  while (pings.size() < kMebi) pings += "*1\r\n$4\r\nPING\r\n";
  return pings;
}

TEST(Strain, OneThatSendsOnWithoutReadingIsHeldBack) {
  const LiveServer server;
  LiveClient deaf = server.client();
  // What the two sockets hold, what the server has run, and little else.
  EXPECT_LT(flood(deaf, a_mebibyte_of_pings(), 1s), 64 * kMebi);
  if (!kSanitized) {
    EXPECT_LT(server.resident_bytes(), 32 * kMebi);
  }
  EXPECT_EQ(server.client().ask("PING"), "PONG");
}

// Its last reply cannot be written, so that it cannot be closed; still nothing more is taken of it.
TEST(Strain, OneThatIsToldOfAnErrorAndDoesNotReadIsHeldBackAndCutOff) {
  const LiveServer server;
  LiveClient other = server.client();
  const std::size_t size = 7 * kMebi;
  other.send("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + std::to_string(size) + "\r\n" +
             std::string(size, 'x') + "\r\n");
  EXPECT_EQ(other.reply(), "OK");
  LiveClient deaf = server.client();
  deaf.send("GET big\r\n*x\r\n");
  EXPECT_LT(flood(deaf, a_mebibyte_of_pings(), 1s), 64 * kMebi);
  EXPECT_NE(other.ask("INFO clients").find("connected_clients:2"), std::string::npos);
  const auto deadline = steady_clock::now() + 20s;
  bool gone = false;
  while (!gone && steady_clock::now() < deadline) {
    std::this_thread::sleep_for(100ms);
    gone = other.ask("INFO clients").find("connected_clients:1") != std::string::npos;
  }
  EXPECT_TRUE(gone);
}

TEST(Strain, AThousandClaimedStringsCostLittle) {
  if (kSanitized) GTEST_SKIP() << "memory is not ours to measure";
  if (!want_descriptors(1200)) GTEST_SKIP() << "too few descriptors";
  const LiveServer server{{"--proto-max-bulk-len", "512mb"}};
  EXPECT_EQ(server.client().ask("PING"), "PONG");
  const std::size_t before = server.resident_bytes();
  std::vector<LiveClient> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.push_back(server.client());
    clients.back().send("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$536870912\r\nxxx");
  }
  EXPECT_EQ(server.client().ask("PING"), "PONG");
  EXPECT_LT(server.resident_bytes() - before, 5 * kMebi);
}

TEST(Strain, TenThousandIdleConnectionsCostLittle) {
  if (kSanitized) GTEST_SKIP() << "memory is not ours to measure";
  if (!want_descriptors(10'100)) GTEST_SKIP() << "too few descriptors";
  const LiveServer server{{"--maxclients", "11000"}};
  EXPECT_EQ(server.client().ask("PING"), "PONG");
  const std::size_t before = server.resident_bytes();
  std::vector<LiveClient> clients;
  clients.reserve(10'000);
  for (int i = 0; i < 10'000; ++i) {
    clients.push_back(server.client());
    // Each has been served once: what that needed must not stay with it.
    ASSERT_EQ(clients.back().ask("SET a 1"), "OK");
  }
  const std::size_t cost = server.resident_bytes() - before;
  RecordProperty("bytes_each", static_cast<int>(cost / clients.size()));
  EXPECT_LT(cost, 20 * kMebi);
}

// The best of some tries: the machine may have other things to do.
TEST(Strain, AWaiterIsGrantedWithinFiveMillisecondsOfTheLeasesEnd) {
  const LiveServer server;
  LiveClient alice = server.client();
  LiveClient bob = server.client();
  auto best = 1000ms;
  for (int i = 0; i < 10 && best > 5ms; ++i) {
    const std::string key = "door" + std::to_string(i);
    const auto asked = steady_clock::now();
    EXPECT_EQ(alice.ask("LOCK " + key + " alice PX 60"), "1");
    const auto granted = steady_clock::now();
    bob.send("LOCK " + key + " bob WAIT 4000\r\n");
    EXPECT_EQ(bob.reply(), "2");
    const auto handed_over = steady_clock::now();
    EXPECT_GE(handed_over - asked, 60ms);  // whatever the machine does: never early
    const auto late =
        std::chrono::duration_cast<std::chrono::milliseconds>(handed_over - granted - 60ms);
    best = std::min(best, late);
  }
  EXPECT_LE(best, 5ms);
}

}  // namespace

}  // namespace fencepost::server
