// HELLO, AUTH, PING, ECHO, SELECT, QUIT, RESET. Where Redis has the answer, it is what
// redis-server 7.0.15 sent.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kOk = "+OK\r\n";
constexpr std::string_view kNoAuth = "-NOAUTH Authentication required.\r\n";
constexpr std::string_view kWrongPass =
    "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
constexpr std::string_view kHelloNeedsLogin =
    "-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH "
    "<user> <pass> option can be used to authenticate the client and select the RESP protocol "
    "version at the same time\r\n";

commands::Settings with_password(std::string password) {
  commands::Settings settings;
  settings.values.password = std::move(password);
  return settings;
}

std::string server_map(std::string_view header, int protocol, ClientId id) {
  return std::string{header} + "$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.2.4\r\n" +
         "$5\r\nproto\r\n:" + std::to_string(protocol) +
         "\r\n$2\r\nid\r\n:" + std::to_string(static_cast<std::uint64_t>(id)) +
         "\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"
         "$7\r\nmodules\r\n*0\r\n";
}

TEST(Hello, AnswersAMapInTheProtocolItChose) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(alice.run("HELLO"), server_map("*14\r\n", 2, alice.id()));
  EXPECT_EQ(alice.run("HELLO", 3), server_map("%7\r\n", 3, alice.id()));
  EXPECT_EQ(alice.run("GET", "nothing"), "_\r\n");
  EXPECT_EQ(alice.run("hello"), server_map("%7\r\n", 3, alice.id()));
  EXPECT_EQ(alice.run("HELLO", 2), server_map("*14\r\n", 2, alice.id()));
  EXPECT_EQ(alice.run("GET", "nothing"), "$-1\r\n");
}

TEST(Hello, RefusesWhatItCannotRead) {
  Server server;
  for (const char* version : {"1", "4", "-3"}) {
    EXPECT_EQ(server.run("HELLO", version), "-NOPROTO unsupported protocol version\r\n");
  }
  for (const char* version : {"x", "03", "+3", "", "99999999999999999999"}) {
    EXPECT_EQ(server.run("HELLO", version),
              "-ERR Protocol version is not an integer or out of range\r\n");
  }
  EXPECT_EQ(server.run("HELLO", 3, "foo"), "-ERR Syntax error in HELLO option 'foo'\r\n");
  EXPECT_EQ(server.run("HELLO", 3, "fo\r\no"), "-ERR Syntax error in HELLO option 'fo  o'\r\n");
  EXPECT_EQ(server.run("HELLO", 3, "AUTH", "default"),
            "-ERR Syntax error in HELLO option 'AUTH'\r\n");
  EXPECT_EQ(server.run("HELLO", 3, "SETNAME"), "-ERR Syntax error in HELLO option 'SETNAME'\r\n");
}

TEST(Hello, LogsInAndNames) {
  Server server{with_password("sesame")};
  Client alice = server.client();
  EXPECT_EQ(alice.run("HELLO"), kHelloNeedsLogin);
  EXPECT_EQ(alice.run("HELLO", 3), kHelloNeedsLogin);
  EXPECT_EQ(alice.run("HELLO", 4), "-NOPROTO unsupported protocol version\r\n");
  EXPECT_EQ(alice.run("HELLO", 3, "AUTH", "default", "sesame", "SETNAME", "alice"),
            server_map("%7\r\n", 3, alice.id()));
  EXPECT_EQ(alice.run("CLIENT", "GETNAME"), "$5\r\nalice\r\n");
  EXPECT_EQ(alice.run("PING"), "+PONG\r\n");
}

TEST(Hello, ThatIsRefusedChangesNothing) {
  Server server{with_password("sesame")};
  Client alice = server.client();
  EXPECT_EQ(alice.run("HELLO", 3, "AUTH", "default", "sesame", "SETNAME", "two words"),
            "-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
  EXPECT_EQ(alice.run("HELLO", 3, "AUTH", "default", "sesame", "foo"),
            "-ERR Syntax error in HELLO option 'foo'\r\n");
  EXPECT_EQ(alice.run("HELLO", 3, "SETNAME", "alice", "AUTH", "default", "wrong"), kWrongPass);
  EXPECT_EQ(alice.run("PING"), kNoAuth);
  EXPECT_EQ(alice.run("AUTH", "sesame"), kOk);
  EXPECT_EQ(alice.run("CLIENT", "GETNAME"), "$-1\r\n") << "no name, and still RESP2";
}

TEST(Auth, WithoutAPasswordLetsTheDefaultUserIn) {
  Server server;
  EXPECT_EQ(server.run("AUTH", "x"),
            "-ERR AUTH <password> called without any password configured for the default user. Are "
            "you sure your configuration is correct?\r\n");
  EXPECT_EQ(server.run("AUTH", "default", "anything"), kOk);
  EXPECT_EQ(server.run("AUTH", "bob", "anything"), kWrongPass);
  EXPECT_EQ(server.run("AUTH", "a", "b", "c"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("AUTH"), "-ERR wrong number of arguments for 'auth' command\r\n");
}

TEST(Auth, AsksForThePassword) {
  Server server{with_password("sesame")};
  Client alice = server.client();
  EXPECT_EQ(alice.run("PING"), kNoAuth);
  EXPECT_EQ(alice.run("MULTI"), kNoAuth);
  EXPECT_EQ(alice.run("EXEC"),
            "-EXECABORT Transaction discarded because of: NOAUTH Authentication required.\r\n");
  EXPECT_EQ(alice.run("AUTH", "sesam"), kWrongPass);
  EXPECT_EQ(alice.run("AUTH", "sesamf"), kWrongPass);
  EXPECT_EQ(alice.run("AUTH", "sesamesesame"), kWrongPass);
  EXPECT_EQ(alice.run("AUTH", ""), kWrongPass);
  EXPECT_EQ(alice.run("AUTH", "bob", "sesame"), kWrongPass);
  EXPECT_EQ(alice.run("AUTH", "default", "sesame"), kOk);
  EXPECT_EQ(alice.run("PING"), "+PONG\r\n");
  EXPECT_EQ(alice.run("AUTH", "wrong"), kWrongPass);
  EXPECT_EQ(alice.run("PING"), "+PONG\r\n") << "a wrong password does not log out";
  EXPECT_EQ(server.engine().process().statistics.acl_denied_auth, 6U);
}

TEST(Auth, LeavesThoseInWhoWereThereBeforeThePassword) {
  Server server;
  EXPECT_EQ(server.run("CONFIG", "SET", "requirepass", "sesame"), kOk);
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
  EXPECT_EQ(server.client().run("PING"), kNoAuth);
  EXPECT_EQ(server.run("RESET"), "+RESET\r\n");
  EXPECT_EQ(server.run("PING"), kNoAuth);
  EXPECT_EQ(server.run("AUTH", "sesame"), kOk);
  EXPECT_EQ(server.run("CONFIG", "SET", "requirepass", ""), kOk);
  EXPECT_EQ(server.client().run("PING"), "+PONG\r\n");
}

TEST(Ping, AnswersPongOrTheMessage) {
  Server server;
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
  EXPECT_EQ(server.run("PING", "hello"), "$5\r\nhello\r\n");
  EXPECT_EQ(server.run("PING", "a", "b"), "-ERR wrong number of arguments for 'ping' command\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("PING"), "+PONG\r\n");
}

TEST(Echo, AnswersAnyBytes) {
  Server server;
  const std::string bytes{"\0\r\n\xff", 4};
  EXPECT_EQ(server.run("ECHO", bytes), "$4\r\n" + bytes + "\r\n");
  EXPECT_EQ(server.run("ECHO"), "-ERR wrong number of arguments for 'echo' command\r\n");
}

TEST(Select, ChoosesADatabase) {
  Server server;
  EXPECT_EQ(server.run("SET", "door", "alice"), kOk);
  EXPECT_EQ(server.run("SELECT", 15), kOk);
  EXPECT_EQ(server.run("GET", "door"), "$-1\r\n");
  EXPECT_EQ(server.run("SELECT", 16), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(server.run("SELECT", -1), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(server.run("SELECT", "1.0"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("SELECT", "99999999999"),
            "-ERR value is out of range, value must between -2147483648 and 2147483647\r\n");
  EXPECT_EQ(server.run("SELECT", 0), kOk);
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n");
}

TEST(Select, GoesAsFarAsTheSettingSays) {
  commands::Settings settings;
  settings.values.databases = 2;
  Server server{settings};
  EXPECT_EQ(server.run("SELECT", 1), kOk);
  EXPECT_EQ(server.run("SELECT", 2), "-ERR DB index is out of range\r\n");
}

TEST(Quit, AnswersAndCloses) {
  Server server;
  Client alice = server.client();
  alice.send("QUIT extra\r\nPING\r\n");
  EXPECT_EQ(alice.take(), kOk) << "what stands behind QUIT is not run";
  EXPECT_TRUE(alice.closed());
}

TEST(Reset, TakesTheConnectionBackToItsBeginning) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  EXPECT_EQ(alice.run("CLIENT", "SETNAME", "alice"), kOk);
  EXPECT_EQ(alice.run("SELECT", 3), kOk);
  EXPECT_EQ(alice.run("WATCH", "door"), kOk);
  EXPECT_EQ(alice.run("MULTI"), kOk);
  EXPECT_EQ(alice.run("RESET"), "+RESET\r\n");
  EXPECT_EQ(alice.run("EXEC"), "-ERR EXEC without MULTI\r\n");
  EXPECT_EQ(alice.run("CLIENT", "GETNAME"), "$-1\r\n") << "no name, in RESP2";
  EXPECT_EQ(alice.run("SET", "door", "alice"), kOk);
  EXPECT_EQ(server.run("GET", "door"), "$5\r\nalice\r\n") << "in database 0";
  EXPECT_EQ(alice.run("MULTI"), kOk);
  EXPECT_EQ(alice.run("EXEC"), "*0\r\n") << "the watch is forgotten";
  EXPECT_EQ(alice.run("RESET", "x"), "-ERR wrong number of arguments for 'reset' command\r\n");
}

TEST(Reset, SwitchesRepliesOnAgain) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "REPLY", "OFF"), "");
  EXPECT_EQ(server.run("PING"), "");
  EXPECT_EQ(server.run("RESET"), "+RESET\r\n");
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
  EXPECT_EQ(server.run("CLIENT", "REPLY", "SKIP"), "");
  EXPECT_EQ(server.run("RESET"), "") << "it is the one that is skipped";
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST(Reset, EndsMonitor) {
  Server server;
  Client watcher = server.client();
  EXPECT_EQ(watcher.run("MONITOR"), kOk);
  EXPECT_EQ(server.engine().process().monitor_count, 1U);
  EXPECT_EQ(watcher.run("RESET"), "+RESET\r\n");
  EXPECT_EQ(server.engine().process().monitor_count, 0U);
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
  EXPECT_EQ(watcher.take(), "");
}

}  // namespace
}  // namespace fencepost::tests
