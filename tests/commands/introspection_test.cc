// COMMAND: what redis-server 7.0.15 answers of the commands that both have, and what holds of every
// row.
#include <set>

#include <gtest/gtest.h>

#include "commands/server/syntax.h"
#include "commands/table.h"
#include "tests/commands/conversation.h"

namespace fencepost::commands {
namespace {

using tests::Protocol;
using tests::Server;

TEST(CommandInfo, SaysOfGetWhatRedisSays) {
  Server server;
  EXPECT_EQ(server.run("COMMAND", "INFO", "get", "nope"),
            "*2\r\n*10\r\n$3\r\nget\r\n:2\r\n*2\r\n+readonly\r\n+fast\r\n:1\r\n:1\r\n:1\r\n"
            "*3\r\n+@read\r\n+@string\r\n+@fast\r\n*0\r\n"
            "*1\r\n*6\r\n$5\r\nflags\r\n*2\r\n+RO\r\n+access\r\n"
            "$12\r\nbegin_search\r\n*4\r\n$4\r\ntype\r\n$5\r\nindex\r\n$4\r\nspec\r\n*2\r\n$"
            "5\r\nindex\r\n:1\r\n"
            "$9\r\nfind_keys\r\n*4\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n*6\r\n$"
            "7\r\nlastkey\r\n:0\r\n"
            "$7\r\nkeystep\r\n:1\r\n$5\r\nlimit\r\n:0\r\n*0\r\n$-1\r\n");
}

TEST(CommandInfo, UsesMapsAndSetsInResp3) {
  Server server;
  auto client = server.client(Protocol::resp3);
  EXPECT_EQ(client.run("COMMAND", "INFO", "client|id", "memory|usage", "nope"),
            "*3\r\n*10\r\n$9\r\nclient|id\r\n:2\r\n~3\r\n+noscript\r\n+loading\r\n+stale\r\n:0\r\n:"
            "0\r\n:0\r\n"
            "~2\r\n+@slow\r\n+@connection\r\n~0\r\n~0\r\n~0\r\n"
            "*10\r\n$12\r\nmemory|usage\r\n:-3\r\n~1\r\n+readonly\r\n:2\r\n:2\r\n:1\r\n"
            "~2\r\n+@read\r\n+@slow\r\n~0\r\n~1\r\n%3\r\n$5\r\nflags\r\n~1\r\n+RO\r\n"
            "$12\r\nbegin_search\r\n%2\r\n$4\r\ntype\r\n$5\r\nindex\r\n$4\r\nspec\r\n%1\r\n$"
            "5\r\nindex\r\n:2\r\n"
            "$9\r\nfind_keys\r\n%2\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n%3\r\n$"
            "7\r\nlastkey\r\n:0\r\n"
            "$7\r\nkeystep\r\n:1\r\n$5\r\nlimit\r\n:0\r\n~0\r\n_\r\n");
}

TEST(CommandInfo, GivesRenamesDestinationASpecificationOfItsOwn) {
  Server server;
  const auto rename = server.run("COMMAND", "INFO", "rename");
  const auto source = rename.find("*3\r\n+RW\r\n+access\r\n+delete\r\n");
  const auto destination = rename.find("*2\r\n+OW\r\n+update\r\n");
  EXPECT_LT(source, destination);
  EXPECT_NE(destination, std::string::npos) << rename;
}

TEST(CommandInfo, KnowsAllSubcommandsOfAContainer) {
  Server server;
  const auto memory = server.run("COMMAND", "INFO", "memory");
  for (const auto* name : {"memory|usage", "memory|doctor", "memory|stats", "memory|help"}) {
    EXPECT_NE(memory.find(name), std::string::npos) << name;
  }
}

TEST(Command, CountsAndListsTheSameCommands) {
  Server server;
  const auto count = std::to_string(all_commands().size());
  EXPECT_EQ(server.run("COMMAND", "COUNT"), ":" + count + "\r\n");
  EXPECT_TRUE(server.run("COMMAND").starts_with("*" + count + "\r\n"));
  EXPECT_TRUE(server.run("COMMAND", "INFO").starts_with("*" + count + "\r\n"));
  EXPECT_TRUE(server.run("COMMAND", "DOCS")
                  .starts_with("*" + std::to_string(2 * all_commands().size()) + "\r\n"));
}

TEST(CommandList, Filters) {
  Server server;
  EXPECT_EQ(server.run("COMMAND", "LIST", "FILTERBY", "PATTERN", "SETR*"),
            "*1\r\n$8\r\nsetrange\r\n");
  EXPECT_EQ(server.run("COMMAND", "LIST", "filterby", "pattern", "memory|d*"),
            "*1\r\n$13\r\nmemory|doctor\r\n");
  EXPECT_EQ(server.run("COMMAND", "LIST", "FILTERBY", "MODULE", "any"), "*0\r\n");
  EXPECT_EQ(server.run("COMMAND", "LIST", "FILTERBY", "ACLCAT", "none"), "*0\r\n");
  EXPECT_TRUE(
      server.run("COMMAND", "LIST", "FILTERBY", "ACLCAT", "Transaction").starts_with("*5\r\n"));
  EXPECT_EQ(server.run("COMMAND", "LIST", "FILTERBY", "x"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("COMMAND", "LIST", "FILTERBY", "x", "y"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("COMMAND", "LIST", "x"), "-ERR syntax error\r\n");
}

TEST(CommandGetKeys, PicksTheKeys) {
  Server server;
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "MSET", "a", 1, "b", 2),
            "*2\r\n$1\r\na\r\n$1\r\nb\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "MEMORY", "USAGE", "k"), "*1\r\n$1\r\nk\r\n");
}

TEST(CommandGetKeys, NamesWhatIsWrong) {
  Server server;
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "nope", "a"), "-ERR Invalid command specified\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "CLIENT", "nope", "a"),
            "-ERR Invalid command specified\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "PING", "a"),
            "-ERR The command has no key arguments\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "SET", "a"),
            "-ERR Invalid number of arguments specified for command\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "GET"),
            "-ERR wrong number of arguments for 'command|getkeys' command\r\n");
}

TEST(CommandGetKeysAndFlags, SaysWhatThisVeryRequestDoes) {
  Server server;
  EXPECT_EQ(server.run("COMMAND", "GETKEYSANDFLAGS", "SET", "a", "b"),
            "*1\r\n*2\r\n$1\r\na\r\n*2\r\n+OW\r\n+update\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYSANDFLAGS", "SET", "a", "b", "GET"),
            "*1\r\n*2\r\n$1\r\na\r\n*3\r\n+RW\r\n+access\r\n+update\r\n");
  EXPECT_EQ(
      server.run("COMMAND", "GETKEYSANDFLAGS", "COPY", "a", "b"),
      "*2\r\n*2\r\n$1\r\na\r\n*2\r\n+RO\r\n+access\r\n*2\r\n$1\r\nb\r\n*2\r\n+OW\r\n+update\r\n");
  EXPECT_EQ(
      server.run("COMMAND", "GETKEYSANDFLAGS", "DEL", "a", "b"),
      "*2\r\n*2\r\n$1\r\na\r\n*2\r\n+RM\r\n+delete\r\n*2\r\n$1\r\nb\r\n*2\r\n+RM\r\n+delete\r\n");
  auto resp3 = server.client(Protocol::resp3);
  EXPECT_EQ(resp3.run("COMMAND", "GETKEYSANDFLAGS", "GET", "a"),
            "*1\r\n*2\r\n$1\r\na\r\n~2\r\n+RO\r\n+access\r\n");
}

TEST(CommandDocs, ListsTheArguments) {
  Server server;
  auto client = server.client(Protocol::resp3);
  const auto docs = client.run("COMMAND", "DOCS", "getex", "nope");
  EXPECT_TRUE(docs.starts_with("%1\r\n$5\r\ngetex\r\n%5\r\n$7\r\nsummary\r\n")) << docs;
  const std::string_view arguments =
      "$9\r\narguments\r\n*2\r\n"
      "%3\r\n$4\r\nname\r\n$3\r\nkey\r\n$4\r\ntype\r\n$3\r\nkey\r\n$14\r\nkey_spec_index\r\n:0\r\n"
      "%4\r\n$4\r\nname\r\n$55\r\nseconds_milliseconds_unix-time-seconds_unix-time-millis";
  EXPECT_NE(docs.find(arguments.substr(0, arguments.find("%4"))), std::string::npos) << docs;
  EXPECT_NE(docs.find("$4\r\ntype\r\n$5\r\noneof\r\n$5\r\nflags\r\n~1\r\n+optional\r\n$"
                      "9\r\narguments\r\n*5\r\n"),
            std::string::npos)
      << docs;
  EXPECT_NE(docs.find("%3\r\n$4\r\nname\r\n$7\r\nseconds\r\n$4\r\ntype\r\n$7\r\ninteger\r\n$"
                      "5\r\ntoken\r\n$2\r\nEX\r\n"),
            std::string::npos)
      << docs;
  EXPECT_NE(docs.find("%3\r\n$4\r\nname\r\n$7\r\npersist\r\n$4\r\ntype\r\n$10\r\npure-token\r\n"
                      "$5\r\ntoken\r\n$7\r\nPERSIST\r\n"),
            std::string::npos)
      << docs;
}

TEST(CommandDocs, TellsTheDestinationsSpecificationFromTheSources) {
  Server server;
  const auto docs = server.run("COMMAND", "DOCS", "rename");
  EXPECT_NE(docs.find("$3\r\nkey\r\n$4\r\ntype\r\n$3\r\nkey\r\n$14\r\nkey_spec_index\r\n:0\r\n"),
            std::string::npos);
  EXPECT_NE(docs.find("$6\r\nnewkey\r\n$4\r\ntype\r\n$3\r\nkey\r\n$14\r\nkey_spec_index\r\n:1\r\n"),
            std::string::npos);
}

TEST(CommandHelp, IsWrittenFromTheRows) {
  Server server;
  const auto help = server.run("MEMORY", "HELP");
  EXPECT_TRUE(help.starts_with(
      "*11\r\n+MEMORY <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\r\n"))
      << help;
  EXPECT_NE(help.find("+USAGE key [SAMPLES count]\r\n+    How many bytes"), std::string::npos)
      << help;
}

// --- what holds of every row ---------------------------------------------------------------------

// Arguments as redis-cli 7.0.15 draws its hints from COMMAND DOCS.
std::string drawn(const SyntaxArgument& argument);

std::string drawn(const std::vector<SyntaxArgument>& arguments, std::string_view between) {
  std::string text;
  for (const auto& argument : arguments)
    text += (text.empty() ? "" : std::string{between}) + drawn(argument);
  return text;
}

std::string drawn(const SyntaxArgument& argument) {
  using Kind = SyntaxArgument::Kind;
  std::string one = argument.kind == Kind::value   ? argument.name
                    : argument.kind == Kind::block ? drawn(argument.members, " ")
                    : argument.kind == Kind::oneof ? drawn(argument.members, "|")
                                                   : "";
  const auto value = one;
  if (!argument.token.empty()) one = argument.token + (one.empty() ? "" : " " + one);
  if (argument.multiple) one += " [" + (argument.multiple_token ? one : value) + " ...]";
  return argument.optional ? "[" + one + "]" : one;
}

// The row's text without what is there for the eye alone.
std::string without_signs(std::string_view syntax) {
  std::string text;
  for (const char c : syntax) {
    if (c == '<' || c == '>') continue;
    if (c == ' ' && text.ends_with('|')) continue;
    if (c == '|' && text.ends_with(' ')) text.pop_back();
    text += c;
  }
  return text;
}

template <typename See>
void for_each_row(See see) {
  for (const auto* command : all_commands()) {
    see(nullptr, *command);
    for (const auto& row : command->subcommands) see(command, row);
  }
}

TEST(EveryRow, IsDrawnByRedisCliAsItsSyntaxSays) {
  for_each_row([](const Command* container, const Command& row) {
    // A choice that may stand several times: redis-cli draws it twice.
    if (row.syntax.find(" ...>") != std::string_view::npos) return;
    EXPECT_EQ(drawn(parse_syntax(row.syntax), " "), without_signs(row.syntax))
        << full_name(container, row);
  });
}

TEST(EveryRow, SaysWhatItIs) {
  const std::set<std::string_view> groups{
      "string",  "generic",    "connection", "server", "scripting", "transactions", "lock",
      "cluster", "sorted-set", "pubsub",     "hash",   "set",       "list",         "stream"};
  for_each_row([&groups](const Command* container, const Command& row) {
    const auto name = full_name(container, row);
    EXPECT_TRUE(groups.contains(row.group)) << name << ": " << row.group;
    EXPECT_FALSE(row.summary.empty()) << name;
    EXPECT_TRUE(row.summary.ends_with('.')) << name << ": " << row.summary;
    EXPECT_FALSE(row.since.empty()) << name;
    EXPECT_TRUE(row.run != nullptr || !row.subcommands.empty()) << name;
    EXPECT_FALSE(row.compat.kind == Compat::differs && row.compat.note.empty())
        << name << " differs: in what?";
    EXPECT_TRUE(row.effect != Effect::write || container == nullptr || row.run != nullptr) << name;
  });
}

}  // namespace
}  // namespace fencepost::commands
