// Keys, leases and what the keyspace tells its listener.
#include "state/keyspace.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "state/list.h"

namespace fencepost::state {

namespace {

Instant at(std::int64_t ms) {
  return Instant{Duration{ms}};
}

// Ends what lapses, and writes down what it is told.
class Listener final : public KeyspaceListener {
 public:
  void lapsed(Item& item) override {
    told.push_back("lapsed " + std::string{item.key()});
    keyspace->erase(item);
  }
  void came(const Item& item) override { came_to_be.emplace_back(item.key()); }
  void changed(DatabaseIndex /*database*/, std::string_view key) override {
    told.push_back("changed " + std::string{key});
  }
  void event(EventClass /*kind*/, std::string_view name, DatabaseIndex /*database*/,
             std::string_view key) override {
    told.push_back(std::string{name} + " " + std::string{key});
  }
  void rescheduled(const Item&) override {}
  void freed(DatabaseIndex /*database*/, std::string_view key) override {
    told.push_back("freed " + std::string{key});
  }

  std::vector<std::string> take() { return std::exchange(told, {}); }

  Keyspace* keyspace = nullptr;
  std::vector<std::string> told;
  std::vector<std::string> came_to_be;
};

class KeyspaceTest : public testing::Test {
 protected:
  KeyspaceTest() {
    listener.keyspace = &keys;
    set_time(1000);
  }
  void set_time(std::int64_t ms) {
    keys.set_clock(at(ms));
    keys.set_present(at(ms));
  }
  Item& make(std::string_view key, Instant deadline = kNever) {
    return keys.create(keys.look(0, key), std::string{"v"}, deadline);
  }

  Listener listener;
  Keyspace keys{99, listener};
};

using Told = std::vector<std::string>;

TEST_F(KeyspaceTest, tells_of_making_changing_and_removing) {
  Item& item = make("a");
  EXPECT_EQ(listener.take(), (Told{"new a", "changed a"}));
  keys.assign(item, "w");
  EXPECT_EQ(listener.take(), (Told{"freed a", "changed a"}));
  keys.assign(item, "w");  // the value that is there: a renewal
  EXPECT_EQ(listener.take(), Told{"changed a"});
  keys.erase(item);
  EXPECT_EQ(listener.take(), (Told{"changed a", "freed a"}));
}

TEST_F(KeyspaceTest, a_key_whose_lease_is_over_cannot_be_seen) {
  make("a", at(2000));
  set_time(2000);
  EXPECT_NE(keys.find(0, "a"), nullptr);  // not over until the clock is past it
  set_time(2001);
  listener.take();
  EXPECT_EQ(keys.find(0, "a"), nullptr);
  EXPECT_EQ(listener.take(), (Told{"lapsed a", "changed a", "freed a"}));
}

TEST_F(KeyspaceTest, scans_and_random_draws_end_what_is_over) {
  for (int i = 0; i < 100; ++i) make("k" + std::to_string(i), at(i % 2 == 0 ? 2000 : 9000));
  set_time(5000);
  std::size_t seen = 0;
  keys.for_each(0, [&seen](Item& /*item*/) { ++seen; });
  EXPECT_EQ(seen, 50U);
  EXPECT_EQ(keys.size(0), 50U);
  set_time(10'000);
  Random random{1};
  EXPECT_EQ(keys.random(0, random), nullptr);
}

TEST_F(KeyspaceTest, the_clock_never_goes_back) {
  set_time(500);
  EXPECT_EQ(keys.clock(), at(1000));
  EXPECT_EQ(keys.present(), at(1000));
}

TEST_F(KeyspaceTest, counts_the_keys_with_a_lease) {
  Item& a = make("a", at(2000));
  make("b");
  EXPECT_EQ(keys.size_with_lease(0), 1U);
  keys.set_deadline(a, kNever);
  EXPECT_EQ(keys.size_with_lease(0), 0U);
  keys.set_deadline(a, at(3000));
  keys.clear(0);
  EXPECT_EQ(keys.size_with_lease(0), 0U);
}

TEST_F(KeyspaceTest, deadlines_come_in_order) {
  make("late", at(3000));
  make("early", at(2000));
  EXPECT_EQ(keys.next_deadline(), at(2000));
  set_time(2500);
  EXPECT_EQ(keys.next_lapsed()->key(), "early");
  keys.erase(*keys.next_lapsed());
  EXPECT_EQ(keys.next_lapsed(), nullptr);
  EXPECT_EQ(keys.next_deadline(), at(3000));
}

TEST_F(KeyspaceTest, swapped_databases_draw_above_everything_drawn_before) {
  for (int i = 0; i < 5; ++i) keys.put(keys.look(0, "a"), std::to_string(i), kNever);
  keys.put(keys.look(1, "a"), "x", at(5000));
  keys.swap(0, 1);
  EXPECT_EQ(keys.find(0, "a")->text(), "x");
  EXPECT_GT(keys.find(0, "a")->fence, 5U);
  EXPECT_GT(keys.find(1, "a")->fence, 5U);
  EXPECT_EQ(keys.size_with_lease(0), 1U);
  set_time(5001);
  EXPECT_EQ(keys.find(0, "a"), nullptr);
}

TEST_F(KeyspaceTest, an_item_is_found_by_its_hash_and_fence) {
  Item& item = make("a");
  const auto drawn = [&item](const Item& other) { return other.fence == item.fence; };
  EXPECT_EQ(keys.find_hashed(0, keys.hash_of("a"), drawn), &item);
  EXPECT_EQ(keys.find_hashed(0, keys.hash_of("b"), drawn), nullptr);
}

TEST_F(KeyspaceTest, whoever_waits_is_told_of_keys_that_come_to_be) {
  Item& a = make("a");
  keys.assign(a, "another text");
  keys.put_value(keys.look(0, "a"), Value{std::unique_ptr<Collection>{std::make_unique<List>()}},
                 kNever);
  keys.move(*keys.find(0, "a"), 1, "b");
  keys.swap(1, 2);
  EXPECT_EQ(listener.came_to_be, (Told{"a", "a", "b", "b"}));
}

}  // namespace

}  // namespace fencepost::state
