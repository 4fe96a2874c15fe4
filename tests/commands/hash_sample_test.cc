// HRANDFIELD and HSCAN, as a client sees them.
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "resp/reply_parser.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

resp::Reply parsed(const std::string& bytes) {
  resp::ReplyParser parser;
  EXPECT_EQ(parser.parse(bytes), resp::ReplyParser::Status::reply);
  return std::move(parser.reply());
}

void fill(Server& server, int fields) {
  for (int i = 0; i < fields; ++i) server.run("HSET", "h", "f" + std::to_string(i), i);
}

TEST(HashSamples, OneFieldByChance) {
  Server server;
  EXPECT_EQ(server.run("HRANDFIELD", "h"), "$-1\r\n");
  fill(server, 4);
  std::map<std::string, int> drawn;
  for (int i = 0; i < 4000; ++i) ++drawn[parsed(server.run("HRANDFIELD", "h")).text];
  ASSERT_EQ(drawn.size(), 4U);
  for (const auto& [field, times] : drawn) EXPECT_NEAR(times, 1000, 200) << field;
}

TEST(HashSamples, ACountGivesDifferentFields) {
  Server server;
  EXPECT_EQ(server.run("HRANDFIELD", "h", 3), "*0\r\n");
  fill(server, 20);
  for (int count = 0; count < 25; ++count) {
    std::set<std::string> fields;
    const auto reply = parsed(server.run("HRANDFIELD", "h", count));
    for (const auto& item : reply.items) fields.insert(item.text);
    EXPECT_EQ(reply.items.size(), static_cast<std::size_t>(std::min(count, 20)));
    EXPECT_EQ(fields.size(), reply.items.size());
  }
}

TEST(HashSamples, ANegativeCountAllowsForRepetitions) {
  Server server;
  server.run("HSET", "h", "f", "v");
  EXPECT_EQ(server.run("HRANDFIELD", "h", -2), "*2\r\n$1\r\nf\r\n$1\r\nf\r\n");
  EXPECT_EQ(server.run("HRANDFIELD", "h", -2, "withvalues"),
            "*4\r\n$1\r\nf\r\n$1\r\nv\r\n$1\r\nf\r\n$1\r\nv\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("HRANDFIELD", "h", 5, "WITHVALUES"),
            "*1\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n");
  EXPECT_EQ(parsed(server.run("HRANDFIELD", "h", -1000)).items.size(), 1000U);
}

TEST(HashSamples, CountsHaveBounds) {
  Server server;
  server.run("HSET", "h", "f", "v");
  EXPECT_EQ(server.run("HRANDFIELD", "h", "x"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("HRANDFIELD", "h", 1, "x"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("HRANDFIELD", "h", 1, "withvalues", "x"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("HRANDFIELD", "h", INT64_MIN),
            "-ERR value is out of range, value must between -9223372036854775807 and "
            "9223372036854775807\r\n");
  EXPECT_EQ(server.run("HRANDFIELD", "h", INT64_MAX, "withvalues"),
            "-ERR value is out of range\r\n");
  // Where Redis would write until its memory is full.
  EXPECT_EQ(server.run("HRANDFIELD", "h", -INT64_MAX).substr(0, 24), "-ERR the reply is larger");
}

TEST(HashSamples, ASmallHashIsScannedAtOnce) {
  Server server;
  EXPECT_EQ(server.run("HSCAN", "h", 0), "*2\r\n$1\r\n0\r\n*0\r\n");
  fill(server, 100);
  EXPECT_EQ(parsed(server.run("HSCAN", "h", 0, "COUNT", 1)).items.at(1).items.size(), 200U);
  EXPECT_EQ(server.run("HSCAN", "h", 0, "MATCH", "f7"),
            "*2\r\n$1\r\n0\r\n*2\r\n$2\r\nf7\r\n$1\r\n7\r\n");
}

TEST(HashSamples, ALargeHashIsScannedInParts) {
  Server server;
  fill(server, 1000);
  std::map<std::string, std::string> seen;
  std::string cursor = "0";
  int calls = 0;
  do {
    const auto reply = parsed(server.run("HSCAN", "h", cursor, "COUNT", 100));
    cursor = reply.items.at(0).text;
    const auto& items = reply.items.at(1).items;
    for (std::size_t at = 0; at < items.size(); at += 2) seen[items[at].text] = items[at + 1].text;
    ++calls;
  } while (cursor != "0");
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_EQ(seen["f123"], "123");
}

TEST(HashSamples, ScansTakeRedissOptions) {
  Server server;
  fill(server, 1);
  EXPECT_EQ(server.run("HSCAN", "h", "x"), "-ERR invalid cursor\r\n");
  EXPECT_EQ(server.run("HSCAN", "nothing", "x"), "-ERR invalid cursor\r\n");
  EXPECT_EQ(server.run("HSCAN", "h", 0, "COUNT", 0), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("HSCAN", "h", 0, "COUNT"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("HSCAN", "h", 0, "TYPE", "hash"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("HSCAN", "nothing", 0, "COUNT", 0), "*2\r\n$1\r\n0\r\n*0\r\n");
  EXPECT_EQ(server.run("HSCAN", "h", 0, "MATCH", std::string(1025, '*')),
            "-ERR pattern is longer than 1024 bytes\r\n");
  // As strtoul reads them.
  const std::string whole = server.run("HSCAN", "h", 0);
  for (const char* cursor : {"", "+0", "-0", "000", "-1", "18446744073709551615"})
    EXPECT_EQ(server.run("HSCAN", "h", cursor), whole) << cursor;
  EXPECT_EQ(server.run("HSCAN", "h", std::string{"0\0x", 3}), whole);
  for (const char* cursor : {"-", "+", " 0", "0 ", "1x", "18446744073709551616", "--1"})
    EXPECT_EQ(server.run("HSCAN", "h", cursor), "-ERR invalid cursor\r\n") << cursor;
}

}  // namespace
}  // namespace fencepost::tests
