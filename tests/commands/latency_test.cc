// LATENCY: spikes by event, histograms by command.
#include "commands/server/latency.h"

#include <gtest/gtest.h>

#include "commands/server/statistics.h"
#include "tests/commands/conversation.h"

namespace fencepost::commands {
namespace {

TEST(Latency, KeepsTheWorstOfEachSecond) {
  Latency latency;
  latency.add("command", 10, 5);
  latency.add("command", 10, 9);
  latency.add("command", 10, 7);
  latency.add("command", 11, 3);
  const auto& event = latency.events().at("command");
  ASSERT_EQ(event.samples.size(), 2U);
  EXPECT_EQ(event.samples[0].took_ms, 9);
  EXPECT_EQ(event.samples[1].took_ms, 3);
  EXPECT_EQ(event.worst_ms, 9);
}

TEST(Latency, KeepsAHundredAndSixtySamples) {
  Latency latency;
  for (std::int64_t second = 0; second < 200; ++second) latency.add("command", second, 1);
  EXPECT_EQ(latency.events().at("command").samples.size(), 160U);
  EXPECT_EQ(latency.events().at("command").samples.front().unix_s, 40);
}

TEST(Latency, IsResetByEvent) {
  Latency latency;
  latency.add("command", 1, 1);
  latency.add("fast-command", 1, 1);
  EXPECT_EQ(latency.reset("none"), 0U);
  EXPECT_EQ(latency.reset("command"), 1U);
  EXPECT_EQ(latency.reset_all(), 1U);
  EXPECT_TRUE(latency.events().empty());
}

TEST(Latency, IsReadAsRedisPrintsIt) {
  tests::Server server;
  EXPECT_EQ(server.run("LATENCY", "LATEST"), "*0\r\n");
  EXPECT_EQ(server.run("LATENCY", "HISTORY", "command"), "*0\r\n");
  server.engine().process().latency.add("command", 1'700'000'000, 10);
  server.engine().process().latency.add("command", 1'700'000'001, 4);
  EXPECT_EQ(server.run("LATENCY", "LATEST"),
            "*1\r\n*4\r\n$7\r\ncommand\r\n:1700000001\r\n:4\r\n:10\r\n");
  EXPECT_EQ(server.run("LATENCY", "HISTORY", "command"),
            "*2\r\n*2\r\n:1700000000\r\n:10\r\n*2\r\n:1700000001\r\n:4\r\n");
  EXPECT_EQ(server.run("LATENCY", "RESET", "a", "command"), ":1\r\n");
  EXPECT_EQ(server.run("LATENCY", "RESET"), ":0\r\n");
  EXPECT_EQ(server.run("LATENCY", "FOO"), "-ERR unknown subcommand 'FOO'. Try LATENCY HELP.\r\n");
}

TEST(Latency, HistogramsAreCumulative) {
  tests::Server server;
  EXPECT_EQ(server.run("LATENCY", "HISTOGRAM", "echo"), "*0\r\n");
  server.run("ECHO", "a");
  server.run("ECHO", "b");
  EXPECT_EQ(
      server.run("LATENCY", "HISTOGRAM", "echo", "nothing"),
      "*2\r\n$4\r\necho\r\n*4\r\n$5\r\ncalls\r\n:2\r\n$14\r\nhistogram_usec\r\n*2\r\n:1\r\n:2\r\n");
  auto resp3 = server.client(tests::Protocol::resp3);
  EXPECT_EQ(
      resp3.run("LATENCY", "HISTOGRAM", "echo"),
      "%1\r\n$4\r\necho\r\n%2\r\n$5\r\ncalls\r\n:2\r\n$14\r\nhistogram_usec\r\n%1\r\n:1\r\n:2\r\n");
}

TEST(CommandStatistics, PercentilesAreTheNextPowerOfTwo) {
  CommandStatistics statistics;
  EXPECT_EQ(statistics.percentile_us(0.5), 0U);
  statistics.calls = 100;
  statistics.by_magnitude[2] = 60;
  statistics.by_magnitude[5] = 39;
  statistics.by_magnitude[9] = 1;
  EXPECT_EQ(statistics.percentile_us(0.5), 4U);
  EXPECT_EQ(statistics.percentile_us(0.99), 32U);
  EXPECT_EQ(statistics.percentile_us(0.999), 512U);
}

}  // namespace
}  // namespace fencepost::commands
