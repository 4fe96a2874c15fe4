// The index of a database against a std::map, through growth and shrinking; scans across both.
#include "state/item_index.h"

#include <map>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "base/random.h"

namespace fencepost::state {

namespace {

std::uint64_t hash_of(const std::string& key) {
  return XXH3_64bits(key.data(), key.size());
}

std::unique_ptr<Item> item(const std::string& key) {
  auto made = std::make_unique<Item>();
  made->key = key;
  made->value = std::string{"v"};
  made->hash = hash_of(key);
  return made;
}

std::string name(std::uint64_t number) {
  return "key:" + std::to_string(number);
}

TEST(ItemIndex, finds_what_was_put_in_and_nothing_else) {
  ItemIndex index;
  index.insert(item("a"));
  EXPECT_EQ(index.find(hash_of("a"), "a")->key, "a");
  EXPECT_EQ(index.find(hash_of("b"), "b"), nullptr);
  EXPECT_EQ(index.size(), 1U);
}

TEST(ItemIndex, agrees_with_a_map_while_it_grows_and_shrinks) {
  ItemIndex index;
  std::map<std::string, Item*> model;
  Random random{7};
  for (int step = 0; step < 200'000; ++step) {
    // Up to some ten thousand items, then down to none, and again.
    const bool growing = step / 50'000 % 2 == 0;
    const std::string key = name(random.below(20'000));
    const auto known = model.find(key);
    ASSERT_EQ(index.find(hash_of(key), key), known == model.end() ? nullptr : known->second);
    if (known == model.end() && (growing || random.below(8) == 0)) {
      auto made = item(key);
      model[key] = made.get();
      index.insert(std::move(made));
    } else if (known != model.end() && (!growing || random.below(8) == 0)) {
      EXPECT_EQ(index.extract(*known->second)->key, key);
      model.erase(known);
    }
    ASSERT_EQ(index.size(), model.size());
  }
}

TEST(ItemIndex, items_of_one_hash_live_together) {
  ItemIndex index;
  for (int i = 0; i < 1000; ++i) {
    auto made = item(name(static_cast<std::uint64_t>(i)));
    made->hash = 42;
    index.insert(std::move(made));
  }
  for (int i = 0; i < 1000; ++i) {
    const std::string key = name(static_cast<std::uint64_t>(i));
    ASSERT_EQ(index.find(42, key)->key, key);
  }
  // They are never torn apart by a scan: the first call gives all of them.
  std::vector<Item*> items;
  EXPECT_EQ(index.collect(0, 10, items), 0U);
  EXPECT_EQ(items.size(), 1000U);
}

TEST(ItemIndex, a_scan_sees_each_lasting_item_exactly_once_whatever_comes_and_goes) {
  ItemIndex index;
  for (std::uint64_t i = 0; i < 5'000; ++i) index.insert(item("stays:" + std::to_string(i)));
  std::map<std::string, int> seen;
  std::uint64_t cursor = 0;
  std::uint64_t more = 0;
  do {
    std::vector<Item*> items;
    cursor = index.collect(cursor, 20, items);
    EXPECT_LT(cursor, std::uint64_t{1} << 48);
    for (const Item* found : items) ++seen[found->key];
    for (int i = 0; i < 60; ++i) index.insert(item("new:" + std::to_string(more++)));
  } while (cursor != 0);
  for (std::uint64_t i = 0; i < 5'000; ++i) ASSERT_EQ(seen["stays:" + std::to_string(i)], 1);
}

TEST(ItemIndex, a_scan_goes_on_over_an_index_that_shrinks) {
  ItemIndex index;
  std::map<std::string, Item*> model;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    auto made = item(name(i));
    model[made->key] = made.get();
    index.insert(std::move(made));
  }
  std::map<std::string, int> seen;
  std::uint64_t cursor = 0;
  std::uint64_t next_gone = 100;  // the first hundred stay
  do {
    std::vector<Item*> items;
    cursor = index.collect(cursor, 10, items);
    for (const Item* found : items) ++seen[found->key];
    for (int i = 0; i < 40 && next_gone < 20'000; ++i) index.extract(*model[name(next_gone++)]);
  } while (cursor != 0);
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(seen[name(i)], 1) << i;
}

TEST(ItemIndex, any_item_may_be_drawn_at_random) {
  ItemIndex index;
  Random random{1};
  EXPECT_EQ(index.random(random), nullptr);
  for (std::uint64_t i = 0; i < 5; ++i) index.insert(item(name(i)));
  std::set<std::string> drawn;
  for (int i = 0; i < 1000; ++i) drawn.insert(index.random(random)->key);
  EXPECT_EQ(drawn.size(), 5U);
}

}  // namespace

}  // namespace fencepost::state
