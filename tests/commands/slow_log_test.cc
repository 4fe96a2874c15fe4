// SLOWLOG: what is kept, how it is shortened, what is hidden.
#include "commands/server/slow_log.h"

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::commands {
namespace {

using Words = std::vector<std::string_view>;

TEST(SlowLog, KeepsTheNewestFirst) {
  SlowLog log;
  for (std::int64_t i = 0; i < 5; ++i) log.add(Words{"get", "k"}, 100 + i, i, "host:1", "name", 3);
  ASSERT_EQ(log.entries().size(), 3U);
  EXPECT_EQ(log.entries().front().id, 4);
  EXPECT_EQ(log.entries().front().unix_s, 104);
  EXPECT_EQ(log.entries().back().id, 2);
  log.clear();
  log.add(Words{"get", "k"}, 1, 1, "", "", 3);
  EXPECT_EQ(log.entries().front().id, 5) << "ids go on";
}

TEST(SlowLog, SumsUpLongWordsAndManyWords) {
  SlowLog log;
  const std::string long_word(200, 'x');
  log.add(Words{"set", "k", long_word}, 1, 1, "", "", 3);
  EXPECT_EQ(log.entries().front().arguments[2], std::string(128, 'x') + "... (72 more bytes)");
  const Words many(40, "a");
  log.add(many, 1, 1, "", "", 3);
  ASSERT_EQ(log.entries().front().arguments.size(), 32U);
  EXPECT_EQ(log.entries().front().arguments[31], "... (9 more arguments)");
  log.add(Words(32, "a"), 1, 1, "", "", 3);
  EXPECT_EQ(log.entries().front().arguments[31], "a");
}

TEST(SlowLog, KeepsNoPassword) {
  SlowLog log;
  log.add(Words{"AUTH", "user", "secret"}, 1, 1, "", "", 9);
  EXPECT_EQ(log.entries().front().arguments,
            (std::vector<std::string>{"AUTH", "(redacted)", "(redacted)"}));
  log.add(Words{"hello", "3", "AUTH", "user", "secret", "SETNAME", "me"}, 1, 1, "", "", 9);
  EXPECT_EQ(log.entries().front().arguments,
            (std::vector<std::string>{"hello", "3", "AUTH", "(redacted)", "(redacted)", "SETNAME",
                                      "me"}));
  log.add(Words{"config", "set", "timeout", "1", "RequirePass", "secret"}, 1, 1, "", "", 9);
  EXPECT_EQ(
      log.entries().front().arguments,
      (std::vector<std::string>{"config", "set", "timeout", "1", "RequirePass", "(redacted)"}));
}

TEST(SlowLog, IsReadByCount) {
  Settings settings;
  settings.values.slow_log_slower_than_us = 0;
  tests::Server server{std::move(settings)};
  EXPECT_EQ(server.run("SLOWLOG", "RESET"), "+OK\r\n");
  EXPECT_EQ(server.run("ECHO", "hi"), "$2\r\nhi\r\n");
  EXPECT_EQ(server.run("SLOWLOG", "LEN"), ":2\r\n");
  const auto newest_two = server.run("SLOWLOG", "GET", 2);
  EXPECT_TRUE(
      newest_two.starts_with("*2\r\n*6\r\n:2\r\n:1700000000\r\n:0\r\n*2\r\n$7\r\nSLOWLOG\r\n"))
      << newest_two;
  EXPECT_NE(newest_two.find("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n"), std::string::npos) << newest_two;
  EXPECT_TRUE(server.run("SLOWLOG", "GET", -1).starts_with("*4\r\n"));
  EXPECT_EQ(server.run("SLOWLOG", "GET", -2),
            "-ERR count should be greater than or equal to -1\r\n");
  EXPECT_EQ(server.run("SLOWLOG", "GET", "x"),
            "-ERR count should be greater than or equal to -1\r\n");
  EXPECT_EQ(server.run("SLOWLOG", "FOO"), "-ERR unknown subcommand 'FOO'. Try SLOWLOG HELP.\r\n");
}

}  // namespace
}  // namespace fencepost::commands
