// The table of who listens to what.
#include "commands/pubsub/subscriptions.h"

#include <gtest/gtest.h>

namespace fencepost::commands {

namespace {

constexpr ClientId kAlice{1};
constexpr ClientId kBob{2};

std::vector<std::string> told(Subscriptions& table, Audience kind, std::string_view channel) {
  std::vector<std::string> all;
  for (const auto& receiver : table.receivers(kind, channel)) {
    all.push_back(std::to_string(static_cast<std::uint64_t>(receiver.client)) +
                  (receiver.pattern != nullptr ? " " + *receiver.pattern : ""));
  }
  return all;
}

using Told = std::vector<std::string>;

TEST(Subscriptions, name_each_receiver_once_for_the_channel_and_once_for_each_pattern) {
  Subscriptions table;
  EXPECT_TRUE(table.add(kBob, Audience::channel, "a"));
  EXPECT_TRUE(table.add(kAlice, Audience::channel, "a"));
  EXPECT_FALSE(table.add(kAlice, Audience::channel, "a"));
  EXPECT_TRUE(table.add(kAlice, Audience::pattern, "a*"));
  EXPECT_TRUE(table.add(kAlice, Audience::pattern, "*"));
  EXPECT_TRUE(table.add(kBob, Audience::shard, "a"));
  EXPECT_EQ(told(table, Audience::channel, "a"), (Told{"1", "2", "1 *", "1 a*"}));
  EXPECT_EQ(told(table, Audience::channel, "b"), Told{"1 *"});
  EXPECT_EQ(told(table, Audience::shard, "a"), Told{"2"});
}

TEST(Subscriptions, an_answer_is_not_kept_beyond_a_change) {
  Subscriptions table;
  table.add(kAlice, Audience::channel, "a");
  EXPECT_EQ(told(table, Audience::channel, "a"), Told{"1"});
  table.add(kBob, Audience::pattern, "?");
  EXPECT_EQ(told(table, Audience::channel, "a"), (Told{"1", "2 ?"}));
  EXPECT_TRUE(table.remove(kAlice, Audience::channel, "a"));
  EXPECT_FALSE(table.remove(kAlice, Audience::channel, "a"));
  EXPECT_EQ(told(table, Audience::channel, "a"), Told{"2 ?"});
  table.forget(kBob);
  EXPECT_EQ(told(table, Audience::channel, "a"), Told{});
  EXPECT_TRUE(table.nobody_listens());
}

TEST(Subscriptions, count_names_and_their_listeners) {
  Subscriptions table;
  table.add(kAlice, Audience::channel, "b");
  table.add(kAlice, Audience::channel, "a");
  table.add(kBob, Audience::channel, "a");
  table.add(kBob, Audience::pattern, "p*");
  EXPECT_EQ(table.count(Audience::channel), 2U);
  EXPECT_EQ(table.count(Audience::channel, "a"), 2U);
  EXPECT_EQ(table.count(Audience::channel, "c"), 0U);
  EXPECT_EQ(table.bytes_of(kAlice), 2U);
  EXPECT_EQ(table.bytes_of(kBob), 3U);
  EXPECT_EQ(table.matching(Audience::channel, std::nullopt),
            (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(table.matching(Audience::channel, "[b-z]"), (std::vector<std::string_view>{"b"}));
  EXPECT_EQ(table.names_of(kAlice, Audience::channel), (Told{"a", "b"}));
  table.forget(kAlice);
  EXPECT_EQ(table.count(Audience::channel), 1U);
  EXPECT_EQ(table.names_of(kAlice, Audience::channel), Told{});
}

}  // namespace

}  // namespace fencepost::commands
