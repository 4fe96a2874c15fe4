// Clients that wait for a key: who is tried first, and when their waits are over.
#include "state/parked.h"

#include <gtest/gtest.h>

namespace fencepost::state {
namespace {

constexpr ClientId kAlice{1};
constexpr ClientId kBob{2};

const KeyName kKey{0, "a"};

Parked waits(ClientId client, std::vector<std::string> keys, Instant deadline = kNever,
             Type wanted = Type::list) {
  const std::size_t count = keys.size();
  std::vector<std::string> request{"BLPOP"};
  request.insert(request.end(), keys.begin(), keys.end());
  request.push_back("0");
  return {.client = client,
          .database = 0,
          .wanted = wanted,
          .request = std::move(request),
          .first_key = 1,
          .key_count = count,
          .deadline = deadline};
}

std::vector<ClientId> line_of(const ParkedClients& parked, const KeyName& name, Type type) {
  std::vector<ClientId> clients;
  std::uint64_t behind = 0;
  while (const auto next = parked.next_in_line(name, type, behind)) {
    clients.push_back(next->client);
    behind = next->place;
  }
  return clients;
}

TEST(ParkedClients, AreTriedInTheOrderInWhichTheyCame) {
  ParkedClients parked;
  parked.park(waits(kBob, {"a", "b"}));
  parked.park(waits(kAlice, {"a"}));
  parked.touch(0, "a", Type::list);
  EXPECT_EQ(parked.take_ready(), kKey);
  EXPECT_EQ(line_of(parked, kKey, Type::list), (std::vector{kBob, kAlice}));
  EXPECT_FALSE(parked.take_ready());
}

TEST(ParkedClients, OnlyKeysThatSomebodyWaitsForAreReady) {
  ParkedClients parked;
  parked.touch(0, "a", Type::list);
  parked.park(waits(kAlice, {"a"}));
  EXPECT_FALSE(parked.take_ready()) << "it changed before anybody waited";
  parked.touch(1, "a", Type::list);
  EXPECT_FALSE(parked.take_ready()) << "that is a key of another database";
  parked.touch(0, "a", Type::string);
  EXPECT_FALSE(parked.take_ready()) << "nobody waits for a string";
  parked.touch(0, "a", Type::list);
  parked.touch(0, "a", Type::list);
  EXPECT_TRUE(parked.take_ready());
  EXPECT_FALSE(parked.take_ready()) << "touched twice, tried once";
}

TEST(ParkedClients, KeysAreReadyInTheOrderInWhichTheyCameToBe) {
  ParkedClients parked;
  parked.park(waits(kAlice, {"a", "b"}));
  parked.touch(0, "b", Type::list);
  parked.touch(0, "a", Type::list);
  parked.touch(0, "b", Type::list);
  EXPECT_EQ(parked.take_ready(), (KeyName{0, "b"}));
  parked.touch(0, "b", Type::list);
  EXPECT_EQ(parked.take_ready(), kKey);
  EXPECT_EQ(parked.take_ready(), (KeyName{0, "b"})) << "touched anew, behind all others";
}

TEST(ParkedClients, ALineHasThoseWhoWaitForThatType) {
  ParkedClients parked;
  parked.park(waits(kBob, {"a"}, kNever, Type::stream));
  parked.park(waits(kAlice, {"a"}));
  EXPECT_EQ(line_of(parked, kKey, Type::list), std::vector{kAlice});
  EXPECT_EQ(line_of(parked, kKey, Type::stream), std::vector{kBob});
  EXPECT_EQ(line_of(parked, kKey, Type::set), std::vector<ClientId>{});
}

TEST(ParkedClients, WhoIsRemovedIsTriedNoMore) {
  ParkedClients parked;
  parked.park(waits(kAlice, {"a", "a"}));
  EXPECT_NE(parked.find(kAlice), nullptr);
  EXPECT_GT(parked.bytes(), 0U);
  EXPECT_TRUE(parked.remove(kAlice));
  EXPECT_FALSE(parked.remove(kAlice));
  EXPECT_EQ(parked.find(kAlice), nullptr);
  EXPECT_EQ(parked.bytes(), 0U);
  parked.touch(0, "a", Type::list);
  EXPECT_FALSE(parked.take_ready());
}

TEST(ParkedClients, WaitsEndInTheOrderOfTheirDeadlines) {
  ParkedClients parked;
  parked.park(waits(kAlice, {"a"}, Instant{Duration{20}}));
  parked.park(waits(kBob, {"a"}, Instant{Duration{10}}));
  EXPECT_EQ(parked.next_deadline(), Instant{Duration{10}});
  EXPECT_EQ(parked.size_with_deadline(), 2U);
  parked.end_next();
  EXPECT_EQ(parked.next_deadline(), Instant{Duration{20}});
  EXPECT_TRUE(parked.unblock(kAlice, true));
  EXPECT_EQ(parked.next_deadline(), kNever);
  std::vector<ParkedAnswer> answers;
  parked.take_answers(answers);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].client, kBob);
  EXPECT_FALSE(answers[0].unblocked_with_error);
  EXPECT_EQ(answers[0].request, (std::vector<std::string>{"BLPOP", "a", "0"}));
  EXPECT_EQ(answers[1].client, kAlice);
  EXPECT_TRUE(answers[1].unblocked_with_error);
  EXPECT_TRUE(parked.empty());
}

}  // namespace
}  // namespace fencepost::state
