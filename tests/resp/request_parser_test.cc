// Requests out of bytes. What is expected was asked of redis-server 7.0.15, byte for byte.
#include "resp/request_parser.h"

#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/resp/feed.h"

namespace fencepost::resp {
namespace {

using namespace std::string_view_literals;
using Words = std::vector<std::string>;
using Requests = std::vector<Words>;

Requests requests(std::string_view bytes) {
  return hear(bytes).requests;
}

std::string refusal(std::string_view bytes, const RequestLimits& limits = {}) {
  return hear(bytes, {}, limits).error;
}

bool waits(std::string_view bytes, const RequestLimits& limits = {}) {
  const Heard heard = hear(bytes, {}, limits);
  return heard.error.empty() && heard.requests.empty() && heard.unfinished == bytes;
}

TEST(RequestParser, ReadsAnArrayOfBulkStrings) {
  EXPECT_EQ(requests("*1\r\n$4\r\nPING\r\n"), (Requests{{"PING"}}));
  EXPECT_EQ(requests("*3\r\n$3\r\nSET\r\n$4\r\ndoor\r\n$5\r\nalice\r\n"),
            (Requests{{"SET", "door", "alice"}}));
  EXPECT_EQ(requests("*2\r\n$4\r\nECHO\r\n$3\r\na\r\n\r\n"), (Requests{{"ECHO", "a\r\n"}}));
  EXPECT_EQ(requests("*1\r\n$0\r\n\r\n"), (Requests{{""}}));
  EXPECT_EQ(requests("*2\r\n$4\r\nECHO\r\n$3\r\n\0\xff*\r\n"sv),
            (Requests{{"ECHO", std::string{"\0\xff*"sv}}}));
}

TEST(RequestParser, ReadsPipelinesOfBothKinds) {
  EXPECT_EQ(requests("*1\r\n$4\r\nPING\r\nECHO a\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n"),
            (Requests{{"PING"}, {"ECHO", "a"}, {"GET", "k"}}));
}

TEST(RequestParser, DoesNotLookAtTheSecondByteOfALineEndNorAtThoseBehindABulkString) {
  EXPECT_EQ(requests("*1\rX$4\rYPINGxx*1\r\n$4\r\nPING\n\n"), (Requests{{"PING"}, {"PING"}}));
  EXPECT_EQ(requests("*0\rPING\r\n"), (Requests{{"ING"}}));
}

TEST(RequestParser, ReadsWhatAPersonTypes) {
  EXPECT_EQ(requests("PING\r\n"), (Requests{{"PING"}}));
  EXPECT_EQ(requests("PING\n"), (Requests{{"PING"}}));
  EXPECT_EQ(requests("  ECHO \t a  \r\n"), (Requests{{"ECHO", "a"}}));
  EXPECT_EQ(requests("ECHO a\rb\r\n"), (Requests{{"ECHO", "a", "b"}}));
  EXPECT_EQ(requests("ECHO a\r\r\n"), (Requests{{"ECHO", "a"}}));
  EXPECT_EQ(requests("\vECHO\vx \f y\r\n"), (Requests{{"ECHO\vx", "y"}}));
  EXPECT_EQ(requests(":1\r\n"), (Requests{{":1"}}));
  EXPECT_EQ(requests("ECHO \xff\x85\xa0\r\n"), (Requests{{"ECHO", "\xff\x85\xa0"}}));
}

TEST(RequestParser, TakesANulInALineForAByteLikeAnyOther) {
  EXPECT_EQ(requests("ECHO a\0b\r\nPING\r\n"sv),
            (Requests{{"ECHO", std::string{"a\0b"sv}}, {"PING"}}));
}

TEST(RequestParser, UndoesQuotesAndEscapes) {
  EXPECT_EQ(requests(R"(ECHO "a b")"
                     "\r\n"),
            (Requests{{"ECHO", "a b"}}));
  EXPECT_EQ(requests(R"(ECHO a"b c")"
                     "\r\n"),
            (Requests{{"ECHO", "ab c"}}));
  EXPECT_EQ(requests(R"(ECHO 'a\'b\n')"
                     "\r\n"),
            (Requests{{"ECHO", R"(a'b\n)"}}));
  EXPECT_EQ(requests(R"(ECHO "a\x41\n\r\t\b\a\q\"\\")"
                     "\r\n"),
            (Requests{{"ECHO", "aA\n\r\t\b\aq\"\\"}}));
  EXPECT_EQ(requests(R"(ECHO "\x4" "\x4G" "\xfF")"
                     "\r\n"),
            (Requests{{"ECHO", "x4", "x4G", "\xff"}}));
  EXPECT_EQ(requests("\"\" ''\r\n"), (Requests{{"", ""}}));
  EXPECT_EQ(requests("ECHO \"a\"\v\"b\"\r\n"), (Requests{{"ECHO", "a", "b"}}));
}

TEST(RequestParser, RefusesQuotesThatDoNotBalance) {
  for (const auto* line : {"ECHO \"a\r\n", "ECHO 'a\r\n", "ECHO \"a\"b\r\n", "ECHO 'a'b\r\n",
                           "ECHO \"a\" \"b\r\n", "ECHO \"\\\r\n", "ECHO 'a\\\r\n"})
    EXPECT_EQ(refusal(line), "Protocol error: unbalanced quotes in request") << line;
}

TEST(RequestParser, PassesOverEmptyRequestsAndIsCleanBehindThem) {
  for (const auto* empty : {"\r\n", "\n", "   \r\n", "\t\v\r\n", "*0\r\n", "*-1\r\n", "*-2\r\n",
                            "*-9223372036854775808\r\n", "*0\rX"}) {
    EXPECT_EQ(hear(empty), Heard{}) << empty;
    const std::string three = std::string{empty} + empty + empty;
    EXPECT_EQ(requests(three + "PING\r\n" + empty + "*1\r\n$4\r\nPING\r\n" + three),
              (Requests{{"PING"}, {"PING"}}))
        << empty;
  }
}

TEST(RequestParser, DropsEmptyRequestsInFrontOfOneThatIsIncomplete) {
  RequestParser parser;
  EXPECT_EQ(parser.parse("\r\n*0\r\n*1\r\n$4\r\nPI", {}), RequestParser::Status::incomplete);
  EXPECT_EQ(parser.consumed(), 6U);
  EXPECT_EQ(parser.parse("*1\r\n$4\r\nPING\r\n", {}), RequestParser::Status::request);
  EXPECT_EQ(parser.arguments()[0], "PING");
  EXPECT_EQ(parser.consumed(), 14U);
}

TEST(RequestParser, RefusesArrayLengthsThatAreNone) {
  for (const auto* bytes : {"*\r\n", "*a\r\n", "*1a\r\n", "*01\r\n", "*+1\r\n", "* 1\r\n",
                            "*-0\r\n", "*-\r\n", "*2147483648\r\n", "*99999999999999999999\r\n",
                            "*-9223372036854775809\r\n", "*0\nPING\r\n"})
    EXPECT_EQ(refusal(bytes), "Protocol error: invalid multibulk length") << bytes;
  EXPECT_TRUE(waits("*2147483647\r\n"));
}

TEST(RequestParser, RefusesBulkLengthsThatAreNone) {
  for (const auto* length :
       {"", "a", "04", "+4", "-1", "-0", "4 ", "16777217", "536870913", "99999999999999999999"})
    EXPECT_EQ(refusal("*1\r\n$" + std::string{length} + "\r\n"),
              "Protocol error: invalid bulk length")
        << length;
  EXPECT_TRUE(waits("*1\r\n$16777216\r\n"));
}

TEST(RequestParser, RefusesAnArgumentThatIsNoBulkString) {
  EXPECT_EQ(refusal("*1\r\n:4\r\n"), "Protocol error: expected '$', got ':'");
  EXPECT_EQ(refusal("*1\r\nx\r\n"), "Protocol error: expected '$', got 'x'");
  EXPECT_EQ(refusal("*1\r\n\xff\r\n"), "Protocol error: expected '$', got '\xff'");
  EXPECT_EQ(refusal("*1\r\n\r\n"), "Protocol error: expected '$', got '\r'");
  EXPECT_TRUE(waits("*1\r\nx"));
}

TEST(RequestParser, ServesWhatCameBeforeAnError) {
  const Heard heard = hear("PING\r\n*1\r\n$1\r\nA\r\n*x\r\nPING\r\n");
  EXPECT_EQ(heard.requests, (Requests{{"PING"}, {"A"}}));
  EXPECT_EQ(heard.error, "Protocol error: invalid multibulk length");
}

TEST(RequestParser, HasALongestLine) {
  const std::string longest(64 * 1024, '1');
  EXPECT_TRUE(waits(longest));
  EXPECT_EQ(refusal(longest + "1"), "Protocol error: too big inline request");
  EXPECT_EQ(requests(longest + "\n"), (Requests{{longest}}));
  EXPECT_EQ(refusal(longest + "1\n"), "Protocol error: too big inline request");
  EXPECT_TRUE(waits("*" + longest.substr(1)));
  EXPECT_EQ(refusal("*" + longest), "Protocol error: too big mbulk count string");
  EXPECT_TRUE(waits("*1\r\n$" + longest.substr(1)));
  EXPECT_EQ(refusal("*1\r\n$" + longest), "Protocol error: too big bulk count string");
}

TEST(RequestParser, TakesLittleFromAStranger) {
  const RequestLimits stranger{.logged_in = false};
  EXPECT_TRUE(waits("*10\r\n", stranger));
  EXPECT_EQ(refusal("*11\r\n", stranger), "Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(refusal("*2147483648\r\n", stranger), "Protocol error: invalid multibulk length");
  EXPECT_TRUE(waits("*1\r\n$16384\r\n", stranger));
  EXPECT_EQ(refusal("*1\r\n$16385\r\n", stranger), "Protocol error: unauthenticated bulk length");
  EXPECT_EQ(refusal("*1\r\n$536870912\r\n", stranger),
            "Protocol error: unauthenticated bulk length");
  EXPECT_EQ(refusal("*1\r\n$536870913\r\n", stranger), "Protocol error: invalid bulk length");
}

TEST(RequestParser, ObeysTheLimitsItIsGiven) {
  const RequestLimits small{.max_arguments = 2, .max_bulk_bytes = 3, .max_inline_bytes = 10};
  EXPECT_EQ(hear("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", {}, small).requests, (Requests{{"GET", "k"}}));
  EXPECT_EQ(refusal("*3\r\n", small), "Protocol error: invalid multibulk length");
  EXPECT_EQ(refusal("*1\r\n$4\r\n", small), "Protocol error: invalid bulk length");
  EXPECT_EQ(refusal("ECHO 123456", small), "Protocol error: too big inline request");
}

// Every kind of input that the tests above use, valid and not.
std::vector<std::string> conversations() {
  return {
      "*3\r\n$3\r\nSET\r\n$4\r\ndoor\r\n$5\r\nalice\r\n*1\r\n$4\r\nPING\r\n",
      "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n*1\rX$4\rYPINGxx*0\r\n*1\r\n$4\r\nPING\r\n",
      "\r\n\n*0\r\n*-1\r\nPING\r\n*-2\r\n*1\r\n$4\r\nPING\r\n\r\n",
      "  ECHO \"a b\\x41\" 'c\\'d'\tx\r\nPING\nGET k\r\n",
      "PING\r\n*12\r\n$1\r\na\r\n$-1\r\n",
      "*2\r\n$1\r\na\r\n:1\r\nPING\r\n",
      "*1\r\n$4x\r\nPING\r\n",
      "*1x\r\n",
      "ECHO \"a\r\nPING\r\n",
      "PING\r\n*9999\r\n$1234567\r\nabc",
      "*11\r\n$1\r\na\r\n",
      "*1\r\n$12345\r\n",
      "123456789\n1234567890\n12345678901\n",
      "*0000000001\r\n",
  };
}

TEST(RequestParser, HearsTheSameWhereverTheBytesAreCut) {
  for (const RequestLimits& limits : {RequestLimits{}, RequestLimits{.logged_in = false},
                                      RequestLimits{.max_inline_bytes = 10}}) {
    for (const std::string& bytes : conversations()) {
      const Heard whole = hear(bytes, {}, limits);
      for (std::size_t first = 0; first <= bytes.size(); ++first)
        for (std::size_t second = first; second <= bytes.size(); ++second)
          ASSERT_EQ(hear(bytes, {first, second}, limits), whole)
              << bytes << " cut at " << first << " and " << second;
      std::vector<std::size_t> everywhere(bytes.size());
      for (std::size_t at = 0; at < bytes.size(); ++at) everywhere[at] = at;
      EXPECT_EQ(hear(bytes, everywhere, limits), whole) << bytes;
    }
  }
}

TEST(RequestParser, SaysHowManyBytesTheBulkStringStillNeeds) {
  RequestParser parser;
  parser.parse("*1\r\n$10\r\nabc", {});
  EXPECT_EQ(parser.missing_bytes(), 9);  // seven of the string, two behind it
  parser.parse("*1\r\n$10\r\nabcdefghij\r", {});
  EXPECT_EQ(parser.missing_bytes(), 1);
  parser.parse("*1\r\n$10\r\nabcdefghij\r\n", {});
  EXPECT_EQ(parser.missing_bytes(), 0);
}

TEST(RequestParser, ClaimedLengthsCostNoMemory) {
  const RequestLimits generous{.max_bulk_bytes = 512 * 1024 * 1024};
  std::vector<RequestParser> parsers(1000);
  const std::size_t before = mallinfo2().uordblks;
  for (RequestParser& parser : parsers)
    EXPECT_EQ(parser.parse("*2147483647\r\n$3\r\nSET\r\n$536870912\r\n", generous),
              RequestParser::Status::incomplete);
  EXPECT_LT(mallinfo2().uordblks - before, 1000U * 1024);
}

TEST(RequestParser, ReusesItsMemoryAndGivesBackWhatOneHugeRequestTook) {
  RequestParser parser;
  parser.parse("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", {});
  const auto* words = parser.arguments().data();
  parser.parse("*2\r\n$3\r\nGET\r\n$1\r\nq\r\n", {});
  EXPECT_EQ(parser.arguments().data(), words);

  std::string huge = "*100000\r\n";
  for (int i = 0; i < 100'000; ++i) huge += "$1\r\nx\r\n";
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  parser.parse(huge, {});
  EXPECT_EQ(parser.arguments().size(), 100'000U);
  parser.parse("PING\r\n", {});
  EXPECT_LT(mallinfo2().uordblks + mallinfo2().hblkhd, before + 100'000);
}

}  // namespace
}  // namespace fencepost::resp
