// Fields against plain models, through growth and shrinking; scans of a table that changes.
#include "state/field_table.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace fencepost::state {

namespace {

using Table = FieldTable<std::string>;
using Members = FieldTable<Nothing>;

std::string name(std::uint64_t number) {
  return "f" + std::to_string(number);
}

template <typename T>
std::vector<std::string> fields_of(const FieldTable<T>& table) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at < table.size(); ++at) fields.push_back(table.at(at).field);
  return fields;
}

TEST(FieldTable, an_empty_one_has_nothing) {
  Table table{1};
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.find(""), nullptr);
  EXPECT_FALSE(table.erase("a"));
  EXPECT_EQ(table.scan(0, 10, [](const auto&) { FAIL(); }), 0U);
}

TEST(FieldTable, finds_changes_and_erases_by_field) {
  Table table{1};
  EXPECT_TRUE(table.insert("colour", "red").is_new);
  const auto again = table.insert("colour", "blue");
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.value, "red");
  again.value = "green";
  EXPECT_EQ(*table.find("colour"), "green");
  EXPECT_EQ(table.find("Colour"), nullptr);
  EXPECT_TRUE(table.erase("colour"));
  EXPECT_FALSE(table.erase("colour"));
  EXPECT_TRUE(table.empty());
}

TEST(FieldTable, fields_are_any_bytes) {
  Members table{1};
  const std::string zeros(3, '\0');
  EXPECT_TRUE(table.insert("").is_new);
  EXPECT_TRUE(table.insert(zeros).is_new);
  EXPECT_TRUE(table.contains(""));
  EXPECT_TRUE(table.contains(zeros));
  EXPECT_FALSE(table.contains(zeros.substr(1)));
}

TEST(FieldTable, a_copy_shares_nothing) {
  Table table{1};
  for (std::uint64_t i = 0; i < 100; ++i) table.insert(name(i), name(i));
  Table copy = table;
  *copy.find("f7") = "other";
  copy.erase("f8");
  EXPECT_EQ(*table.find("f7"), "f7");
  EXPECT_TRUE(table.contains("f8"));
  EXPECT_EQ(copy.size(), 99U);
  EXPECT_EQ(*copy.find("f99"), "f99");
}

TEST(FieldTable, what_it_takes_grows_with_what_is_in_it) {
  Table table{1};
  const std::size_t nothing = table.memory_bytes();
  table.insert("f", std::string(1000, 'x'));
  EXPECT_GT(table.memory_bytes(), nothing + 1000);
  EXPECT_LT(table.memory_bytes(), nothing + 1200);
  for (std::uint64_t i = 0; i < 100'000; ++i) table.insert(name(i));
  // 64 bytes of texts, 8 of the place, 4 of the bucket, and at most as much again of spare room.
  EXPECT_LT(table.memory_bytes(), 100'000 * 2 * 80U);
  while (!table.empty()) table.erase_at(table.size() - 1);
  EXPECT_LT(table.memory_bytes(), nothing + 1000);
}

// A member alone takes its text, its place, its bucket.
TEST(FieldTable, nothing_takes_no_room) {
  EXPECT_EQ(sizeof(Members::Entry), sizeof(std::string));
}

TEST(FieldTable, fields_of_one_hash_live_together) {
  FieldIndex index{1};
  for (int i = 0; i < 100; ++i) index.append(42);
  for (std::uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(index.find(42, [i](std::size_t at) { return at == i; }), i);
  for (std::size_t left = 100; left > 0; --left) index.erase_by_last(left / 2);
  EXPECT_EQ(index.size(), 0U);
}

TEST(FieldTable, agrees_with_a_set_while_it_grows_and_shrinks) {
  Members table{3};
  table.forget_order();
  std::unordered_set<std::string> model;
  Random random{7};
  for (int step = 0; step < 400'000; ++step) {
    // Up to some ten thousand entries, then down to none, and again.
    const bool growing = step / 100'000 % 2 == 0;
    const std::string field = name(random.below(20'000));
    ASSERT_EQ(table.contains(field), model.contains(field));
    if (growing == (random.below(8) != 0)) {
      ASSERT_EQ(table.insert(field).is_new, model.insert(field).second);
    } else {
      ASSERT_EQ(table.erase(field), model.erase(field) == 1);
    }
    ASSERT_EQ(table.size(), model.size());
  }
}

// A step of a random life: insert or erase one of some fields.
struct Change {
  bool insert;
  std::uint64_t field;
};

rc::Gen<std::vector<Change>> changes(std::uint64_t fields) {
  return rc::gen::container<std::vector<Change>>(
      rc::gen::construct<Change>(rc::gen::weightedElement<bool>({{3, true}, {2, false}}),
                                 rc::gen::inRange<std::uint64_t>(0, fields)));
}

RC_GTEST_PROP(FieldTable, keeps_the_order_of_insertion, ()) {
  Table table{1};
  std::vector<std::string> model;
  for (const Change& change : *changes(40)) {
    const std::string field = name(change.field);
    const auto known = std::find(model.begin(), model.end(), field);
    if (change.insert) {
      RC_ASSERT(table.insert(field, field).is_new == (known == model.end()));
      if (known == model.end()) model.push_back(field);
    } else {
      RC_ASSERT(table.erase(field) == (known != model.end()));
      if (known != model.end()) model.erase(known);
    }
    RC_ASSERT(fields_of(table) == model);
    for (const std::string& each : model) RC_ASSERT(*table.find(each) == each);
  }
}

RC_GTEST_PROP(FieldTable, without_order_it_has_the_same_fields, ()) {
  Table table{1};
  std::set<std::string> model;
  const std::size_t forget_at = *rc::gen::inRange<std::size_t>(0, 60);
  std::size_t step = 0;
  for (const Change& change : *changes(60)) {
    if (step++ == forget_at) table.forget_order();
    const std::string field = name(change.field);
    if (change.insert) {
      RC_ASSERT(table.insert(field, field).is_new == model.insert(field).second);
    } else {
      RC_ASSERT(table.erase(field) == (model.erase(field) == 1));
    }
    auto fields = fields_of(table);
    std::sort(fields.begin(), fields.end());
    RC_ASSERT(std::equal(fields.begin(), fields.end(), model.begin(), model.end()));
    for (const std::string& each : model) RC_ASSERT(*table.find(each) == each);
  }
}

// Between two calls of a scan anything may happen to the table but for the fields that stay: those
// are all seen, and the scan comes to an end.
RC_GTEST_PROP(FieldTable, a_scan_sees_whatever_stays, ()) {
  Members table{1};
  std::set<std::string> staying;
  const auto size = *rc::gen::inRange<std::uint64_t>(0, 60);
  for (std::uint64_t i = 0; i < size; ++i) {
    table.insert(name(i));
    if (i % 3 == 0) staying.insert(name(i));
  }
  if (*rc::gen::arbitrary<bool>()) table.forget_order();
  const auto life = *changes(90);
  const auto at_a_time = *rc::gen::inRange<std::size_t>(1, 6);
  auto change = life.begin();
  std::set<std::string> seen;
  std::uint64_t cursor = 0;
  do {
    cursor =
        table.scan(cursor, at_a_time, [&seen](const auto& entry) { seen.insert(entry.field); });
    for (std::size_t i = 0; i < at_a_time && change != life.end(); ++i, ++change) {
      const std::string field = name(change->field);
      if (change->insert) {
        table.insert(field);
      } else if (!staying.contains(field)) {
        table.erase(field);
      }
    }
  } while (cursor != 0);
  RC_ASSERT(std::includes(seen.begin(), seen.end(), staying.begin(), staying.end()));
}

// Cursors that nobody was given are taken for the beginning, or for what they would mean.
TEST(FieldTable, any_cursor_will_do) {
  Members table{1};
  for (std::uint64_t i = 0; i < 20; ++i) table.insert(name(i));
  std::size_t seen = 0;
  const auto count = [&seen](const auto&) { ++seen; };
  EXPECT_EQ(table.scan(~std::uint64_t{0}, 5, count), 15U);
  EXPECT_EQ(table.scan(3, 5, count), 0U);
  EXPECT_EQ(seen, 8U);
}

}  // namespace

}  // namespace fencepost::state
