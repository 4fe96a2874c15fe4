// The index of a database against a std::map, through growth and shrinking; scans across both.
#include "state/name_index.h"

#include <map>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "state/item.h"

namespace fencepost::state {

namespace {

using Index = NameIndex<Item>;

void insert(Index& index, const std::string& key) {
  index.insert(index.hash_of(key), Item::with_text(key, "v"));
}

Item* find(const Index& index, const std::string& key) {
  return index.find(index.hash_of(key), key);
}

std::string name(std::uint64_t number) {
  return "key:" + std::to_string(number);
}

TEST(NameIndex, finds_what_was_put_in_and_nothing_else) {
  Index index;
  insert(index, "a");
  EXPECT_EQ(find(index, "a")->key(), "a");
  EXPECT_EQ(find(index, "b"), nullptr);
  EXPECT_EQ(index.size(), 1U);
}

// As a flush tells of keys, index by index: each next to the one before.
TEST(NameIndex, takes_what_comes_in_the_order_of_its_hashes) {
  Index from;
  Index to;
  constexpr std::uint64_t kCount = 300'000;
  for (std::uint64_t i = 0; i < kCount; ++i) insert(from, name(i));
  std::vector<Item*> in_order;
  from.collect(0, kCount, in_order);
  for (const Item* item : in_order) {
    insert(to, std::string{item->key()});
    ASSERT_EQ(to.find(to.hash_of(item->key()), item->key())->key(), item->key());
  }
  EXPECT_EQ(to.size(), kCount);
  for (std::uint64_t i = 0; i < kCount; i += 7) EXPECT_NE(find(to, name(i)), nullptr);
  // A window of them moves on: what was far ahead is far behind.
  for (std::size_t at = 0; at < in_order.size(); ++at) {
    const std::string gone{in_order[at]->key()};
    EXPECT_EQ(to.extract(*find(to, gone))->key(), gone);
    if (at % 3 == 0) insert(to, gone);
  }
  EXPECT_EQ(to.size(), kCount / 3);
}

TEST(NameIndex, agrees_with_a_map_while_it_grows_and_shrinks) {
  Index index;
  std::map<std::string, Item*> model;
  Random random{7};
  for (int step = 0; step < 200'000; ++step) {
    // Up to some ten thousand items, then down to none, and again.
    const bool growing = step / 50'000 % 2 == 0;
    const std::string key = name(random.below(20'000));
    const auto known = model.find(key);
    ASSERT_EQ(find(index, key), known == model.end() ? nullptr : known->second);
    if (known == model.end() && (growing || random.below(8) == 0)) {
      insert(index, key);
      model[key] = find(index, key);
    } else if (known != model.end() && (!growing || random.below(8) == 0)) {
      EXPECT_EQ(index.extract(*known->second)->key(), key);
      model.erase(known);
    }
    ASSERT_EQ(index.size(), model.size());
  }
}

TEST(NameIndex, items_of_one_hash_live_together) {
  Index index{0, [](std::string_view, std::uint64_t) { return std::uint64_t{42}; }};
  for (std::uint64_t i = 0; i < 1000; ++i) insert(index, name(i));
  for (int i = 0; i < 1000; ++i) {
    const std::string key = name(static_cast<std::uint64_t>(i));
    ASSERT_EQ(find(index, key)->key(), key);
  }
  // They are never torn apart by a scan: the first call gives all of them.
  std::vector<Item*> items;
  EXPECT_EQ(index.collect(0, 10, items), 0U);
  EXPECT_EQ(items.size(), 1000U);
}

TEST(NameIndex, a_scan_sees_each_lasting_item_exactly_once_whatever_comes_and_goes) {
  Index index;
  for (std::uint64_t i = 0; i < 5'000; ++i) insert(index, "stays:" + std::to_string(i));
  std::map<std::string, int> seen;
  std::uint64_t cursor = 0;
  std::uint64_t more = 0;
  do {
    std::vector<Item*> items;
    cursor = index.collect(cursor, 20, items);
    EXPECT_LT(cursor, std::uint64_t{1} << 48);
    for (const Item* found : items) ++seen[std::string{found->key()}];
    for (int i = 0; i < 60; ++i) insert(index, "new:" + std::to_string(more++));
  } while (cursor != 0);
  for (std::uint64_t i = 0; i < 5'000; ++i) ASSERT_EQ(seen["stays:" + std::to_string(i)], 1);
}

TEST(NameIndex, a_scan_goes_on_over_an_index_that_shrinks) {
  Index index;
  std::map<std::string, Item*> model;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    insert(index, name(i));
    model[name(i)] = find(index, name(i));
  }
  std::map<std::string, int> seen;
  std::uint64_t cursor = 0;
  std::uint64_t next_gone = 100;  // the first hundred stay
  do {
    std::vector<Item*> items;
    cursor = index.collect(cursor, 10, items);
    for (const Item* found : items) ++seen[std::string{found->key()}];
    for (int i = 0; i < 40 && next_gone < 20'000; ++i) index.extract(*model[name(next_gone++)]);
  } while (cursor != 0);
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(seen[name(i)], 1) << i;
}

TEST(NameIndex, any_item_may_be_drawn_at_random) {
  Index index;
  Random random{1};
  EXPECT_EQ(index.random(random), nullptr);
  for (std::uint64_t i = 0; i < 5; ++i) insert(index, name(i));
  std::set<std::string> drawn;
  for (int i = 0; i < 1000; ++i) drawn.emplace(index.random(random)->key());
  EXPECT_EQ(drawn.size(), 5U);
}

}  // namespace

}  // namespace fencepost::state
