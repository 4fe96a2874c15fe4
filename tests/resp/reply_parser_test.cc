// Replies out of bytes: strict, because tests and fuzzers judge the server by it.
#include "resp/reply_parser.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/resp/feed.h"

namespace fencepost::resp {
namespace {

using Status = ReplyParser::Status;

Status status_of(std::string_view bytes) {
  return ReplyParser{}.parse(bytes);
}

TEST(ReplyParser, ReadsEveryTypeOfResp2) {
  EXPECT_EQ(replies_in("+OK\r\n-ERR no\r\n:-42\r\n$3\r\na\r\n\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n"),
            R"(OK (error) ERR no -42 "a\r\n" "" (nil) (nil) [])");
  EXPECT_EQ(replies_in("*2\r\n:1\r\n*2\r\n$1\r\na\r\n*-1\r\n"), R"([1, ["a", (nil)]])");
  EXPECT_EQ(replies_in("*2\r\n+\r\n-\r\n"), "[, (error) ]");
}

TEST(ReplyParser, ReadsEveryTypeOfResp3) {
  EXPECT_EQ(replies_in(
                "_\r\n#t\r\n#f\r\n,1.5e+17\r\n,inf\r\n,-inf\r\n,nan\r\n(-12345678901234567890\r\n"),
            "(nil) (true) (false) (double) 1.5e+17 (double) inf (double) -inf (double) nan "
            "(big number) -12345678901234567890");
  EXPECT_EQ(replies_in("!5\r\nERR a\r\n=6\r\ntxt:hi\r\n"), R"((error) ERR a "txt:hi")");
  EXPECT_EQ(
      replies_in("%2\r\n+a\r\n:1\r\n+b\r\n~1\r\n:2\r\n>1\r\n+message\r\n|1\r\n+ttl\r\n:5\r\n"),
      "{a: 1, b: ~{2}} >[message] |{ttl: 5}");
}

TEST(ReplyParser, TellsWhatItRead) {
  ReplyParser parser;
  ASSERT_EQ(parser.parse("$3\r\nabc\r\n+next\r\n"), Status::reply);
  EXPECT_EQ(parser.consumed(), 9U);
  EXPECT_EQ(parser.reply().type, Reply::Type::bulk);
  EXPECT_EQ(parser.reply().text, "abc");
  EXPECT_FALSE(parser.reply().is_nil());
  ASSERT_EQ(parser.parse("*-1\r\n"), Status::reply);
  EXPECT_EQ(parser.reply().type, Reply::Type::null_array);
  EXPECT_TRUE(parser.reply().is_nil());
  ASSERT_EQ(parser.parse("!1\r\nE\r\n"), Status::reply);
  EXPECT_TRUE(parser.reply().is_error());
  ASSERT_EQ(parser.parse("#t\r\n"), Status::reply);
  EXPECT_EQ(parser.reply().integer, 1);
  ASSERT_EQ(parser.parse("%1\r\n:1\r\n:2\r\n"), Status::reply);
  EXPECT_EQ(parser.reply().items.size(), 2U);
}

TEST(ReplyParser, RefusesMalformedBytes) {
  for (const auto* bytes : {"x\r\n",
                            "\r\n",
                            " +OK\r\n",
                            "+OK\n",
                            "+OK\rx",
                            "+a\nb\r\n",
                            ":\r\n",
                            ":a\r\n",
                            ":1 \r\n",
                            ":01\r\n",
                            ":+1\r\n",
                            ":9223372036854775808\r\n",
                            "$\r\n",
                            "$-2\r\n",
                            "$a\r\n",
                            "$01\r\n",
                            "$1\r\nab\r\n",
                            "$1\r\na\rx",
                            "$536870913\r\n",
                            "*-2\r\n",
                            "*a\r\n",
                            "*2147483648\r\n",
                            "_x\r\n",
                            "#\r\n",
                            "#x\r\n",
                            ",\r\n",
                            ",abc\r\n",
                            ",1x\r\n",
                            ",infinity\r\n",
                            ",INF\r\n",
                            ",-nan\r\n",
                            "(\r\n",
                            "(-\r\n",
                            "(1.5\r\n",
                            "=3\r\ntxt\r\n",
                            "=5\r\ntxt-a\r\n",
                            "=-1\r\n",
                            "%-1\r\n",
                            "~-1\r\n",
                            ">-1\r\n",
                            "*2\r\n:1\r\nx\r\n",
                            "%1\r\n:1\r\n$x\r\n"})
    EXPECT_EQ(status_of(bytes), Status::error) << bytes;
}

TEST(ReplyParser, WaitsForTheRestWhereverTheBytesAreCut) {
  const std::string bytes =
      "*6\r\n+OK\r\n$3\r\na\r\n\r\n%1\r\n:-1\r\n,1.5\r\n~2\r\n#t\r\n_\r\n=6\r\ntxt:hi\r\n|1\r\n("
      "12\r\n*-1\r\n";
  EXPECT_EQ(status_of(bytes), Status::reply);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    ReplyParser parser;
    EXPECT_EQ(parser.parse(bytes.substr(0, cut)), Status::incomplete) << "cut at " << cut;
    EXPECT_EQ(parser.consumed(), 0U);
    ASSERT_EQ(parser.parse(bytes + "+next\r\n"), Status::reply);
    EXPECT_EQ(parser.consumed(), bytes.size());
  }
}

TEST(ReplyParser, BoundsTheDepthOfNesting) {
  const auto nested = [](int depth) {
    std::string bytes;
    for (int i = 0; i < depth; ++i) bytes += "*1\r\n";
    return bytes + ":1\r\n";
  };
  EXPECT_EQ(status_of(nested(64)), Status::reply);
  EXPECT_EQ(status_of(nested(65)), Status::error);
  EXPECT_EQ(status_of(nested(1'000'000)), Status::error);
}

TEST(ReplyParser, DoesNotBelieveClaimedLengths) {
  EXPECT_EQ(status_of("$536870912\r\nabc"), Status::incomplete);
  EXPECT_EQ(status_of("*2147483647\r\n:1\r\n"), Status::incomplete);
  EXPECT_EQ(status_of("%2147483647\r\n:1\r\n"), Status::incomplete);
}

}  // namespace
}  // namespace fencepost::resp
