// The table of who has read which key, and of who listens to which prefix.
#include "commands/tracking/tracked_keys.h"

#include <gtest/gtest.h>

namespace fencepost::commands {

namespace {

constexpr ClientId kAlice{1};
constexpr ClientId kBob{2};

std::vector<ClientId> readers(TrackedKeys& table, std::string_view key) {
  std::vector<ClientId> found;
  table.take_readers(key, found);
  return found;
}

using Readers = std::vector<ClientId>;

TEST(TrackedKeys, readers_are_told_once) {
  TrackedKeys table;
  table.add(kAlice, false);
  table.add(kBob, false);
  table.remember(kBob, "a");
  table.remember(kAlice, "a");
  table.remember(kAlice, "a");
  table.remember(kAlice, "b");
  EXPECT_EQ(table.key_count(), 2U);
  EXPECT_EQ(table.item_count(), 3U);
  EXPECT_EQ(readers(table, "a"), (Readers{kAlice, kBob}));
  EXPECT_EQ(readers(table, "a"), Readers{});
  EXPECT_EQ(table.item_count(), 1U);
}

TEST(TrackedKeys, who_pauses_is_still_told_of_what_it_read) {
  TrackedKeys table;
  table.add(kAlice, false);
  table.remember(kAlice, "a");
  table.remove(kAlice);
  EXPECT_EQ(table.client_count(), 0U);
  EXPECT_TRUE(table.needs_changes());
  EXPECT_EQ(readers(table, "a"), Readers{kAlice});
  EXPECT_FALSE(table.needs_changes());
}

TEST(TrackedKeys, with_the_last_reader_all_is_forgotten) {
  TrackedKeys table;
  table.add(kAlice, false);
  table.add(kBob, false);
  table.remember(kAlice, "a");
  table.remove(kAlice);
  table.forget(kBob);
  EXPECT_EQ(table.key_count(), 1U);
  table.forget(kAlice);
  EXPECT_FALSE(table.needs_changes());
  EXPECT_EQ(table.key_count(), 0U);
  EXPECT_EQ(table.client_count(), 0U);
  EXPECT_EQ(table.next_to_evict(), "");
}

TEST(TrackedKeys, room_is_made_until_nothing_is_left) {
  TrackedKeys table;
  table.add(kAlice, false);
  for (int i = 0; i < 100; ++i) table.remember(kAlice, "k" + std::to_string(i));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(readers(table, table.next_to_evict()), Readers{kAlice});
  EXPECT_EQ(table.key_count(), 0U);
}

TEST(TrackedKeys, of_many_that_came_and_went_few_are_kept) {
  TrackedKeys table;
  table.add(kAlice, false);
  for (std::uint64_t i = 10; i < 10'000; ++i) {
    table.add(ClientId{i}, false);
    table.remember(ClientId{i}, "a");
    table.forget(ClientId{i});
  }
  EXPECT_LE(table.item_count(), 32U);
}

TEST(TrackedKeys, prefixes_gather_what_changed_under_them) {
  TrackedKeys table;
  table.add(kAlice, true);
  table.add_prefix(kAlice, "a");
  table.add_prefix(kAlice, "bb");
  table.add(kBob, true);
  table.add_prefix(kBob, "");
  EXPECT_EQ(table.prefix_count(), 3U);
  table.note_change("b", kAlice);
  table.note_change("a1", kAlice);
  table.note_change("a1", kBob);
  table.note_change("a0", ClientId::nobody);
  std::vector<TrackedKeys::Broadcast> told;
  table.take_broadcasts(told);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].keys.size(), 3U);  // the empty prefix
  EXPECT_EQ(told[1].keys.size(), 2U);
  EXPECT_EQ(told[1].keys.begin()->first, "a0");
  EXPECT_EQ(told[1].keys.at("a1"), kBob);  // who was last, as in redis-server 7.0.15
  EXPECT_EQ(told[1].clients, std::set<ClientId>{kAlice});
  table.take_broadcasts(told);
  EXPECT_TRUE(told.empty());
}

TEST(TrackedKeys, a_prefix_goes_with_its_last_listener_and_what_it_gathered_with_it) {
  TrackedKeys table;
  table.add(kAlice, true);
  table.add_prefix(kAlice, "a");
  for (int i = 0; i < 100'000; ++i) table.note_change("a" + std::to_string(i), kBob);
  EXPECT_TRUE(table.has_much_to_tell());
  EXPECT_EQ(table.prefixes_of(kAlice), std::vector<std::string>{"a"});
  table.remove(kAlice);
  EXPECT_FALSE(table.has_much_to_tell());
  EXPECT_EQ(table.prefix_count(), 0U);
  EXPECT_EQ(table.client_count(), 0U);
}

}  // namespace

}  // namespace fencepost::commands
