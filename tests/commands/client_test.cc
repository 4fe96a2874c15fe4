// CLIENT. Where Redis has the answer, it is what redis-server 7.0.15 sent.
#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

constexpr std::string_view kOk = "+OK\r\n";
constexpr std::string_view kSyntax = "-ERR syntax error\r\n";

std::string number(ClientId id) {
  return std::to_string(static_cast<std::uint64_t>(id));
}

std::string wrong_number(std::string_view command) {
  return "-ERR wrong number of arguments for '" + std::string{command} + "' command\r\n";
}

// The text inside a bulk or verbatim reply.
std::string text_of(const std::string& reply) {
  const std::size_t start = reply.find("\r\n") + 2;
  return reply.substr(start, reply.size() - start - 2);
}

// The value of one field in a line of CLIENT LIST.
std::string field(const std::string& line, const std::string& name) {
  std::smatch found;
  return std::regex_search(line, found, std::regex{"(?:^|[ \n])" + name + "=([^ \n]*)"})
             ? found[1].str()
             : "(no such field)";
}

TEST(Client, SaysWhoOneIs) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(alice.run("CLIENT", "ID"), ":" + number(alice.id()) + "\r\n");
  EXPECT_NE(server.client().id(), alice.id());
  EXPECT_EQ(alice.run("CLIENT", "GETREDIR"), ":-1\r\n");
  EXPECT_EQ(alice.run("CLIENT", "TRACKINGINFO"),
            "*6\r\n$5\r\nflags\r\n*1\r\n$3\r\noff\r\n$8\r\nredirect\r\n:-1\r\n$8\r\nprefixes\r\n"
            "*0\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("CLIENT", "TRACKINGINFO"),
            "%3\r\n$5\r\nflags\r\n~1\r\n$3\r\noff\r\n$8\r\nredirect\r\n:-1\r\n$8\r\nprefixes\r\n"
            "*0\r\n");
}

TEST(Client, WithoutASubcommandOrWithAnUnknownOne) {
  Server server;
  EXPECT_EQ(server.run("CLIENT"), wrong_number("client"));
  EXPECT_EQ(server.run("CLIENT", "nosuch"),
            "-ERR unknown subcommand 'nosuch'. Try CLIENT HELP.\r\n");
  EXPECT_EQ(server.run("CLIENT", "ID", "x"), wrong_number("client|id"));
  EXPECT_EQ(server.run("client", "help").substr(0, 5), "*37\r\n");
}

TEST(ClientName, IsPrintableWithoutSpaces) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "GETNAME"), "$-1\r\n");
  EXPECT_EQ(server.run("CLIENT", "SETNAME", "~!"), kOk);
  EXPECT_EQ(server.run("CLIENT", "GETNAME"), "$2\r\n~!\r\n");
  for (const char* name : {"two words", "new\nline", "\xff", "tab\t"}) {
    EXPECT_EQ(server.run("CLIENT", "SETNAME", name),
              "-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
  }
  EXPECT_EQ(server.run("CLIENT", "GETNAME"), "$2\r\n~!\r\n");
  EXPECT_EQ(server.run("CLIENT", "SETNAME", ""), kOk);
  EXPECT_EQ(server.run("CLIENT", "GETNAME"), "$-1\r\n");
  EXPECT_EQ(server.run("CLIENT", "SETNAME", std::string(1024, 'a')), kOk);
  EXPECT_EQ(server.run("CLIENT", "SETNAME", std::string(1025, 'a')),
            "-ERR Client names cannot be longer than 1024 bytes.\r\n");
}

TEST(ClientSetInfo, NotesTheLibrary) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "SETINFO", "LIB-NAME", "redis-py"), kOk);
  EXPECT_EQ(server.run("CLIENT", "SETINFO", "lib-ver", "8.0.1"), kOk);
  EXPECT_EQ(server.run("CLIENT", "SETINFO", "lib-age", "8"),
            "-ERR Unrecognized option 'lib-age'\r\n");
  EXPECT_EQ(server.run("CLIENT", "SETINFO", "lib-name", "redis py"),
            "-ERR lib-name cannot contain spaces, newlines or special characters.\r\n");
  EXPECT_EQ(server.run("CLIENT", "SETINFO", "lib-name"), wrong_number("client|setinfo"));
  EXPECT_TRUE(
      server.run("CLIENT", "INFO").ends_with(" resp=2 lib-name=redis-py lib-ver=8.0.1\n\r\n"));
}

// The fields of 7.0.15 in their order, and the two that 7.2 added behind them.
TEST(ClientList, HasTheFieldsOfRedis) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "SETNAME", "alice"), kOk);
  const std::string line = text_of(server.run("CLIENT", "LIST"));
  const std::regex any_field{"([a-z-]+)=[^ \n]*"};
  std::string names;
  for (std::sregex_iterator at{line.begin(), line.end(), any_field}, end; at != end; ++at) {
    names += (*at)[1].str() + ' ';
  }
  EXPECT_EQ(names,
            "id addr laddr fd name age idle flags db sub psub ssub multi qbuf qbuf-free argv-mem "
            "multi-mem rbs rbp obl oll omem tot-mem events cmd user redir resp lib-name lib-ver ");
  EXPECT_EQ(field(line, "id"), number(server.first().id()));
  EXPECT_EQ(field(line, "addr"), "127.0.0.1:40112");
  EXPECT_EQ(field(line, "laddr"), "127.0.0.1:6379");
  EXPECT_EQ(field(line, "name"), "alice");
  EXPECT_EQ(field(line, "flags"), "N");
  EXPECT_EQ(field(line, "multi"), "-1");
  EXPECT_EQ(field(line, "qbuf"), "26") << "the bytes of this very request";
  EXPECT_EQ(field(line, "cmd"), "client|list");
  EXPECT_EQ(field(line, "user"), "default");
  EXPECT_TRUE(line.ends_with("lib-name= lib-ver=\n"));
}

TEST(ClientList, ShowsWhatEachIsDoing) {
  Server server;
  Client alice = server.client();
  const auto line = [&] { return text_of(server.run("CLIENT", "LIST", "ID", number(alice.id()))); };
  EXPECT_EQ(field(line(), "cmd"), "NULL");
  EXPECT_EQ(alice.run("WATCH", "door"), kOk);
  EXPECT_EQ(server.run("SET", "door", "bob"), kOk);
  EXPECT_EQ(field(line(), "flags"), "d");
  EXPECT_EQ(alice.run("MULTI"), kOk);
  EXPECT_EQ(alice.run("GET", "door"), "+QUEUED\r\n");
  EXPECT_EQ(field(line(), "flags"), "xd");
  EXPECT_EQ(field(line(), "multi"), "1");
  EXPECT_EQ(field(line(), "multi-mem"), "167") << "its 7 bytes and what holds them";
  EXPECT_EQ(alice.run("DISCARD"), kOk);
  EXPECT_EQ(alice.run("CLIENT", "NO-EVICT", "ON"), kOk);
  EXPECT_EQ(alice.run("CLIENT", "NO-TOUCH", "ON"), kOk);
  EXPECT_EQ(field(line(), "flags"), "eT");
  EXPECT_EQ(alice.run("SELECT", 3), kOk);
  EXPECT_EQ(field(line(), "db"), "3");
  server.pass(5'500);
  EXPECT_EQ(field(line(), "age"), "5");
  EXPECT_EQ(field(line(), "idle"), "5");
  EXPECT_EQ(alice.run("PING"), "+PONG\r\n");
  EXPECT_EQ(field(line(), "idle"), "0");
}

TEST(ClientList, IsFilteredByTypeAndId) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  EXPECT_EQ(server.run("CLIENT", "LIST", "TYPE", "master"), "$0\r\n\r\n");
  EXPECT_EQ(server.run("CLIENT", "LIST", "TYPE", "replica"), "$0\r\n\r\n");
  EXPECT_EQ(server.run("CLIENT", "LIST", "TYPE", "pubsub"), "$0\r\n\r\n");
  const std::string all = text_of(server.run("CLIENT", "LIST", "TYPE", "NORMAL"));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 3);
  const std::string some =
      text_of(server.run("CLIENT", "LIST", "ID", number(bob.id()), 99999, number(alice.id())));
  EXPECT_EQ(field(some, "id"), number(bob.id())) << "in the order asked for";
  EXPECT_EQ(std::count(some.begin(), some.end(), '\n'), 2);
  EXPECT_EQ(server.run("CLIENT", "LIST", "ID", -1), "$0\r\n\r\n");
  EXPECT_EQ(server.run("CLIENT", "LIST", "ID", "x"), "-ERR Invalid client ID\r\n");
  EXPECT_EQ(server.run("CLIENT", "LIST", "TYPE", "foo"), "-ERR Unknown client type 'foo'\r\n");
  EXPECT_EQ(server.run("CLIENT", "LIST", "x"), kSyntax);
  EXPECT_EQ(server.run("CLIENT", "LIST", "ID"), kSyntax);
  EXPECT_EQ(server.run("CLIENT", "LIST", "TYPE", "normal", "ID", 1), kSyntax);
}

TEST(ClientList, IsVerbatimInResp3) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  EXPECT_EQ(alice.run("CLIENT", "INFO").substr(0, 1), "=");
  EXPECT_NE(alice.run("CLIENT", "LIST").find("\r\ntxt:id="), std::string::npos);
}

TEST(ClientKill, ByAddressSparesNobody) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "KILL", "1.2.3.4:5"), "-ERR No such client\r\n");
  Client alice = server.client();
  EXPECT_EQ(alice.run("CLIENT", "KILL", "127.0.0.1:40112"), kOk);
  EXPECT_TRUE(alice.closed());
  EXPECT_TRUE(server.first().closed()) << "all clients of this harness have one address";
}

TEST(ClientKill, ByFiltersCountsThem) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  EXPECT_EQ(server.run("CLIENT", "KILL", "ID", 99999), ":0\r\n");
  EXPECT_EQ(server.run("CLIENT", "KILL", "ID", number(alice.id()), "ADDR", "1.2.3.4:5"), ":0\r\n");
  EXPECT_EQ(server.run("CLIENT", "KILL", "ID", number(alice.id()), "LADDR", "127.0.0.1:6379"),
            ":1\r\n");
  EXPECT_TRUE(alice.closed());
  EXPECT_FALSE(bob.closed());
  EXPECT_EQ(server.run("CLIENT", "KILL", "ID", number(server.first().id())), ":0\r\n");
  EXPECT_EQ(server.run("CLIENT", "KILL", "USER", "default"), ":1\r\n");
  EXPECT_TRUE(bob.closed());
  EXPECT_EQ(server.run("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"), ":1\r\n");
  EXPECT_TRUE(server.first().closed()) << "after its reply";
}

TEST(ClientKill, RefusesWhatItCannotRead) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "KILL"), wrong_number("client|kill"));
  for (const char* id : {"x", "0", "-1"}) {
    EXPECT_EQ(server.run("CLIENT", "KILL", "ID", id),
              "-ERR client-id should be greater than 0\r\n");
  }
  EXPECT_EQ(server.run("CLIENT", "KILL", "TYPE", "x"), "-ERR Unknown client type 'x'\r\n");
  EXPECT_EQ(server.run("CLIENT", "KILL", "USER", "nosuch"), "-ERR No such user 'nosuch'\r\n");
  EXPECT_EQ(server.run("CLIENT", "KILL", "foo", "bar"), kSyntax);
  EXPECT_EQ(server.run("CLIENT", "KILL", "ADDR", "a", "LADDR"), kSyntax);
  EXPECT_EQ(server.run("CLIENT", "KILL", "USER", "default", "SKIPME", "maybe"), kSyntax);
}

TEST(ClientReply, SwitchesAnswers) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "REPLY", "foo"), kSyntax);
  EXPECT_EQ(server.run("CLIENT", "REPLY", "on"), kOk);
  EXPECT_EQ(server.run("CLIENT", "REPLY", "SKIP"), "");
  EXPECT_EQ(server.run("PING"), "");
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
  EXPECT_EQ(server.run("CLIENT", "REPLY", "OFF"), "");
  EXPECT_EQ(server.run("PING"), "");
  EXPECT_EQ(server.run("nosuch"), "");
  EXPECT_EQ(server.run("CLIENT", "REPLY", "SKIP"), "");
  EXPECT_EQ(server.run("PING"), "");
  EXPECT_EQ(server.run("CLIENT", "REPLY", "ON"), kOk);
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST(ClientUnblock, OfOneWhoDoesNotWait) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", number(server.first().id())), ":0\r\n");
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", -1, "TIMEOUT"), ":0\r\n");
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", "x"),
            "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", "x", "FOO"),
            "-ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR\r\n");
  EXPECT_EQ(server.run("CLIENT", "UNBLOCK", 1, "ERROR", "x"),
            "-ERR unknown subcommand or wrong number of arguments for 'UNBLOCK'. Try CLIENT "
            "HELP.\r\n");
}

TEST(ClientSwitches, AreOnOrOff) {
  Server server;
  for (const char* command : {"NO-EVICT", "NO-TOUCH"}) {
    EXPECT_EQ(server.run("CLIENT", command, "on"), kOk);
    EXPECT_EQ(server.run("CLIENT", command, "OFF"), kOk);
    EXPECT_EQ(server.run("CLIENT", command, "foo"), kSyntax);
  }
}

TEST(ClientPause, LetsCommandsWait) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 1000, "WRITE"), kOk);
  EXPECT_EQ(alice.run("GET", "door"), "$-1\r\n");
  EXPECT_EQ(alice.run("SET", "door", "alice"), "");
  EXPECT_EQ(field(text_of(server.run("CLIENT", "LIST", "ID", number(alice.id()))), "flags"), "b");
  EXPECT_NE(server.run("INFO", "clients").find("\r\nblocked_clients:1\r\n"), std::string::npos);
  server.pass(900);
  EXPECT_EQ(alice.take(), "");
  server.pass(200);
  EXPECT_EQ(alice.take(), kOk);
}

TEST(ClientPause, EndsWithUnpause) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 100'000, "WRITE"), kOk);
  EXPECT_EQ(alice.run("SET", "door", "alice"), "");
  EXPECT_EQ(server.run("CLIENT", "UNPAUSE"), kOk);
  EXPECT_EQ(alice.take(), kOk);
}

TEST(ClientPause, IsNeverMadeShorterByAnother) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 1000, "WRITE"), kOk);
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 10, "WRITE"), kOk);
  EXPECT_EQ(alice.run("SET", "door", "alice"), "");
  server.pass(500);
  EXPECT_EQ(alice.take(), "");
  server.pass(600);
  EXPECT_EQ(alice.take(), kOk);
}

// A script may do what its first line says; without one it may write.
TEST(ClientPause, HoldsBackScriptsThatMayWrite) {
  Server server;
  const std::string reads = "#!lua flags=no-writes\nreturn 1";
  const std::string writes = "#!lua\nreturn 1";
  const std::string sha = text_of(server.run("SCRIPT", "LOAD", reads));
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 1000, "WRITE"), kOk);
  const auto answer = [&server](const auto&... words) { return server.client().run(words...); };
  EXPECT_EQ(answer("EVAL", "return 1", 0), "");
  EXPECT_EQ(answer("EVAL", writes, 0), "");
  EXPECT_EQ(answer("EVAL_RO", writes, 0), "");
  EXPECT_EQ(answer("EVALSHA", std::string(40, 'f'), 0), "");
  EXPECT_EQ(answer("EVAL", reads, 0), ":1\r\n");
  EXPECT_EQ(answer("EVALSHA", sha, 0), ":1\r\n");
  EXPECT_EQ(answer("EVAL_RO", "return 1", 0), ":1\r\n");
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("EVAL", reads, 0), "+QUEUED\r\n");
  EXPECT_EQ(server.run("EXEC"), "*1\r\n:1\r\n");
}

TEST(ClientPause, HoldsBackMessages) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 1000, "WRITE"), kOk);
  EXPECT_EQ(alice.run("PUBLISH", "news", "hello"), "");
  EXPECT_EQ(server.run("MULTI"), kOk);
  EXPECT_EQ(server.run("SPUBLISH", "news", "hello"), "");
  server.pass(1100);
  EXPECT_EQ(alice.take(), ":0\r\n");
  EXPECT_EQ(server.take(), "+QUEUED\r\n");
}

TEST(ClientPause, HoldsBackATransactionThatWrites) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  bob.send("MULTI\r\nSET door bob\r\n");
  EXPECT_EQ(bob.take(), "+OK\r\n+QUEUED\r\n");
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 1000, "WRITE"), kOk);
  alice.send("MULTI\r\nGET door\r\nEXEC\r\n");
  EXPECT_EQ(alice.take(), "+OK\r\n+QUEUED\r\n*1\r\n$-1\r\n");
  EXPECT_EQ(bob.run("EXEC"), "");
  server.pass(1100);
  EXPECT_EQ(bob.take(), "*1\r\n+OK\r\n");
}

TEST(ClientPause, RefusesWhatItCannotRead) {
  Server server;
  EXPECT_EQ(server.run("CLIENT", "PAUSE", "x"),
            "-ERR timeout is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("CLIENT", "PAUSE", -1), "-ERR timeout is negative\r\n");
  EXPECT_EQ(server.run("CLIENT", "PAUSE", "9223372036854775807"),
            "-ERR timeout is out of range\r\n");
  EXPECT_EQ(server.run("CLIENT", "PAUSE", 1, "foo"),
            "-ERR CLIENT PAUSE mode must be WRITE or ALL\r\n");
  EXPECT_EQ(
      server.run("CLIENT", "PAUSE", 1, "all", "x"),
      "-ERR unknown subcommand or wrong number of arguments for 'PAUSE'. Try CLIENT HELP.\r\n");
  EXPECT_EQ(server.run("CLIENT", "UNPAUSE", "x"), wrong_number("client|unpause"));
  EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

}  // namespace
}  // namespace fencepost::tests
