// What the syntax texts of the rows are taken apart into.
#include "commands/server/syntax.h"

#include <string>

#include <gtest/gtest.h>

namespace fencepost::commands {
namespace {

using Kind = SyntaxArgument::Kind;

// One line: key! is a value of type key, n# an integer; [..] optional, ... multiple, <..> members.
std::string shown(const std::vector<SyntaxArgument>& arguments);

std::string shown(const SyntaxArgument& argument) {
  std::string text = argument.token;
  switch (argument.kind) {
    case Kind::value:
      text += (text.empty() ? "" : " ") + argument.name + ":" + std::string{argument.type};
      break;
    case Kind::token:
      break;
    case Kind::block:
      text += " block<" + shown(argument.members) + ">";
      break;
    case Kind::oneof:
      text += "oneof<" + shown(argument.members) + ">";
      break;
  }
  if (argument.multiple) text += argument.multiple_token ? " ...each" : " ...";
  return argument.optional ? "[" + text + "]" : text;
}

std::string shown(const std::vector<SyntaxArgument>& arguments) {
  std::string text;
  for (const auto& argument : arguments) text += (text.empty() ? "" : ", ") + shown(argument);
  return text;
}

std::string parsed(std::string_view text) {
  return shown(parse_syntax(text));
}

TEST(Syntax, LowerCaseWordsAreValues) {
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("key value"), "key:key, value:string");
  EXPECT_EQ(parsed("key seconds"), "key:key, seconds:integer");
  EXPECT_EQ(parsed("unix-time-milliseconds"), "unix-time-milliseconds:unix-time");
}

TEST(Syntax, AnUpperCaseWordIsATokenWithTheValuesBehindIt) {
  EXPECT_EQ(parsed("EX seconds"), "EX seconds:integer");
  EXPECT_EQ(parsed("[GET]"), "[GET]");
  EXPECT_EQ(parsed("[LIMIT offset count]"), "[LIMIT block<offset:integer, count:integer>]");
}

TEST(Syntax, ABarMakesAChoiceWhereverItStands) {
  EXPECT_EQ(parsed("[NX | XX]"), "[oneof<NX, XX>]");
  EXPECT_EQ(parsed("owner EX seconds | PX milliseconds"),
            "owner:string, oneof<EX seconds:integer, PX milliseconds:integer>");
  EXPECT_EQ(parsed("<ON | OFF>"), "oneof<ON, OFF>");
  EXPECT_EQ(parsed("[FILTERBY <MODULE name | PATTERN pattern>]"),
            "[ block<FILTERBY, oneof<MODULE name:string, PATTERN pattern:pattern>>]");
}

TEST(Syntax, ABracketThatRepeatsWhatStandsBeforeItMeansSeveral) {
  EXPECT_EQ(parsed("key [key ...]"), "key:key ...");
  EXPECT_EQ(parsed("key [key ...] owner"), "key:key ..., owner:string");
  EXPECT_EQ(parsed("key value [key value ...]"), " block<key:key, value:string> ...");
  EXPECT_EQ(parsed("[section [section ...]]"), "[section:string ...]");
  EXPECT_EQ(parsed("[ID client-id [client-id ...]]"), "[ID client-id:integer ...]");
  EXPECT_EQ(parsed("[MATCH pattern [MATCH pattern ...]]"), "[MATCH pattern:pattern ...each]");
  EXPECT_EQ(parsed("[arg ...]"), "[arg:string ...]");
}

TEST(Syntax, LockReadsAsInItsLaw) {
  EXPECT_EQ(parsed("key owner [EX seconds | PX milliseconds] [WAIT ms] [SHARED | LIMIT n] [BIND]"),
            "key:key, owner:string, [oneof<EX seconds:integer, PX milliseconds:integer>], "
            "[WAIT ms:integer], [oneof<SHARED, LIMIT n:integer>], [BIND]");
}

TEST(Syntax, BrokenTextEndsSomewhere) {
  EXPECT_EQ(parsed("key ["), "key:key");
  EXPECT_EQ(parsed("key ] owner"), "key:key, owner:string");
  EXPECT_EQ(parsed("... key"), "key:key");
  EXPECT_EQ(parsed("[[[NX"), "[NX]");
}

}  // namespace
}  // namespace fencepost::commands
