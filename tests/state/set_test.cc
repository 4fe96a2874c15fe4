// Sets of numbers and of texts, against a std::set.
#include "state/set.h"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::state {

namespace {

constexpr std::size_t kMost = 8;

std::vector<std::string> members_of(const Set& set) {
  std::vector<std::string> members;
  std::string digits;
  for (std::size_t at = 0; at < set.size(); ++at) members.emplace_back(set.at(at, digits));
  return members;
}

TEST(Set, numbers_are_kept_in_order) {
  Set set{1};
  for (const char* number : {"3", "-1", "20", "3"}) set.add(number, kMost);
  EXPECT_EQ(set.encoding(), "intset");
  EXPECT_EQ(members_of(set), (std::vector<std::string>{"-1", "3", "20"}));
  EXPECT_TRUE(set.contains("3"));
  EXPECT_FALSE(set.contains("03"));
  EXPECT_FALSE(set.contains("x"));
}

TEST(Set, a_text_or_too_many_make_it_one_of_texts_for_good) {
  Set set{1};
  set.add("1", kMost);
  set.add("01", kMost);
  EXPECT_EQ(set.encoding(), "hashtable");
  EXPECT_TRUE(set.erase("01"));
  EXPECT_EQ(set.encoding(), "hashtable");
  EXPECT_TRUE(set.contains("1"));

  Set many{1};
  for (int i = 0; i < 8; ++i) many.add(std::to_string(i), kMost);
  EXPECT_EQ(many.encoding(), "intset");
  many.add("8", kMost);
  EXPECT_EQ(many.encoding(), "hashtable");
  EXPECT_EQ(many.size(), 9U);
}

TEST(Set, erases_at_several_positions_at_once) {
  for (const char* more : {"8", "x"}) {
    Set set{1};
    for (int i = 0; i < 8; ++i) set.add(std::to_string(i), 100);
    set.add(more, 100);
    set.erase_at({0, 3, 7, 8});
    auto left = members_of(set);
    std::sort(left.begin(), left.end());
    EXPECT_EQ(left, (std::vector<std::string>{"1", "2", "4", "5", "6"})) << more;
  }
}

TEST(Set, numbers_take_eight_bytes_and_are_given_back) {
  Set set{1};
  for (int i = 0; i < 10'000; ++i) set.add(std::to_string(i), 100'000);
  EXPECT_LT(set.memory_bytes(), 20'000 * sizeof(std::int64_t));
  for (int i = 0; i < 10'000; ++i) set.erase(std::to_string(i));
  EXPECT_LT(set.memory_bytes(), 1000U);
}

RC_GTEST_PROP(Set, agrees_with_a_set_of_strings, ()) {
  Set set{1};
  std::set<std::string> model;
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("0", "1", "2", "-3", "04", "5", "6", "7", "8", "9", "a", ""));
  std::size_t step = 0;
  for (const std::string& word : words) {
    // Two come for one that goes.
    if (++step % 3 == 0) {
      RC_ASSERT(set.erase(word) == (model.erase(word) == 1));
    } else {
      RC_ASSERT(set.add(word, kMost) == model.insert(word).second);
    }
    auto members = members_of(set);
    std::sort(members.begin(), members.end());
    RC_ASSERT(std::equal(members.begin(), members.end(), model.begin(), model.end()));
    RC_ASSERT(set.contains(word) == model.contains(word));
  }
}

}  // namespace

}  // namespace fencepost::state
