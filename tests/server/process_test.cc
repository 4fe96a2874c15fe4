// The process as an operator meets it: command line, config file, sockets, signals.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <hiredis/hiredis.h>

#include "live.h"

namespace fencepost::server {

namespace {

using namespace std::chrono_literals;

TEST(Process, ServesOverIpv4Ipv6AndAUnixSocketInBothProtocols) {
  const Scratch scratch;
  const LiveServer server{{"--bind", "127.0.0.1", "-::1", "--unixsocket", scratch.path("s"),
                           "--unixsocketperm", "700"}};
  LiveClient four = server.client();
  LiveClient local = LiveClient::unix_socket(scratch.path("s"));
  EXPECT_EQ(four.ask("SET a 1"), "OK");
  EXPECT_EQ(local.ask("GET a"), "\"1\"");
  EXPECT_EQ(local.ask("GET none"), "(nil)");
  LiveClient six = LiveClient::tcp(server.port(), "::1");
  if (!six.is_connected()) GTEST_SKIP() << "this host has no IPv6";
  EXPECT_NE(six.ask("HELLO 3").find("\"proto\": 3"), std::string::npos);
  EXPECT_EQ(six.ask("GET a"), "\"1\"");
  EXPECT_NE(six.ask("CLIENT INFO").find("addr=[::1]:"), std::string::npos);
  EXPECT_NE(local.ask("CLIENT INFO").find("addr=" + scratch.path("s") + ":0"), std::string::npos);
  const auto permissions = std::filesystem::status(scratch.path("s")).permissions();
  EXPECT_EQ(permissions & std::filesystem::perms::all, std::filesystem::perms::owner_all);
}

TEST(Process, ServesHiredis) {
  const LiveServer server;
  const std::unique_ptr<redisContext, void (*)(redisContext*)> context{
      redisConnect("127.0.0.1", server.port()), &redisFree};
  ASSERT_EQ(context->err, 0) << context->errstr;
  const auto ask = [&context](const char* line) {
    return std::unique_ptr<redisReply, void (*)(void*)>{
        static_cast<redisReply*>(redisCommand(context.get(), line)), &freeReplyObject};
  };
  EXPECT_EQ(ask("SET a hello")->type, REDIS_REPLY_STATUS);
  EXPECT_STREQ(ask("GET a")->str, "hello");
  EXPECT_EQ(ask("INCR n")->integer, 1);
  EXPECT_EQ(ask("SET a x NX")->type, REDIS_REPLY_NIL);
}

TEST(Process, AnswersALargePipelineAndALargeReplyWhole) {
  const LiveServer server;
  LiveClient client = server.client();
  std::string pipeline;
  for (int i = 0; i < 100'000; ++i) pipeline += "INCR n\r\n";
  client.send(pipeline);
  for (int i = 1; i <= 100'000; ++i) ASSERT_EQ(client.reply(), std::to_string(i));
  const std::string large(12 * 1024 * 1024, 'x');
  client.send("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + std::to_string(large.size()) + "\r\n" + large +
              "\r\n");
  EXPECT_EQ(client.reply(), "OK");
  client.send("GET big\r\nGET big\r\nPING\r\n");
  EXPECT_EQ(client.reply(), "\"" + large + "\"");
  EXPECT_EQ(client.reply(), "\"" + large + "\"");
  EXPECT_EQ(client.reply(), "PONG");
}

TEST(Process, WhatAClientDidNotTakeReachesNobodyElse) {
  const LiveServer server;
  const std::string large(1024 * 1024, 'x');
  LiveClient other = server.client();
  other.send("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + std::to_string(large.size()) + "\r\n" + large +
             "\r\n");
  EXPECT_EQ(other.reply(), "OK");
  for (int i = 0; i < 50; ++i) {
    LiveClient gone = server.client();
    gone.send("GET big\r\nGET big\r\nGET big\r\n");
    other.send("ECHO mine\r\n");
    gone.close();  // with replies unread: the kernel resets the connection
    LiveClient next = server.client();
    ASSERT_EQ(next.ask("ECHO next"), "\"next\"");
    ASSERT_EQ(other.reply(), "\"mine\"");
  }
}

TEST(Process, AnswersWhatWasAskedBeforeTheClientFinishedSending) {
  const LiveServer server;
  LiveClient client = server.client();
  client.send("SET a 1\r\nGET a\r\n");
  client.finish_sending();
  EXPECT_EQ(client.reply(), "OK");
  EXPECT_EQ(client.reply(), "\"1\"");
  EXPECT_EQ(client.reply(), "(closed)");
}

TEST(Process, SaysThatThereAreTooManyClients) {
  const LiveServer server{{"--maxclients", "2"}};
  LiveClient alice = server.client();
  EXPECT_EQ(alice.ask("PING"), "PONG");
  LiveClient bob = server.client();
  EXPECT_EQ(bob.ask("PING"), "PONG");
  LiveClient carol = server.client();
  EXPECT_EQ(carol.reply(), "(error) ERR max number of clients reached");
  EXPECT_EQ(carol.reply(), "(closed)");
  EXPECT_EQ(alice.ask("PING"), "PONG");
}

TEST(Process, ClosesWhoIsIdleTooLong) {
  const LiveServer server{{"--timeout", "1"}};
  LiveClient client = server.client();
  EXPECT_EQ(client.ask("PING"), "PONG");
  EXPECT_EQ(client.reply(500ms), "(silence)");
  EXPECT_EQ(client.reply(5s), "(closed)");
}

TEST(Process, SigtermAnswersThenClosesThenEnds) {
  const Scratch scratch;
  LiveServer server{{"--unixsocket", scratch.path("s")}};
  LiveClient client = server.client();
  EXPECT_EQ(client.ask("SET a 1"), "OK");
  server.signal(SIGTERM);
  EXPECT_EQ(client.reply(), "(closed)");
  EXPECT_EQ(server.wait(), 0);
  EXPECT_FALSE(server.client().is_connected());
  EXPECT_FALSE(std::filesystem::exists(scratch.path("s")));
}

TEST(Process, AClientThatDoesNotReadDoesNotHoldUpTheShutdown) {
  LiveServer server;
  LiveClient client = server.client();
  client.send("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$8000000\r\n" + std::string(8'000'000, 'x') + "\r\n");
  EXPECT_EQ(client.reply(), "OK");
  client.send("GET a\r\nGET a\r\n");
  server.signal(SIGINT);
  EXPECT_EQ(server.wait(5s), 0);
}

TEST(Process, ShutdownEndsItToo) {
  LiveServer server;
  LiveClient client = server.client();
  client.send("SHUTDOWN NOSAVE\r\n");
  EXPECT_EQ(client.reply(), "(closed)");
  EXPECT_EQ(server.wait(), 0);
}

TEST(Process, ASignalToHangUpAndABrokenPipeDoNotEndIt) {
  const LiveServer server;
  server.signal(SIGHUP);
  server.signal(SIGPIPE);
  EXPECT_EQ(server.client().ask("PING"), "PONG");
}

TEST(Process, ReadsAConfigFileAndTheCommandLineWins) {
  const Scratch scratch;
  std::ofstream{scratch.path("f.conf")} << "# ours\nmaxclients 77\ntimeout 9\n";
  const LiveServer server{{"--timeout", "8"}, scratch.path("f.conf")};
  LiveClient client = server.client();
  EXPECT_EQ(client.ask("CONFIG GET maxclients"), "[\"maxclients\", \"77\"]");
  EXPECT_EQ(client.ask("CONFIG GET timeout"), "[\"timeout\", \"8\"]");
  EXPECT_EQ(client.ask("CONFIG SET maxclients 78"), "OK");
  EXPECT_EQ(client.ask("CONFIG REWRITE"), "OK");
  std::ifstream file{scratch.path("f.conf")};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  EXPECT_NE(text.find("# ours\nmaxclients 78\ntimeout 8\n"), std::string::npos) << text;
}

TEST(Process, ListensAtAnotherPortWhenTold) {
  const LiveServer server;
  const LiveServer other;
  LiveClient client = server.client();
  const std::string taken = std::to_string(other.port());
  const std::string refused = client.ask("CONFIG SET timeout 9 port " + taken);
  EXPECT_NE(refused.find("related to argument 'port') - Unable to listen on this port"),
            std::string::npos)
      << refused;
  EXPECT_EQ(client.ask("CONFIG GET timeout"), "[\"timeout\", \"0\"]");
  EXPECT_EQ(server.client().ask("PING"), "PONG");

  const int port = free_port();
  EXPECT_EQ(client.ask("CONFIG SET port " + std::to_string(port)), "OK");
  EXPECT_EQ(LiveClient::tcp(port).ask("PING"), "PONG");
  EXPECT_FALSE(server.client().is_connected());
  EXPECT_EQ(client.ask("CONFIG SET port " + std::to_string(server.port())), "OK");
  EXPECT_EQ(server.client().ask("PING"), "PONG");
  EXPECT_FALSE(LiveClient::tcp(port).is_connected());
  EXPECT_EQ(client.ask("PING"), "PONG") << "whoever is in stays";
}

TEST(Process, SaysWhatIsWrongAndEndsWithOne) {
  const LiveServer taken;
  const std::string port = std::to_string(taken.port());
  const auto expect_refused = [](const std::vector<std::string>& words, std::string_view why) {
    const Outcome outcome = run_to_end(words);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_NE(outcome.output.find(why), std::string::npos) << outcome.output;
  };
  expect_refused({"--port", port}, "address already in use");
  expect_refused({"--port", "0"}, "nowhere to listen");
  expect_refused({"--port", "many"}, "port: ");
  expect_refused({"--nosuch", "1"}, "nosuch");
  expect_refused({"--port"}, "--port needs a value");
  expect_refused({"/nonexistent/f.conf"}, "/nonexistent/f.conf");
  expect_refused({"--port", std::to_string(free_port()), "--bind", "203.0.113.9"}, "203.0.113.9");
  expect_refused({"--appendonly", "yes", "--dir", "/nonexistent/data"}, "/nonexistent/data");
  expect_refused({"--port", "0", "--unixsocket", "/nonexistent/s"}, "/nonexistent/s");
  expect_refused({"--port", "0", "--unixsocket", std::string(200, 'x')}, "too long");
}

TEST(Process, ShowsHelpAndVersion) {
  const Outcome help = run_to_end({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("--lock-default-ttl"), std::string::npos);
  const Outcome version = run_to_end({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.output, "fencepost " FENCEPOST_VERSION "\n");
}

}  // namespace

}  // namespace fencepost::server
