// Replies as bytes, in either protocol.
#include "resp/writer.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/resp/feed.h"

namespace fencepost::resp {
namespace {

using namespace std::string_view_literals;
using Write = std::function<void(ReplyWriter&)>;

std::string written(Protocol protocol, const Write& write) {
  std::string out;
  ReplyWriter writer{out, protocol};
  write(writer);
  return out;
}

// "resp2 bytes", or "resp2 bytes / resp3 bytes" where they differ; line ends are shown as spaces.
std::string both(const Write& write) {
  const auto show = [](std::string bytes) {
    std::string shown;
    for (const char c : bytes)
      if (c != '\r') shown += c == '\n' ? ' ' : c;
    shown.pop_back();
    return shown;
  };
  const std::string old = show(written(Protocol::resp2, write));
  const std::string now = show(written(Protocol::resp3, write));
  return old == now ? old : old + " / " + now;
}

TEST(ReplyWriter, WritesLinesWithTheirEnds) {
  EXPECT_EQ(written(Protocol::resp2, [](ReplyWriter& reply) { reply.simple("OK"); }), "+OK\r\n");
  EXPECT_EQ(written(Protocol::resp3, [](ReplyWriter& reply) { reply.bulk("a\r\nb"); }),
            "$4\r\na\r\nb\r\n");
  EXPECT_EQ(written(Protocol::resp2, [](ReplyWriter& reply) { reply.error("ERR syntax error"); }),
            "-ERR syntax error\r\n");
}

TEST(ReplyWriter, KeepsSimpleAndErrorRepliesOnOneLine) {
  EXPECT_EQ(written(Protocol::resp2, [](ReplyWriter& reply) { reply.error("ERR a\r\nb\n+OK\r"); }),
            "-ERR a  b +OK \r\n");
  EXPECT_EQ(written(Protocol::resp2, [](ReplyWriter& reply) { reply.simple("a\r\nb"); }),
            "+a  b\r\n");
  EXPECT_EQ(written(Protocol::resp3, [](ReplyWriter& reply) { reply.big_number("12\r\n3"); }),
            "(12  3\r\n");
}

TEST(ReplyWriter, WritesNumbersOfEveryLength) {
  const auto integer = [](std::int64_t value) {
    return both([value](ReplyWriter& reply) { reply.integer(value); });
  };
  EXPECT_EQ(integer(0), ":0");
  EXPECT_EQ(integer(9), ":9");
  EXPECT_EQ(integer(10), ":10");
  EXPECT_EQ(integer(-1), ":-1");
  EXPECT_EQ(integer(INT64_MAX), ":9223372036854775807");
  EXPECT_EQ(integer(INT64_MIN), ":-9223372036854775808");
  for (std::int64_t value = 1; value < INT64_MAX / 10; value *= 10) {
    EXPECT_EQ(integer(value), ":" + std::to_string(value));
    EXPECT_EQ(integer(1 - value), ":" + std::to_string(1 - value));
  }
}

TEST(ReplyWriter, WritesBulkStringsOfEveryLength) {
  for (const std::size_t size : {0U, 1U, 9U, 10U, 99U, 100U, 1000U, 100'000U}) {
    const std::string bytes(size, '\0');
    EXPECT_EQ(written(Protocol::resp2, [&bytes](ReplyWriter& reply) { reply.bulk(bytes); }),
              "$" + std::to_string(size) + "\r\n" + bytes + "\r\n");
  }
}

TEST(ReplyWriter, HasTwoNamesForNothing) {
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.null(); }), "$-1 / _");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.null_array(); }), "*-1 / _");
}

TEST(ReplyWriter, GivesAggregatesTheirTypesInResp3) {
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.array(12); }), "*12");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.map(3); }), "*6 / %3");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.set(3); }), "*3 / ~3");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.push(3); }), "*3 / >3");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.boolean(true); }), ":1 / #t");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.boolean(false); }), ":0 / #f");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.big_number("123"); }), "$3 123 / (123");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.verbatim("txt", "a"); }), "$1 a / =5 txt:a");
}

// Asked of redis-server 7.0.15 with ZSCORE and with EVAL "return {double=...}".
TEST(ReplyWriter, PrintsRealsAsRedisDoes) {
  const auto real = [](double value) {
    return written(Protocol::resp3, [value](ReplyWriter& reply) { reply.real(value); });
  };
  EXPECT_EQ(real(0.1), ",0.10000000000000001\r\n");
  EXPECT_EQ(real(1), ",1\r\n");
  EXPECT_EQ(real(1.5), ",1.5\r\n");
  EXPECT_EQ(real(-0.0), ",-0\r\n");
  EXPECT_EQ(real(1e16), ",10000000000000000\r\n");
  EXPECT_EQ(real(1e17), ",1e+17\r\n");
  EXPECT_EQ(real(1e-7), ",9.9999999999999995e-08\r\n");
  EXPECT_EQ(real(1e300), ",1.0000000000000001e+300\r\n");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity()), ",inf\r\n");
  EXPECT_EQ(real(-std::numeric_limits<double>::infinity()), ",-inf\r\n");
  EXPECT_EQ(real(std::nan("")), ",nan\r\n");
  EXPECT_EQ(real(-std::numeric_limits<double>::denorm_min()), ",-4.9406564584124654e-324\r\n");
  EXPECT_EQ(real(-std::numeric_limits<double>::max()), ",-1.7976931348623157e+308\r\n");
  EXPECT_EQ(both([](ReplyWriter& reply) { reply.real(3.25); }), "$4 3.25 / ,3.25");
}

TEST(ReplyWriter, ClosesAggregatesWhoseLengthWasNotKnown) {
  const auto inner = [](ReplyWriter& reply) {
    reply.simple("before");
    const std::size_t outer = reply.open();
    reply.bulk("k");
    const std::size_t members = reply.open();
    reply.integer(1);
    reply.integer(2);
    reply.close_set(members, 2);
    reply.close_map(outer, 1);
    const std::size_t list = reply.open();
    reply.close_array(list, 0);
  };
  EXPECT_EQ(both(inner), "+before *2 $1 k *2 :1 :2 *0 / +before %1 $1 k ~2 :1 :2 *0");
}

TEST(ReplyWriter, TakesBackWhatWasWrittenSince) {
  std::string out = "+PONG\r\n";
  ReplyWriter reply{out, Protocol::resp2};
  const std::size_t before = reply.size();
  reply.array(2);
  reply.bulk("half");
  EXPECT_EQ(reply.since(before), "*2\r\n$4\r\nhalf\r\n");
  reply.rewind(before);
  reply.error("ERR no");
  reply.raw("+as it is\r\n");
  EXPECT_EQ(out, "+PONG\r\n-ERR no\r\n+as it is\r\n");
}

TEST(ReplyWriter, LeavesOutWhatIsTooMuchAndSaysSo) {
  std::string out = "+PONG\r\n";
  ReplyWriter reply{out, Protocol::resp3, 10};
  reply.bulk("twelve bytes");  // begun below the limit: it is written
  EXPECT_FALSE(reply.was_cut());
  EXPECT_TRUE(reply.is_full());
  const std::size_t before = reply.size();
  reply.array(2);
  reply.bulk("no");
  reply.raw("$2\r\nno\r\n");
  reply.verbatim("txt", "no");
  reply.simple("no");
  EXPECT_TRUE(reply.was_cut());
  EXPECT_EQ(reply.since(before), "");
  reply.rewind(before);
  EXPECT_FALSE(reply.was_cut());
  reply.simple("OK");
  reply.error("ERR too much");
  EXPECT_EQ(out, "+PONG\r\n$12\r\ntwelve bytes\r\n+OK\r\n-ERR too much\r\n");
}

TEST(ReplyWriter, ChangesItsProtocolBetweenReplies) {
  std::string out;
  ReplyWriter reply{out, Protocol::resp2};
  reply.null();
  reply.set_protocol(Protocol::resp3);
  EXPECT_EQ(reply.protocol(), Protocol::resp3);
  reply.null();
  EXPECT_EQ(out, "$-1\r\n_\r\n");
}

TEST(ReplyWriter, IsReadBackByTheReplyParser) {
  const auto everything = [](ReplyWriter& reply) {
    reply.array(12);
    reply.simple("OK");
    reply.error("ERR x");
    reply.integer(-42);
    reply.bulk("a\r\nb");
    reply.null();
    reply.null_array();
    reply.map(1);
    reply.bulk("k");
    reply.real(0.5);
    reply.set(1);
    reply.boolean(true);
    reply.push(0);
    reply.verbatim("txt", "hi");
    reply.big_number("123");
    reply.real(std::nan(""));
  };
  EXPECT_EQ(
      replies_in(written(Protocol::resp3, everything)),
      R"([OK, (error) ERR x, -42, "a\r\nb", (nil), (nil), {"k": (double) 0.5}, ~{(true)}, >[], )"
      R"("txt:hi", (big number) 123, (double) nan])");
  EXPECT_EQ(
      replies_in(written(Protocol::resp2, everything)),
      R"([OK, (error) ERR x, -42, "a\r\nb", (nil), (nil), ["k", "0.5"], [1], [], "hi", "123", "nan"])");
}

}  // namespace
}  // namespace fencepost::resp
