// DEBUG: who may, what it answers, and that the fingerprint of the state means something.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::commands {
namespace {

using tests::Protocol;
using tests::Server;

Settings with_debug(std::string how) {
  Settings settings;
  settings.values.enable_debug_command = std::move(how);
  return settings;
}

TEST(Debug, IsRefusedUnlessItIsSwitchedOn) {
  Server server;
  EXPECT_EQ(
      server.run("DEBUG", "JMAP"),
      "-ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", "
      "you can run it from a local connection, otherwise you need to set this option in the "
      "configuration file, and then restart the server.\r\n");
}

TEST(Debug, LocalMeansLoopbackAndUnixSockets) {
  Server server{with_debug("local")};
  const auto run_from = [&server](std::string address) {
    server.engine().process().clients.begin()->second->address = std::move(address);
    return server.run("DEBUG", "JMAP");
  };
  EXPECT_EQ(run_from("127.0.0.1:4000"), "+OK\r\n");
  EXPECT_EQ(run_from("[::1]:4000"), "+OK\r\n");
  EXPECT_EQ(run_from("/tmp/fencepost.sock:0"), "+OK\r\n");
  EXPECT_TRUE(run_from("10.0.0.1:4000").starts_with("-ERR DEBUG command not allowed."));
}

TEST(Debug, AnswersASampleOfEachType) {
  Server server{with_debug("yes")};
  auto resp3 = server.client(Protocol::resp3);
  const auto expect = [&](std::string_view type, std::string_view in_resp2,
                          std::string_view in_resp3) {
    EXPECT_EQ(server.run("DEBUG", "PROTOCOL", type), in_resp2);
    EXPECT_EQ(resp3.run("DEBUG", "PROTOCOL", type), in_resp3);
  };
  expect("string", "$11\r\nHello World\r\n", "$11\r\nHello World\r\n");
  expect("integer", ":12345\r\n", ":12345\r\n");
  expect("double", "$5\r\n3.141\r\n", ",3.141\r\n");
  expect("null", "$-1\r\n", "_\r\n");
  expect("array", "*3\r\n:0\r\n:1\r\n:2\r\n", "*3\r\n:0\r\n:1\r\n:2\r\n");
  expect("set", "*3\r\n:0\r\n:1\r\n:2\r\n", "~3\r\n:0\r\n:1\r\n:2\r\n");
  expect("map", "*6\r\n:0\r\n:0\r\n:1\r\n:1\r\n:2\r\n:0\r\n",
         "%3\r\n:0\r\n#f\r\n:1\r\n#t\r\n:2\r\n#f\r\n");
  expect("attrib", "$39\r\nSome real reply following the attribute\r\n",
         "|1\r\n$14\r\nkey-popularity\r\n*2\r\n$7\r\nkey:123\r\n:90\r\n"
         "$39\r\nSome real reply following the attribute\r\n");
  expect("push", "-ERR RESP2 is not supported by this command\r\n",
         ">2\r\n$16\r\nserver-cpu-usage\r\n:42\r\n$40\r\nSome real reply following the push "
         "reply\r\n");
  expect("bignum", "$37\r\n1234567999999999999999999999999999999\r\n",
         "(1234567999999999999999999999999999999\r\n");
  expect("verbatim", "$25\r\nThis is a verbatim\nstring\r\n",
         "=29\r\ntxt:This is a verbatim\nstring\r\n");
  expect("true", ":1\r\n", "#t\r\n");
  expect("false", ":0\r\n", "#f\r\n");
  EXPECT_TRUE(server.run("DEBUG", "PROTOCOL", "x").starts_with("-ERR Wrong protocol type name."));
}

TEST(Debug, AnErrorTextStaysOnOneLine) {
  Server server{with_debug("yes")};
  EXPECT_EQ(server.run("DEBUG", "ERROR", "OWN a\r\nb"), "-OWN a  b\r\n");
}

TEST(Debug, NamesWhatItDoesNotKnow) {
  Server server{with_debug("yes")};
  EXPECT_EQ(server.run("DEBUG", "foo"),
            "-ERR unknown subcommand or wrong number of arguments for 'foo'. Try DEBUG HELP.\r\n");
  EXPECT_EQ(
      server.run("DEBUG", "sleep"),
      "-ERR unknown subcommand or wrong number of arguments for 'sleep'. Try DEBUG HELP.\r\n");
  EXPECT_EQ(server.run("DEBUG"), "-ERR wrong number of arguments for 'debug' command\r\n");
  EXPECT_TRUE(server.run("DEBUG", "RELOAD").starts_with("-ERR this version keeps"));
}

TEST(Debug, SleepStopsTheServerForThatLong) {
  Server server{with_debug("yes")};
  Duration slept{};
  server.engine().process().sleep = [&slept](Duration span) { slept += span; };
  EXPECT_EQ(server.run("DEBUG", "SLEEP", "0.25"), "+OK\r\n");
  EXPECT_EQ(slept, Duration{250});
  EXPECT_EQ(server.run("DEBUG", "SLEEP", "-1"), "+OK\r\n");
  EXPECT_EQ(server.run("DEBUG", "SLEEP", "x"), "+OK\r\n");
  EXPECT_EQ(slept, Duration{250});
}

TEST(Debug, LogReachesTheLogOnOneLine) {
  Server server{with_debug("yes")};
  std::string line;
  server.engine().process().log = [&line](std::string_view text) { line = text; };
  EXPECT_EQ(server.run("DEBUG", "LOG", "a\nb"), "+OK\r\n");
  EXPECT_EQ(line, "DEBUG LOG: a b");
}

TEST(Debug, TheDigestOfNothingIsZero) {
  Server server{with_debug("yes")};
  EXPECT_EQ(server.run("DEBUG", "DIGEST"), "+" + std::string(40, '0') + "\r\n");
  EXPECT_EQ(server.run("DEBUG", "DIGEST-VALUE", "none"), "*1\r\n+" + std::string(40, '0') + "\r\n");
}

TEST(Debug, TheDigestIsTheSameForTheSameStateHoweverItCameAbout) {
  Server one{with_debug("yes")};
  Server other{with_debug("yes")};
  one.run("SET", "a", "1");
  one.run("SET", "b", "2");
  other.run("SET", "b", "2");
  other.run("SET", "a", "1");
  EXPECT_EQ(one.run("DEBUG", "DIGEST"), other.run("DEBUG", "DIGEST"));
}

TEST(Debug, TheDigestSeesValuesLeasesFencesAndDatabases) {
  Server server{with_debug("yes")};
  std::vector<std::string> seen;
  const auto differs = [&] {
    const auto digest = server.run("DEBUG", "DIGEST");
    const bool is_new = std::find(seen.begin(), seen.end(), digest) == seen.end();
    seen.push_back(digest);
    return is_new;
  };
  EXPECT_TRUE(differs());
  server.run("SET", "a", "1");
  EXPECT_TRUE(differs());
  server.run("APPEND", "a", "1");
  EXPECT_TRUE(differs()) << "another value";
  server.run("PEXPIRE", "a", 5000);
  EXPECT_TRUE(differs()) << "a lease";
  server.run("DEL", "a");
  server.run("SET", "a", "1");
  EXPECT_TRUE(differs()) << "the same value under a new fence";
  server.run("MOVE", "a", 1);
  EXPECT_TRUE(differs()) << "in another database";
}

TEST(Debug, TheDigestOfAValueKnowsNotItsKey) {
  Server server{with_debug("yes")};
  server.run("MSET", "a", "1", "b", "1", "c", "2");
  const auto digests = server.run("DEBUG", "DIGEST-VALUE", "a", "b", "c");
  ASSERT_EQ(digests.size(), 4U + 3 * 43U);
  EXPECT_EQ(digests.substr(4, 43), digests.substr(47, 43));
  EXPECT_NE(digests.substr(4, 43), digests.substr(90, 43));
}

}  // namespace
}  // namespace fencepost::commands
