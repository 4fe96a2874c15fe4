// Clients that wait for a key: who is tried first, and when their waits are over.
#include "state/parked.h"

#include <gtest/gtest.h>

namespace fencepost::state {
namespace {

constexpr ClientId kAlice{1};
constexpr ClientId kBob{2};

Parked waits(ClientId client, std::vector<std::string> keys, Instant deadline = kNever) {
  return {.client = client,
          .database = 0,
          .keys = std::move(keys),
          .wanted = Type::list,
          .request = {"BLPOP", "a", "0"},
          .deadline = deadline};
}

TEST(ParkedClients, AreTriedInTheOrderInWhichTheyCame) {
  ParkedClients parked;
  parked.park(waits(kBob, {"a", "b"}));
  parked.park(waits(kAlice, {"a"}));
  parked.touch(0, "a");
  const auto ready = parked.take_ready();
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->name, (KeyName{0, "a"}));
  EXPECT_EQ(ready->clients, (std::vector{kBob, kAlice}));
  EXPECT_FALSE(parked.take_ready());
}

TEST(ParkedClients, OnlyKeysThatSomebodyWaitsForAreReady) {
  ParkedClients parked;
  parked.touch(0, "a");
  parked.park(waits(kAlice, {"a"}));
  EXPECT_FALSE(parked.take_ready()) << "it changed before anybody waited";
  parked.touch(1, "a");
  EXPECT_FALSE(parked.take_ready()) << "that is a key of another database";
  parked.touch(0, "a");
  parked.touch(0, "a");
  EXPECT_TRUE(parked.take_ready());
  EXPECT_FALSE(parked.take_ready()) << "touched twice, tried once";
}

TEST(ParkedClients, WhoIsRemovedIsTriedNoMore) {
  ParkedClients parked;
  parked.park(waits(kAlice, {"a", "a"}));
  EXPECT_NE(parked.find(kAlice), nullptr);
  EXPECT_TRUE(parked.remove(kAlice));
  EXPECT_FALSE(parked.remove(kAlice));
  EXPECT_EQ(parked.find(kAlice), nullptr);
  parked.touch(0, "a");
  EXPECT_FALSE(parked.take_ready());
}

TEST(ParkedClients, WaitsEndInTheOrderOfTheirDeadlines) {
  ParkedClients parked;
  parked.park(waits(kAlice, {"a"}, Instant{Duration{20}}));
  parked.park(waits(kBob, {"a"}, Instant{Duration{10}}));
  EXPECT_EQ(parked.next_deadline(), Instant{Duration{10}});
  parked.end_next();
  EXPECT_EQ(parked.next_deadline(), Instant{Duration{20}});
  EXPECT_TRUE(parked.unblock(kAlice, true));
  EXPECT_EQ(parked.next_deadline(), kNever);
  std::vector<ParkedAnswer> answers;
  parked.take_answers(answers);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].client, kBob);
  EXPECT_FALSE(answers[0].unblocked_with_error);
  EXPECT_EQ(answers[1].client, kAlice);
  EXPECT_TRUE(answers[1].unblocked_with_error);
  EXPECT_TRUE(parked.empty());
}

}  // namespace
}  // namespace fencepost::state
