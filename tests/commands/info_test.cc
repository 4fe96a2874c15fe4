// INFO, MEMORY and the commands that say something of the server as a whole.
#include <gtest/gtest.h>

#include "commands/server/info_text.h"
#include "tests/commands/conversation.h"

namespace fencepost::commands {
namespace {

using tests::Protocol;
using tests::Server;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(InfoText, PrintsBytesAsRedis) {
  EXPECT_EQ(human_bytes(0), "0B");
  EXPECT_EQ(human_bytes(1023), "1023B");
  EXPECT_EQ(human_bytes(1024), "1.00K");
  EXPECT_EQ(human_bytes(965'736), "943.10K");
  EXPECT_EQ(human_bytes(25'276'059'648), "23.54G");
  EXPECT_EQ(fixed_point(2.0 / 3, 2), "0.67");
  EXPECT_EQ(ratio(1, 0), 0);
}

TEST(Info, HasWhatClientsLookFor) {
  Server server;
  const auto info = server.run("INFO");
  for (const auto* field :
       {"\r\n# Server\r\n", "redis_version:7.2.4\r\n", "redis_mode:standalone\r\n",
        "run_id:", "\r\n# Clients\r\nconnected_clients:1\r\n", "blocked_clients:0\r\n",
        "maxmemory_policy:noeviction\r\n", "loading:0\r\n", "role:master\r\n",
        "connected_slaves:0\r\n", "# Locks\r\n", "cluster_enabled:0\r\n"}) {
    EXPECT_TRUE(contains(info, field)) << field;
  }
  for (const auto* field : {"dragonfly_version", "valkey_version", "server:Valkey",
                            "master_link_status", "cmdstat_", "latency_percentiles"}) {
    EXPECT_FALSE(contains(info, field)) << field;
  }
}

TEST(Info, GivesTheSectionsThatAreNamed) {
  Server server;
  EXPECT_EQ(server.run("INFO", "cluster"), "$30\r\n# Cluster\r\ncluster_enabled:0\r\n\r\n");
  EXPECT_EQ(server.run("INFO", "CLUSTER", "modules", "nope"),
            "$43\r\n# Modules\r\n\r\n# Cluster\r\ncluster_enabled:0\r\n\r\n");
  EXPECT_EQ(server.run("INFO", "nope"), "$0\r\n\r\n");
  EXPECT_EQ(server.run("INFO", "keyspace"), "$12\r\n# Keyspace\r\n\r\n");
  EXPECT_TRUE(contains(server.run("INFO", "all"), "# Commandstats\r\n"));
  EXPECT_TRUE(contains(server.run("INFO", "everything"), "# Latencystats\r\n"));
  EXPECT_FALSE(contains(server.run("INFO", "default"), "# Commandstats\r\n"));
}

TEST(Info, IsAVerbatimStringInResp3) {
  Server server;
  auto client = server.client(Protocol::resp3);
  EXPECT_EQ(client.run("INFO", "cluster"), "=34\r\ntxt:# Cluster\r\ncluster_enabled:0\r\n\r\n");
}

TEST(Info, CountsKeysAndLeases) {
  Server server;
  server.run("SET", "a", 1);
  server.run("SET", "b", 1, "PX", 4000);
  server.run("SET", "c", 1, "PX", 2000);
  EXPECT_TRUE(contains(server.run("INFO", "keyspace"), "db0:keys=3,expires=2,avg_ttl=3000\r\n"));
  server.run("SELECT", 3);
  server.run("SET", "a", 1);
  EXPECT_TRUE(contains(server.run("INFO", "keyspace"), "\r\ndb3:keys=1,expires=0,avg_ttl=0\r\n"));
  server.pass(2001);
  EXPECT_TRUE(contains(server.run("INFO", "keyspace"), "db0:keys=2,expires=1,avg_ttl=1999\r\n"));
  EXPECT_TRUE(contains(server.run("INFO", "stats"), "expired_keys:1\r\n"));
}

TEST(Info, CountsCommandsAndErrors) {
  Server server;
  server.run("ECHO", "a");
  server.run("ECHO");
  server.run("MEMORY", "NOPE");
  server.run("APPEND", "k", "v");
  server.run("INCR", "k");
  const auto stats = server.run("INFO", "commandstats");
  EXPECT_TRUE(contains(
      stats, "cmdstat_echo:calls=1,usec=0,usec_per_call=0.00,rejected_calls=1,failed_calls=0\r\n"))
      << stats;
  EXPECT_TRUE(contains(
      stats, "cmdstat_incr:calls=1,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=1\r\n"))
      << stats;
  EXPECT_TRUE(contains(server.run("INFO", "errorstats"), "errorstat_ERR:count=3\r\n"));
  EXPECT_TRUE(contains(server.run("INFO", "latencystats"),
                       "latency_percentiles_usec_echo:p50=1.000,p99=1.000,p99.9=1.000\r\n"));
}

TEST(Info, CountsTheSecondsSinceTheStart) {
  Server server;
  server.pass(90'061'000);
  EXPECT_TRUE(
      contains(server.run("INFO", "server"), "uptime_in_seconds:90061\r\nuptime_in_days:1\r\n"));
}

TEST(Info, ShowsFences) {
  Server server;
  server.run("SET", "a", 1);
  server.run("DEL", "a");
  server.run("SET", "a", 2);
  server.run("DEL", "a");
  const auto locks = server.run("INFO", "locks");
  EXPECT_TRUE(contains(locks, "fence_floor:0\r\nfence_highest:2\r\nfence_idle_keys:1\r\n"))
      << locks;
}

TEST(Info, MeasuresWhatTheProcessTakes) {
  Server server;
  auto& process = server.engine().process();
  process.usage = [] {
    return Usage{.used_bytes = 2048,
                 .allocated_bytes = 4096,
                 .resident_bytes = 3072,
                 .machine_bytes = 1 << 20,
                 .user_s = 1.5,
                 .system_s = 0.25};
  };
  const auto memory = server.run("INFO", "memory");
  EXPECT_TRUE(
      contains(memory, "used_memory:2048\r\nused_memory_human:2.00K\r\nused_memory_rss:3072\r\n"))
      << memory;
  EXPECT_TRUE(contains(memory, "mem_fragmentation_ratio:1.50\r\n")) << memory;
  EXPECT_TRUE(
      contains(server.run("INFO", "cpu"), "used_cpu_sys:0.250000\r\nused_cpu_user:1.500000\r\n"));
  EXPECT_TRUE(contains(server.run("MEMORY", "STATS"), "$15\r\ntotal.allocated\r\n:2048\r\n"));
  EXPECT_TRUE(contains(server.run("MEMORY", "DOCTOR"), "2.00K are in use by 0 keys"));
  bool trimmed = false;
  process.trim_memory = [&trimmed] { trimmed = true; };
  EXPECT_EQ(server.run("MEMORY", "PURGE"), "+OK\r\n");
  EXPECT_TRUE(trimmed);
}

TEST(MemoryUsage, GrowsWithTheValue) {
  Server server;
  const auto usage = [&server](std::string_view key) {
    return std::stoll(server.run("MEMORY", "USAGE", key).substr(1));
  };
  server.run("SET", "small", "1");
  server.run("SET", "big", std::string(100'000, 'x'));
  EXPECT_GT(usage("small"), 64);  // the fields of an item alone take some fifty
  EXPECT_LT(usage("small"), 400);
  EXPECT_GE(usage("big"), 100'000 + usage("small"));
  EXPECT_EQ(server.run("MEMORY", "USAGE", "none"), "$-1\r\n");
  EXPECT_EQ(server.run("MEMORY", "USAGE", "none", "SAMPLES"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("MEMORY", "USAGE", "none", "SAMPLES", -1), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("MEMORY", "USAGE", "none", "SAMPLES", "x"),
            "-ERR value is not an integer or out of range\r\n");
}

TEST(Time, IsTheWallClocks) {
  Server server;
  EXPECT_EQ(server.run("TIME"), "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
  server.pass(1234);
  EXPECT_EQ(server.run("TIME"), "*2\r\n$10\r\n1700000001\r\n$6\r\n234000\r\n");
  server.step_wall(-1000);
  EXPECT_EQ(server.run("TIME"), "*2\r\n$10\r\n1700000000\r\n$6\r\n234000\r\n");
}

TEST(Role, IsAMasterWithoutReplicas) {
  Server server;
  EXPECT_EQ(server.run("ROLE"), "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n");
}

TEST(Wait, KnowsAtOnceThatThereAreNoReplicas) {
  Server server;
  EXPECT_EQ(server.run("WAIT", 1, 1000), ":0\r\n");
  EXPECT_EQ(server.run("WAIT", "a", "b"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("WAIT", 0, "x"), "-ERR timeout is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("WAIT", 0, -1), "-ERR timeout is negative\r\n");
}

TEST(Files, AreNotWrittenAndNobodyIsToldSo) {
  Server server;
  EXPECT_EQ(server.run("LASTSAVE"), ":1700000000\r\n");
  for (const auto* command : {"SAVE", "BGSAVE", "BGREWRITEAOF"}) {
    EXPECT_EQ(server.run(command),
              "-ERR the state is kept in memory only (appendonly no), so nothing is saved\r\n");
  }
  EXPECT_EQ(server.run("BGSAVE", "now"), "-ERR syntax error\r\n");
}

TEST(Cluster, IsDisabled) {
  Server server;
  EXPECT_EQ(server.run("CLUSTER", "INFO"), "-ERR This instance has cluster support disabled\r\n");
  EXPECT_EQ(server.run("READONLY"), "-ERR This instance has cluster support disabled\r\n");
  EXPECT_EQ(server.run("CLUSTER"), "-ERR wrong number of arguments for 'cluster' command\r\n");
}

TEST(Modules, AreNone) {
  Server server;
  EXPECT_EQ(server.run("MODULE", "LIST"), "*0\r\n");
  EXPECT_EQ(server.run("MODULE", "LOAD"), "-ERR unknown subcommand 'LOAD'. Try MODULE HELP.\r\n");
}

TEST(Lolwut, DrawsAFence) {
  Server server;
  EXPECT_TRUE(
      contains(server.run("LOLWUT", "VERSION", 5, 2),
               ".-.     .-.\n| |=====| |\n| |     | |\n| |=====| |\n|_|,,,,,|_|\nfencepost ver. "));
  EXPECT_EQ(server.run("LOLWUT", "VERSION", "x"),
            "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("LOLWUT", "many"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_LT(server.run("LOLWUT", 1'000'000'000).size(), 2000U);
}

TEST(Shutdown, IsAskedForWithoutAReply) {
  Server server;
  EXPECT_EQ(server.run("SHUTDOWN", "ABORT"), "-ERR No shutdown in progress.\r\n");
  EXPECT_EQ(server.run("SHUTDOWN", "SAVE", "NOSAVE"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("SHUTDOWN", "ABORT", "NOW"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("SHUTDOWN", "later"), "-ERR syntax error\r\n");
  EXPECT_FALSE(server.engine().shutdown_requested());
  EXPECT_EQ(server.run("SHUTDOWN", "NOSAVE"), "");
  EXPECT_TRUE(server.engine().shutdown_requested());
}

TEST(Monitor, ShowsWhatOthersAskWithoutTheirPasswords) {
  Server server;
  auto watcher = server.client();
  EXPECT_EQ(watcher.run("MONITOR"), "+OK\r\n");
  server.engine().process().clients.begin()->second->address = "127.0.0.1:4000";
  server.run("SET", "k", "a\"\x01\r\n");
  EXPECT_EQ(watcher.take(),
            "+1700000000.000000 [0 127.0.0.1:4000] \"SET\" \"k\" \"a\\\"\\x01\\r\\n\"\r\n");
  server.pass(7);
  server.run("SELECT", 3);
  EXPECT_EQ(watcher.take(), "+1700000000.007000 [3 127.0.0.1:4000] \"SELECT\" \"3\"\r\n");
  server.run("AUTH", "me", "secret");
  EXPECT_EQ(watcher.take(),
            "+1700000000.007000 [3 127.0.0.1:4000] \"AUTH\" \"(redacted)\" \"(redacted)\"\r\n");
  server.run("CONFIG", "GET", "port");
  EXPECT_EQ(watcher.take(), "") << "an admin command is not shown";
}

TEST(Monitor, EndsWithTheConnection) {
  Server server;
  auto watcher = server.client();
  watcher.run("MONITOR");
  watcher.run("MONITOR");
  EXPECT_EQ(server.engine().process().monitor_count, 1U);
  watcher.hang_up();
  EXPECT_EQ(server.engine().process().monitor_count, 0U);
}

}  // namespace
}  // namespace fencepost::commands
