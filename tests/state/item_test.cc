// An item is one block of memory: names and texts of every length come back as they went in.
#include "state/item.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "state/list.h"

namespace fencepost::state {

namespace {

std::string some(std::size_t size, char first) {
  std::string bytes(size, first);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<char>(first + static_cast<char>(i % 7));
  return bytes;
}

TEST(Item, has_a_name_and_a_text_of_any_length) {
  for (const std::size_t key_size : {0UL, 1UL, 7UL, 26UL, 255UL, 65'534UL, 65'535UL, 65'536UL}) {
    for (const std::size_t text_size :
         {0UL, 1UL, 8UL, 32UL, 63UL, 64UL, 65UL, 255UL, 256UL, 9999UL}) {
      const std::string key = some(key_size, 'a');
      const std::string text = some(text_size, 'A');
      const auto item = Item::with_text(key, text);
      ASSERT_EQ(item->key(), key);
      ASSERT_EQ(item->text(), text);
      ASSERT_EQ(item->type(), Type::string);
      ASSERT_GE(item->memory_bytes(), key_size + text_size);
    }
  }
}

TEST(Item, takes_the_emptiest_of_texts) {
  const auto item = Item::with_text({}, {});
  item->set_text({});
  EXPECT_EQ(item->key(), "");
  EXPECT_EQ(item->text(), "");
}

TEST(Item, takes_one_text_after_another) {
  Random random{5};
  const auto item = Item::with_text("door", "x");
  std::string expected = "x";
  for (int step = 0; step < 20'000; ++step) {
    const std::string text = some(random.below(120), static_cast<char>('a' + random.below(20)));
    if (random.below(2) == 0) {
      item->set_text(text);
      expected = text;
    } else {
      item->edit_text([&text](std::string& now) { now.erase(0, now.size() / 2).append(text); });
      expected.erase(0, expected.size() / 2).append(text);
    }
    ASSERT_EQ(item->text(), expected);
    ASSERT_EQ(item->key(), "door");
  }
}

TEST(Item, keeps_its_terms_until_it_has_another_text) {
  const auto item = Item::with_text("door", "alice");
  EXPECT_EQ(item->terms(), nullptr);
  item->set_terms(std::make_unique<HoldTerms>(HoldTerms{.grace = Duration{5}, .meta = "m"}));
  ASSERT_NE(item->terms(), nullptr);
  EXPECT_EQ(item->terms()->meta, "m");
  EXPECT_EQ(item->text(), "alice");
  item->edit_text([](std::string& text) { text += '!'; });
  EXPECT_EQ(item->text(), "alice!");
  EXPECT_EQ(item->terms()->grace, Duration{5});
  item->set_text("bob");
  EXPECT_EQ(item->terms(), nullptr);
  EXPECT_EQ(item->text(), "bob");
  item->set_terms(nullptr);
  EXPECT_EQ(item->terms(), nullptr);
}

TEST(Item, gives_its_value_away_and_takes_another_of_any_kind) {
  const auto item = Item::with_value("k", std::make_unique<SharedLock>(Mode::limit, 2));
  ASSERT_TRUE(item->is_lock());
  item->lock().grant("alice", 1, kNever);
  Value lock = item->take_value();
  EXPECT_EQ(item->text(), "");
  EXPECT_EQ(std::get<std::unique_ptr<SharedLock>>(lock)->size(), 1U);
  item->set_value(std::make_unique<List>());
  EXPECT_EQ(item->type(), Type::list);
  EXPECT_TRUE(item->is_collection());
  item->set_value(std::move(lock));
  EXPECT_TRUE(item->is_lock());
  item->set_text("short");
  EXPECT_EQ(std::get<std::string>(item->take_value()), "short");
  item->set_text(some(1000, 'a'));
  EXPECT_EQ(std::get<std::string>(item->take_value()), some(1000, 'a'));
  EXPECT_EQ(item->key(), "k");
}

TEST(Item, tells_whole_seconds_of_its_last_use_and_never_wraps_round) {
  const auto item = Item::with_text("a", "b");
  item->set_last_used(Instant{Duration{1'700'000'000'999}});
  EXPECT_EQ(item->last_used(), Instant{Duration{1'700'000'000'000}});
  item->set_last_used(Instant{Duration{-1}});
  EXPECT_EQ(item->last_used(), Instant{});
  item->set_last_used(kNever);
  EXPECT_EQ(item->last_used(), Instant{std::chrono::seconds{UINT32_MAX}});
}

TEST(Item, a_lock_of_ordinary_size_takes_little) {
  const auto item = Item::with_text("lock:resource:000000000001", some(32, 'a'));
  EXPECT_LE(item->memory_bytes(), 112U);
}

}  // namespace

}  // namespace fencepost::state
