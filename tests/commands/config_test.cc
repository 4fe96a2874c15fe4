// CONFIG. Error texts are what redis-server 7.0.15 sent.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kOk = "+OK\r\n";

std::string set_failed(std::string_view name, std::string_view why) {
  return "-ERR CONFIG SET failed (possibly related to argument '" + std::string{name} + "') - " +
         std::string{why} + "\r\n";
}

// What CONFIG GET says of one parameter.
std::string get(Server& server, std::string_view name) {
  const std::string reply = server.run("CONFIG", "GET", name);
  const std::string head = "*2\r\n" + request({std::string{name}}).substr(4);
  if (!reply.starts_with(head)) return reply;
  const std::string value = reply.substr(head.size());
  const std::size_t start = value.find("\r\n") + 2;
  return value.substr(start, value.size() - start - 2);
}

TEST(ConfigGet, AnswersByNameAndByPattern) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "GET", "timeout"), "*2\r\n$7\r\ntimeout\r\n$1\r\n0\r\n");
  EXPECT_EQ(server.run("CONFIG", "GET", "TIMEOUT"), "*2\r\n$7\r\nTIMEOUT\r\n$1\r\n0\r\n");
  EXPECT_EQ(server.run("CONFIG", "GET", "TIMEOU?"), "*2\r\n$7\r\ntimeout\r\n$1\r\n0\r\n");
  EXPECT_EQ(server.run("CONFIG", "GET", "tcp*", "timeout", "t*out"),
            "*6\r\n$11\r\ntcp-backlog\r\n$3\r\n511\r\n$13\r\ntcp-keepalive\r\n$3\r\n300\r\n"
            "$7\r\ntimeout\r\n$1\r\n0\r\n");
  EXPECT_EQ(server.run("CONFIG", "GET", "nosuch"), "*0\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("CONFIG", "GET", "timeout"),
            "%1\r\n$7\r\ntimeout\r\n$1\r\n0\r\n");
  EXPECT_EQ(server.run("CONFIG", "GET"),
            "-ERR wrong number of arguments for 'config|get' command\r\n");
}

TEST(ConfigGet, KnowsBothNamesOfAParameter) {
  Server server;
  EXPECT_EQ(
      server.run("CONFIG", "GET", "*-read-only"),
      "*4\r\n$17\r\nreplica-read-only\r\n$3\r\nyes\r\n$15\r\nslave-read-only\r\n$3\r\nyes\r\n");
  EXPECT_EQ(server.run("CONFIG", "SET", "slave-read-only", "no"), kOk);
  EXPECT_EQ(get(server, "replica-read-only"), "no");
}

TEST(ConfigSet, TakesEachType) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout", 30), kOk);
  EXPECT_EQ(get(server, "timeout"), "30");
  EXPECT_EQ(server.run("CONFIG", "SET", "proto-max-bulk-len", "2mb"), kOk);
  EXPECT_EQ(get(server, "proto-max-bulk-len"), "2097152");
  EXPECT_EQ(server.run("CONFIG", "SET", "protected-mode", "NO"), kOk);
  EXPECT_EQ(get(server, "protected-mode"), "no");
  EXPECT_EQ(server.run("CONFIG", "SET", "loglevel", "Warning"), kOk);
  EXPECT_EQ(get(server, "loglevel"), "warning");
  EXPECT_EQ(server.run("CONFIG", "SET", "lock-default-ttl", 5000), kOk);
  EXPECT_EQ(get(server, "lock-default-ttl"), "5000");
  EXPECT_EQ(server.run("CONFIG", "SET", "lock-max-waiters-total", 7), kOk);
  EXPECT_EQ(server.engine().process().settings.values.locks.max_waiters, 7U);
}

TEST(ConfigSet, RefusesWhatItCannotRead) {
  Server server;
  const auto set = [&server](std::string_view name, std::string_view value) {
    return server.run("CONFIG", "SET", name, value);
  };
  for (const char* number : {"x", "", "1.5", "1\r\n"}) {
    EXPECT_EQ(set("timeout", number),
              set_failed("timeout", "argument couldn't be parsed into an integer"));
  }
  EXPECT_EQ(set("maxclients", "0"),
            set_failed("maxclients", "argument must be between 1 and 4294967295 inclusive"));
  EXPECT_EQ(set("timeout", "99999999999"),
            set_failed("timeout", "argument must be between 0 and 2147483647 inclusive"));
  for (const char* size : {"1x", "-1", "10%", " 1", "1 mb", "99999999999gb"}) {
    EXPECT_EQ(set("client-query-buffer-limit", size),
              set_failed("client-query-buffer-limit", "argument must be a memory value"));
  }
  EXPECT_EQ(set("proto-max-bulk-len", "1m"),
            set_failed("proto-max-bulk-len",
                       "argument must be between 1048576 and 9223372036854775807 inclusive"));
  EXPECT_EQ(set("PROTECTED-MODE", "maybe"),
            set_failed("protected-mode", "argument must be 'yes' or 'no'"));
  EXPECT_EQ(
      set("loglevel", "foo"),
      set_failed("loglevel",
                 "argument(s) must be one of the following: debug, verbose, notice, warning"));
  EXPECT_EQ(set("databases", "3"), set_failed("databases", "can't set immutable config"));
  EXPECT_EQ(set("no\r\nsuch", "x"),
            "-ERR Unknown option or number of arguments for CONFIG SET - 'no  such'\r\n");
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout"),
            "-ERR wrong number of arguments for 'config|set' command\r\n");
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout", 1, "hz"), "-ERR syntax error\r\n");
}

TEST(ConfigSet, SetsAllOrNone) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout", 10, "tcp-keepalive", 20), kOk);
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout", 1, "tcp-keepalive", "x"),
            set_failed("tcp-keepalive", "argument couldn't be parsed into an integer"));
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout", 1, "timeout", 2, "nosuch", 3),
            set_failed("timeout", "duplicate parameter"));
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout", 1, "nosuch", 3),
            "-ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'\r\n");
  EXPECT_EQ(get(server, "timeout"), "10");
  EXPECT_EQ(get(server, "tcp-keepalive"), "20");
}

TEST(ConfigSet, LooksAtValuesTogether) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "lock-max-ttl", 1000),
            set_failed("lock-max-ttl", "lock-default-ttl must not be above lock-max-ttl"));
  EXPECT_EQ(server.run("CONFIG", "SET", "lock-max-ttl", 1000, "lock-default-ttl", 1000), kOk);
}

TEST(ConfigSet, IsHeardOfAtOnce) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "lock-max-wait", 1000), kOk);
  EXPECT_EQ(server.engine().state().limits().max_wait, Duration{1000});
}

TEST(ConfigSet, WhatIsFixedAtStartMayBeSaidAgain) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "bind", "127.0.0.1 -::1"), kOk);
  EXPECT_EQ(server.run("CONFIG", "SET", "bind", "127.0.0.1"),
            set_failed("bind", "can't set immutable config"));
}

TEST(ConfigSet, OfAPortThatCannotBeListenedAtChangesNothing) {
  Server server;
  std::vector<std::int64_t> asked;
  server.engine().process().settings.listen_at = [&asked](std::int64_t port) -> Result<void> {
    asked.push_back(port);
    if (port == 6380) return failure("Unable to listen on this port. Check server logs.");
    return {};
  };
  EXPECT_EQ(server.run("CONFIG", "SET", "timeout", 7, "port", 6380, "maxclients", 8),
            set_failed("port", "Unable to listen on this port. Check server logs."));
  EXPECT_EQ(server.run("CONFIG", "SET", "port", "x"),
            set_failed("port", "argument couldn't be parsed into an integer"));
  EXPECT_EQ(get(server, "timeout"), "0");
  EXPECT_EQ(get(server, "port"), "6379");
  EXPECT_EQ(server.run("CONFIG", "SET", "port", 6379), kOk);
  EXPECT_EQ(server.run("CONFIG", "SET", "port", 6381), kOk);
  EXPECT_EQ(get(server, "port"), "6381");
  EXPECT_EQ(asked, (std::vector<std::int64_t>{6380, 6381})) << "not at where it listens already";
}

TEST(ConfigSet, OfTheMemoryOfAllClientsInBytesOrPercent) {
  Server server;
  const auto set = [&server](const char* value) {
    return server.run("CONFIG", "SET", "maxmemory-clients", value);
  };
  const auto failed = [](const char* why) { return set_failed("maxmemory-clients", why); };
  for (const char* wrong : {"abc", "-5", "-5%", "1.5%", "5 %", "%"}) {
    EXPECT_EQ(set(wrong), failed("argument must be a memory or percent value")) << wrong;
  }
  EXPECT_EQ(set("101%"), failed("percentage argument must be less or equal to 100"));
  for (const auto& [value, shown] :
       {std::pair{"5%", "5%"}, {"0%", "0"}, {"100%", "100%"}, {"5kb", "5120"}, {"0", "0"}}) {
    EXPECT_EQ(set(value), kOk);
    EXPECT_EQ(get(server, "maxmemory-clients"), shown);
  }
}

TEST(ConfigSet, OfOutputLimitsByClass) {
  Server server;
  const auto set = [&server](std::string_view value) {
    return server.run("CONFIG", "SET", "client-output-buffer-limit", value);
  };
  EXPECT_EQ(set("normal 1mb 512kb 3 pubsub 0 0 0"), kOk);
  EXPECT_EQ(get(server, "client-output-buffer-limit"),
            "normal 1048576 524288 3 slave 268435456 67108864 60 pubsub 0 0 0");
  EXPECT_EQ(server.engine().process().settings.values.output_limit_bytes, 1024 * 1024);
  const auto failed = [](std::string_view why) {
    return set_failed("client-output-buffer-limit", why);
  };
  EXPECT_EQ(set("normal 1 2"), failed("Wrong number of arguments in buffer limit configuration."));
  EXPECT_EQ(set("master 1 2 3"),
            failed("Invalid client class specified in buffer limit configuration."));
  EXPECT_EQ(set("normal 1 1 1 replica x 2 3"),
            failed("Error in hard, soft or soft_seconds setting in buffer limit configuration."));
  EXPECT_EQ(server.engine().process().settings.values.output_limit_bytes, 1024 * 1024);
}

TEST(ConfigSet, OfSaveAndEventsIsReadAsRedisReadsThem) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "save", "900 1 300 10"), kOk);
  EXPECT_EQ(get(server, "save"), "900 1 300 10");
  for (const char* save : {"x", "60", "0 1", "60  1", " "}) {
    EXPECT_EQ(server.run("CONFIG", "SET", "save", save),
              set_failed("save", "Invalid save parameters"));
  }
  EXPECT_EQ(server.run("CONFIG", "SET", "save", ""), kOk);
  EXPECT_EQ(get(server, "save"), "");
  const std::vector<std::pair<std::string, std::string>> events{{"KEA", "AKE"},
                                                                {"gxE", "gxE"},
                                                                {"mn", "nm"},
                                                                {"tdK", "tdK"},
                                                                {"g$lshzxetd", "A"},
                                                                {"g$lshzxetdn", "A"},
                                                                {"Eg$lshzxtn", "g$lshzxtnE"},
                                                                {"", ""}};
  for (const auto& [given, kept] : events) {
    EXPECT_EQ(server.run("CONFIG", "SET", "notify-keyspace-events", given), kOk);
    EXPECT_EQ(get(server, "notify-keyspace-events"), kept) << given;
  }
  EXPECT_EQ(server.run("CONFIG", "SET", "notify-keyspace-events", "foo"),
            set_failed("notify-keyspace-events",
                       "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."));
}

TEST(ConfigSet, OfPercentilesSaysWhatInfoShows) {
  Server server;
  const auto set = [&server](std::string_view value) {
    return server.run("CONFIG", "SET", "latency-tracking-info-percentiles", value);
  };
  EXPECT_EQ(set("50.0 99.90 33.33333333"), kOk);
  EXPECT_EQ(get(server, "latency-tracking-info-percentiles"), "50 99.9 33.333333");
  EXPECT_NE(server.run("INFO", "latencystats").find(",p99.9="), std::string::npos);
  EXPECT_EQ(set(""), kOk);
  EXPECT_NE(server.run("INFO", "latencystats").find("_config|get:\r\n"), std::string::npos);
  const auto failed = [](std::string_view why) {
    return set_failed("latency-tracking-info-percentiles", why);
  };
  for (const char* value : {"nan", "50  60", " ", "x"}) {
    EXPECT_EQ(set(value), failed("Invalid latency-tracking-info-percentiles parameters"));
  }
  for (const char* value : {"100.1", "-1"}) {
    EXPECT_EQ(set(value), failed("latency-tracking-info-percentiles parameters should sit between "
                                 "[0.0,100.0]"));
  }
}

TEST(ConfigSet, RefusesWhatFencepostDoesNotDo) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "appendonly", "no"),
            set_failed("appendonly", "can't set immutable config"));
  EXPECT_EQ(server.run("CONFIG", "SET", "maxmemory-policy", "allkeys-lru"),
            set_failed("maxmemory-policy", "argument(s) must be one of the following: noeviction"));
  EXPECT_EQ(server.run("CONFIG", "SET", "appendonly", "yes"), kOk);
}

// As the suite of Redis does: what CONFIG GET gives, CONFIG SET takes back.
TEST(ConfigSet, TakesBackWhatConfigGetGave) {
  Server server;
  const auto all = server.engine().process().settings.matching({"*"});
  EXPECT_GT(all.size(), 90U);
  for (const auto& [name, value] : all) {
    const std::string reply = server.run("CONFIG", "SET", name, value);
    if (reply == set_failed(name, "can't set immutable config")) continue;
    EXPECT_EQ(reply, kOk) << name;
  }
  EXPECT_EQ(server.engine().process().settings.matching({"*"}), all);
}

TEST(ConfigResetStat, CountsAnew) {
  Server server;
  EXPECT_EQ(server.run("nosuch").substr(0, 4), "-ERR");
  EXPECT_GT(server.engine().process().statistics.error_replies, 0U);
  EXPECT_EQ(server.run("CONFIG", "RESETSTAT"), kOk);
  EXPECT_EQ(server.engine().process().statistics.error_replies, 0U);
  EXPECT_EQ(server.run("CONFIG", "RESETSTAT", "x"),
            "-ERR wrong number of arguments for 'config|resetstat' command\r\n");
}

TEST(ConfigRewrite, NeedsAFileAndSaysWhatWentWrong) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "REWRITE"),
            "-ERR The server is running without a config file\r\n");
  commands::Process& process = server.engine().process();
  process.identity.config_file = "/etc/fencepost.conf";
  process.rewrite_config = [](const commands::Settings&) -> Result<void> {
    return failure("Permission denied");
  };
  EXPECT_EQ(server.run("CONFIG", "REWRITE"), "-ERR Rewriting config file: Permission denied\r\n");
  process.rewrite_config = [](const commands::Settings&) -> Result<void> { return {}; };
  EXPECT_EQ(server.run("CONFIG", "REWRITE"), kOk);
}

TEST(Config, HelpsAndRefuses) {
  Server server;
  EXPECT_EQ(server.run("CONFIG"), "-ERR wrong number of arguments for 'config' command\r\n");
  EXPECT_EQ(server.run("CONFIG", "foo"), "-ERR unknown subcommand 'foo'. Try CONFIG HELP.\r\n");
  EXPECT_EQ(server.run("CONFIG", "HELP").substr(0, 5), "*11\r\n");
}

}  // namespace
}  // namespace fencepost::tests
