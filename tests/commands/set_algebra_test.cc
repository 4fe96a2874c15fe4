// SINTER, SUNION, SDIFF and their kin, as a client sees them; random sets against std::set.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "resp/reply_parser.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

using Members = std::set<std::string>;

Members members_in(const std::string& bytes) {
  resp::ReplyParser parser;
  EXPECT_EQ(parser.parse(bytes), resp::ReplyParser::Status::reply);
  Members members;
  for (const auto& item : parser.reply().items) members.insert(item.text);
  EXPECT_EQ(members.size(), parser.reply().items.size());
  return members;
}

TEST(SetAlgebra, NumbersComeInOrder) {
  Server server;
  server.run("SADD", "a", 3, 1, 2);
  server.run("SADD", "b", 2, 9, 3);
  EXPECT_EQ(server.run("SINTER", "a", "b"), "*2\r\n$1\r\n2\r\n$1\r\n3\r\n");
  EXPECT_EQ(server.run("SUNION", "a", "b", "nothing"),
            "*4\r\n$1\r\n1\r\n$1\r\n2\r\n$1\r\n3\r\n$1\r\n9\r\n");
  EXPECT_EQ(server.run("SDIFF", "a", "b", "nothing"), "*1\r\n$1\r\n1\r\n");
  EXPECT_EQ(server.run("SINTER", "a", "nothing"), "*0\r\n");
  EXPECT_EQ(server.run("SDIFF", "a", "a"), "*0\r\n");
  EXPECT_EQ(server.client(Protocol::resp3).run("SDIFF", "a", "b"), "~1\r\n$1\r\n1\r\n");
}

TEST(SetAlgebra, ResultsAreKept) {
  Server server;
  server.run("SADD", "a", 3, 1, 2);
  server.run("SADD", "b", 2, "x");
  EXPECT_EQ(server.run("SINTERSTORE", "d", "a", "b"), ":1\r\n");
  EXPECT_EQ(server.run("SMEMBERS", "d"), "*1\r\n$1\r\n2\r\n");
  EXPECT_EQ(server.run("SUNIONSTORE", "d", "a", "b"), ":4\r\n");
  EXPECT_EQ(server.run("OBJECT", "ENCODING", "d"), "$9\r\nhashtable\r\n");
  EXPECT_EQ(server.run("SDIFFSTORE", "a", "a", "b"), ":2\r\n");
  EXPECT_EQ(server.run("SMEMBERS", "a"), "*2\r\n$1\r\n1\r\n$1\r\n3\r\n");
  EXPECT_EQ(server.run("SINTERSTORE", "d", "a", "nothing"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "d"), ":0\r\n");
}

TEST(SetAlgebra, AResultTakesThePlaceOfWhateverWasThere) {
  Server server;
  server.run("SADD", "a", 1);
  server.run("SET", "d", "text", "EX", 100);
  EXPECT_EQ(server.run("SUNIONSTORE", "d", "a"), ":1\r\n");
  EXPECT_EQ(server.run("TYPE", "d"), "+set\r\n");
  EXPECT_EQ(server.run("TTL", "d"), ":-1\r\n");
  EXPECT_EQ(server.run("FENCE", "d"), ":2\r\n");
  server.run("SET", "d", "text");
  EXPECT_EQ(server.run("SDIFFSTORE", "d", "a", "a"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS", "d"), ":0\r\n");
  EXPECT_EQ(server.run("SUNIONSTORE", std::string(64 * 1024 + 1, 'k'), "a"),
            "-ERR key is longer than 65536 bytes\r\n");
}

TEST(SetAlgebra, CommonMembersAreCountedUpToALimit) {
  Server server;
  server.run("SADD", "a", 1, 2, 3, 4);
  server.run("SADD", "b", 2, 3, 4, 5);
  EXPECT_EQ(server.run("SINTERCARD", 2, "a", "b"), ":3\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 2, "a", "b", "limit", 2), ":2\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 2, "a", "b", "LIMIT", 0), ":3\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 2, "a", "nothing"), ":0\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 0, "a"), "-ERR numkeys should be greater than 0\r\n");
  EXPECT_EQ(server.run("SINTERCARD", "x", "a"), "-ERR numkeys should be greater than 0\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 2, "a"),
            "-ERR Number of keys can't be greater than number of args\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 1, "a", "b"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 1, "a", "LIMIT"), "-ERR syntax error\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 1, "a", "LIMIT", -1), "-ERR LIMIT can't be negative\r\n");
  EXPECT_EQ(server.run("SINTERCARD", 1, "a", "LIMIT", "x"), "-ERR LIMIT can't be negative\r\n");
  EXPECT_EQ(server.run("COMMAND", "GETKEYS", "SINTERCARD", 2, "a", "b", "LIMIT", 1),
            "*2\r\n$1\r\na\r\n$1\r\nb\r\n");
}

// However often a set is named, it is gone through once.
TEST(SetAlgebra, NamingASetOftenCostsLittle) {
  Server server;
  for (int i = 0; i < 2000; i += 10) {
    const std::string m = "m" + std::to_string(i);
    server.run("SADD", "big", m, m + "1", m + "2", m + "3", m + "4", m + "5", m + "6", m + "7");
  }
  for (const char* command : {"SINTER", "SUNION", "SDIFF"}) {
    std::vector<std::string> words{command, "other"};
    words.insert(words.end(), 20'000, "big");
    server.first().send(request(words));
    const std::size_t size = std::string_view{command} == "SUNION" ? 1600 : 0;
    EXPECT_EQ(members_in(server.take()).size(), size) << command;
  }
}

RC_GTEST_PROP(SetAlgebra, agrees_with_std_set, ()) {
  Server server;
  const auto member = rc::gen::element<std::string>("1", "2", "3", "4", "5", "a", "b", "c", "01");
  std::vector<Members> sets;
  for (const char* key : {"a", "b", "c"}) {
    const auto members = *rc::gen::container<std::vector<std::string>>(member);
    sets.emplace_back(members.begin(), members.end());
    for (const std::string& each : sets.back()) server.run("SADD", key, each);
  }
  const auto combined = [&sets](auto operation) {
    Members result = sets[0];
    for (const Members& other : {sets[1], sets[2]}) {
      Members next;
      operation(result.begin(), result.end(), other.begin(), other.end(),
                std::inserter(next, next.end()));
      result = next;
    }
    return result;
  };
  const Members common = combined([](auto... of) { std::set_intersection(of...); });
  RC_ASSERT(members_in(server.run("SINTER", "a", "b", "c")) == common);
  RC_ASSERT(server.run("SINTERCARD", 3, "a", "b", "c") ==
            ":" + std::to_string(common.size()) + "\r\n");
  RC_ASSERT(members_in(server.run("SUNION", "a", "b", "c")) ==
            combined([](auto... of) { std::set_union(of...); }));
  RC_ASSERT(members_in(server.run("SDIFF", "a", "b", "c")) ==
            combined([](auto... of) { std::set_difference(of...); }));
}

}  // namespace
}  // namespace fencepost::tests
