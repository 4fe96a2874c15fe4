// SPOP, SRANDMEMBER and SSCAN, as a client sees them.
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

// Sets of numbers and sets of texts are kept in different ways.
void fill(Server& server, const std::string& before, int members) {
  server.run("DEL", "s");
  for (int i = 0; i < members; ++i) server.run("SADD", "s", before + std::to_string(i));
}

TEST(SetSamples, OneMemberByChance) {
  for (const char* before : {"", "m"}) {
    Server server;
    EXPECT_EQ(server.run("SRANDMEMBER", "s"), "$-1\r\n");
    fill(server, before, 4);
    std::map<std::string, int> drawn;
    for (int i = 0; i < 4000; ++i) ++drawn[parsed(server.run("SRANDMEMBER", "s")).text];
    ASSERT_EQ(drawn.size(), 4U);
    for (const auto& [member, times] : drawn) EXPECT_NEAR(times, 1000, 200) << member;
  }
}

TEST(SetSamples, SeveralMembersByChance) {
  Server server;
  EXPECT_EQ(server.run("SRANDMEMBER", "s", 3), "*0\r\n");
  for (const char* before : {"", "m"}) {
    fill(server, before, 12);
    for (int count = 0; count < 15; ++count) {
      const auto reply = parsed(server.run("SRANDMEMBER", "s", count));
      std::set<std::string> members;
      for (const auto& item : reply.items) members.insert(item.text);
      EXPECT_EQ(reply.items.size(), static_cast<std::size_t>(std::min(count, 12)));
      EXPECT_EQ(members.size(), reply.items.size());
    }
    EXPECT_EQ(parsed(server.run("SRANDMEMBER", "s", -100)).items.size(), 100U);
  }
  EXPECT_EQ(server.run("SRANDMEMBER", "s", 1, 2), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("SRANDMEMBER", "s", "x"),
            "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("SRANDMEMBER", "s", -INT64_MAX).substr(0, 24), "-ERR the reply is larger");
}

TEST(SetSamples, PoppedMembersAreGone) {
  for (const char* before : {"", "m"}) {
    Server server;
    fill(server, before, 30);
    std::set<std::string> popped;
    for (int i = 0; i < 10; ++i) popped.insert(parsed(server.run("SPOP", "s")).text);
    EXPECT_EQ(popped.size(), 10U);
    for (const auto& item : parsed(server.run("SPOP", "s", 15)).items) popped.insert(item.text);
    EXPECT_EQ(popped.size(), 25U);
    EXPECT_EQ(server.run("SCARD", "s"), ":5\r\n");
    for (const std::string& member : popped)
      EXPECT_EQ(server.run("SISMEMBER", "s", member), ":0\r\n");
    EXPECT_EQ(parsed(server.run("SPOP", "s", 100)).items.size(), 5U);
    EXPECT_EQ(server.run("EXISTS", "s"), ":0\r\n");
  }
}

TEST(SetSamples, PoppingTheLastTakesTheKeyWithIt) {
  Server server;
  server.run("SADD", "s", "a");
  EXPECT_EQ(server.run("SPOP", "s"), "$1\r\na\r\n");
  EXPECT_EQ(server.run("EXISTS", "s"), ":0\r\n");
  EXPECT_EQ(server.run("SPOP", "s"), "$-1\r\n");
  EXPECT_EQ(server.run("SPOP", "s", 2), "*0\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("SPOP", "s", 2), "~0\r\n");
}

TEST(SetSamples, PopCountsArePositive) {
  Server server;
  server.run("SADD", "s", "a");
  const std::string refused = "-ERR value is out of range, must be positive\r\n";
  EXPECT_EQ(server.run("SPOP", "s", -1), refused);
  EXPECT_EQ(server.run("SPOP", "s", "x"), refused);
  EXPECT_EQ(server.run("SPOP", "s", "9223372036854775808"), refused);
  EXPECT_EQ(server.run("SPOP", "s", 1, 1), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("SPOP", "s", 0), "*0\r\n");
  EXPECT_EQ(server.run("SCARD", "s"), ":1\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("SPOP", "s", INT64_MAX), "~1\r\n$1\r\na\r\n");
}

// As Redis, which makes a set anew of the few that are left of many.
TEST(SetSamples, WhatIsLeftOfManyMayBeASetOfNumbersAgain) {
  Server server;
  fill(server, "", 12);
  server.run("SADD", "s", "x");
  server.run("SREM", "s", "x");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "s"), "$9\r\nhashtable\r\n");
  server.run("SPOP", "s", 9);
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "s"), "$9\r\nhashtable\r\n");
  fill(server, "", 12);
  server.run("SADD", "s", "x");
  server.run("SREM", "s", "x");
  server.run("SPOP", "s", 10);
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "s"), "$6\r\nintset\r\n");
  EXPECT_EQ(server.run("SCARD", "s"), ":2\r\n");
}

TEST(SetSamples, ASetOfNumbersIsScannedAtOnce) {
  Server server;
  EXPECT_EQ(server.run("SSCAN", "s", 0), "*2\r\n$1\r\n0\r\n*0\r\n");
  fill(server, "", 100);
  EXPECT_EQ(parsed(server.run("SSCAN", "s", 0, "COUNT", 1)).items.at(1).items.size(), 100U);
  EXPECT_EQ(server.run("SSCAN", "s", 0, "MATCH", "9?", "MATCH", "?7"),
            "*2\r\n$1\r\n0\r\n*9\r\n$2\r\n17\r\n$2\r\n27\r\n$2\r\n37\r\n$2\r\n47\r\n$2\r\n57\r\n"
            "$2\r\n67\r\n$2\r\n77\r\n$2\r\n87\r\n$2\r\n97\r\n");
}

TEST(SetSamples, ASetOfTextsIsScannedInPartsWhileItChanges) {
  Server server;
  fill(server, "m", 300);
  std::set<std::string> seen;
  std::string cursor = "0";
  int calls = 0;
  do {
    const auto reply = parsed(server.run("SSCAN", "s", cursor, "COUNT", 7));
    cursor = reply.items.at(0).text;
    for (const auto& item : reply.items.at(1).items) seen.insert(item.text);
    // Odd ones go, others come.
    server.run("SREM", "s", "m" + std::to_string(2 * calls + 1));
    server.run("SADD", "s", "new" + std::to_string(calls));
    ++calls;
  } while (cursor != "0");
  for (int i = 0; i < 300; i += 2) EXPECT_TRUE(seen.contains("m" + std::to_string(i))) << i;
}

}  // namespace
}  // namespace fencepost::tests
