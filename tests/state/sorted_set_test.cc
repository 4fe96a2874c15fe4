// Sorted sets against a plain model: scores, ranks and ranges through growth and shrinking.
#include "state/sorted_set.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace fencepost::state {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Between {
  double min;
  double max;
  bool below(const ScoredMember& one) const { return one.score < min; }
  bool above(const ScoredMember& one) const { return one.score > max; }
};

struct Names {
  std::string_view min;
  std::string_view max;
  bool below(const ScoredMember& one) const { return one.member < min; }
  bool above(const ScoredMember& one) const { return one.member > max; }
};

// By score, then by name: what a std::set makes of pairs.
struct Model {
  std::map<std::string, double> scores;
  std::set<std::pair<double, std::string>> order;

  void put(const std::string& member, double score) {
    erase(member);
    scores[member] = score;
    order.emplace(score, member);
  }
  bool erase(const std::string& member) {
    const auto known = scores.find(member);
    if (known == scores.end()) return false;
    order.erase({known->second, member});
    scores.erase(known);
    return true;
  }
};

void put(SortedSet& set, std::string_view member, double score,
         const SortedSet::Compact& compact = {}) {
  const auto at = set.find(member);
  if (at == SortedSet::kNowhere) {
    set.add(member, score, compact);
  } else {
    set.set_score(at, score);
  }
}

std::vector<std::string> members_of(const SortedSet& set, std::size_t skip = 0,
                                    Direction direction = Direction::up) {
  std::vector<std::string> members;
  set.visit(skip, direction, [&members](const ScoredMember& one) {
    members.emplace_back(one.member);
    return true;
  });
  return members;
}

TEST(SortedSet, is_in_the_order_of_scores_and_then_of_bytes) {
  SortedSet set{1};
  put(set, "b", 1);
  put(set, "high", kInfinity);
  put(set, "a", 1);
  put(set, "low", -kInfinity);
  put(set, "\xff", 1);
  put(set, "", 1);
  EXPECT_EQ(members_of(set), (std::vector<std::string>{"low", "", "a", "b", "\xff", "high"}));
  put(set, "low", 2);
  EXPECT_EQ(members_of(set), (std::vector<std::string>{"", "a", "b", "\xff", "low", "high"}));
  EXPECT_EQ(set.element(set.find("low")).score, 2);
  EXPECT_EQ(set.find("medium"), SortedSet::kNowhere);
}

TEST(SortedSet, an_empty_one_has_nothing_in_any_range) {
  const SortedSet set{1};
  EXPECT_EQ(set.first_in(Between{-kInfinity, kInfinity}, Direction::up), std::nullopt);
  EXPECT_EQ(set.count_in(Between{-kInfinity, kInfinity}), 0U);
  EXPECT_TRUE(members_of(set).empty());
}

TEST(SortedSet, outgrows_what_is_small_by_number_or_by_length) {
  const SortedSet::Compact compact{.members = 2, .member_bytes = 3};
  SortedSet set{1};
  put(set, "a", 1, compact);
  put(set, "abc", 1, compact);
  EXPECT_EQ(set.encoding(), "listpack");
  put(set, "b", 1, compact);
  EXPECT_EQ(set.encoding(), "skiplist");
  set.erase(set.find("b"));
  EXPECT_EQ(set.encoding(), "skiplist") << "it does not go back";
  SortedSet other{1};
  put(other, "abcd", 1, compact);
  EXPECT_EQ(other.encoding(), "skiplist");
  other.settle(compact);
  EXPECT_EQ(other.encoding(), "skiplist");
  other.erase(other.find("abcd"));
  put(other, "d", -0.0, compact);
  EXPECT_TRUE(std::signbit(other.element(other.find("d")).score));
  other.settle(compact);
  EXPECT_EQ(other.encoding(), "listpack");
  EXPECT_FALSE(std::signbit(other.element(other.find("d")).score)) << "small ones have no -0";
}

TEST(SortedSet, a_copy_shares_nothing) {
  SortedSet set{1};
  for (int i = 0; i < 300; ++i) put(set, "m" + std::to_string(i), i % 7);
  const auto copy = set.clone();
  auto& copied = static_cast<SortedSet&>(*copy);
  EXPECT_EQ(members_of(copied), members_of(set));
  copied.erase(copied.find("m5"));
  copied.set_score(copied.find("m6"), 100);
  EXPECT_EQ(set.size(), 300U);
  EXPECT_EQ(set.element(set.find("m6")).score, 6);
  EXPECT_EQ(copied.rank_of(copied.find("m6")), 298U);
  EXPECT_EQ(copied.encoding(), "skiplist");
}

TEST(SortedSet, tells_all_there_is_to_know) {
  SortedSet set{1};
  put(set, "a", 0.1);
  put(set, "b", -kInfinity);
  std::vector<std::string> parts;
  set.for_each([&parts](std::span<const std::string_view> each) {
    parts.insert(parts.end(), each.begin(), each.end());
  });
  EXPECT_EQ(parts, (std::vector<std::string>{"b", "-inf", "a", "0.10000000000000001"}));
}

TEST(SortedSet, what_it_takes_grows_with_what_is_in_it) {
  SortedSet set{1};
  const std::size_t nothing = set.memory_bytes();
  for (int i = 0; i < 100'000; ++i) put(set, "m" + std::to_string(i), i);
  EXPECT_GT(set.memory_bytes(), nothing + 100'000 * 56U);
  EXPECT_LT(set.memory_bytes(), nothing + 100'000 * 2 * 72U);
}

// However it came about, nothing is deep in the tree: else this would take minutes.
TEST(SortedSet, stays_quick_when_scores_come_in_order) {
  SortedSet set{1};
  for (int i = 0; i < 200'000; ++i) set.add("m" + std::to_string(i), i, {});
  for (int i = 0; i < 200'000; i += 1000) {
    ASSERT_EQ(set.rank_of(set.find("m" + std::to_string(i))), static_cast<std::size_t>(i));
  }
  for (int i = 0; i < 199'000; ++i) set.erase(set.nth(0));
  EXPECT_EQ(set.element(set.nth(0)).member, "m199000");
  EXPECT_EQ(set.rank_of(set.find("m199999")), 999U);
}

TEST(SortedSet, agrees_with_a_set_while_it_grows_and_shrinks) {
  SortedSet set{3};
  Model model;
  Random random{7};
  for (int step = 0; step < 200'000; ++step) {
    const bool growing = step / 50'000 % 2 == 0;
    const std::string member = "m" + std::to_string(random.below(10'000));
    if (growing == (random.below(8) != 0)) {
      const auto score = static_cast<double>(random.below(500));
      put(set, member, score);
      model.put(member, score);
    } else if (model.erase(member)) {
      set.erase(set.find(member));
    }
    ASSERT_EQ(set.size(), model.scores.size());
    if (step % 5'000 != 0) continue;
    std::size_t rank = 0;
    for (const auto& [score, name] : model.order) {
      const auto at = set.find(name);
      ASSERT_EQ(set.element(at).score, score);
      ASSERT_EQ(set.rank_of(at), rank);
      ASSERT_EQ(set.nth(rank), at);
      ++rank;
    }
  }
}

// A step of a random life: a member gets a score, or goes.
struct Change {
  bool puts;
  int member;
  int score;
};

rc::Gen<std::vector<Change>> changes() {
  return rc::gen::container<std::vector<Change>>(
      rc::gen::construct<Change>(rc::gen::weightedElement<bool>({{3, true}, {2, false}}),
                                 rc::gen::inRange(0, 60), rc::gen::inRange(0, 8)));
}

void live(SortedSet& set, Model& model, const std::vector<Change>& life,
          const SortedSet::Compact& compact) {
  for (const Change& change : life) {
    const std::string member = "m" + std::to_string(change.member);
    if (change.puts) {
      put(set, member, change.score, compact);
      model.put(member, change.score);
    } else if (model.erase(member)) {
      set.erase(set.find(member));
    }
  }
}

RC_GTEST_PROP(SortedSet, has_every_member_at_its_rank, ()) {
  SortedSet set{1};
  Model model;
  live(set, model, *changes(), {.members = *rc::gen::inRange<std::size_t>(0, 40)});
  std::vector<std::string> expected;
  for (const auto& [score, name] : model.order) expected.push_back(name);
  RC_ASSERT(members_of(set) == expected);
  const auto skip = *rc::gen::inRange<std::size_t>(0, 70);
  RC_ASSERT(members_of(set, skip) ==
            std::vector<std::string>(
                expected.begin() + static_cast<std::ptrdiff_t>(std::min(skip, expected.size())),
                expected.end()));
  RC_ASSERT(members_of(set, skip, Direction::down) ==
            std::vector<std::string>(
                expected.rbegin() + static_cast<std::ptrdiff_t>(std::min(skip, expected.size())),
                expected.rend()));
  for (std::size_t rank = 0; rank < expected.size(); ++rank) {
    RC_ASSERT(set.element(set.nth(rank)).member == expected[rank]);
    RC_ASSERT(set.rank_of(set.find(expected[rank])) == rank);
  }
}

RC_GTEST_PROP(SortedSet, finds_ranges_of_scores_from_either_end, ()) {
  SortedSet set{1};
  Model model;
  live(set, model, *changes(), {.members = *rc::gen::inRange<std::size_t>(0, 40)});
  const Between range{static_cast<double>(*rc::gen::inRange(-1, 9)),
                      static_cast<double>(*rc::gen::inRange(-1, 9))};
  std::size_t below = 0;
  std::size_t within = 0;
  for (const auto& [score, name] : model.order) {
    if (score < range.min) ++below;
    if (score >= range.min && score <= range.max) ++within;
  }
  using Skip = std::optional<std::size_t>;
  RC_ASSERT(set.count_in(range) == within);
  RC_ASSERT(set.first_in(range, Direction::up) == (within > 0 ? Skip{below} : std::nullopt));
  RC_ASSERT(set.first_in(range, Direction::down) ==
            (within > 0 ? Skip{set.size() - below - within} : std::nullopt));
}

// As Redis walks along a small one: from the first that is not below up to the first that is above.
TEST(SortedSet, looks_through_a_small_one_whose_members_are_in_no_order) {
  SortedSet set{1};
  put(set, "b", 1);
  put(set, "z", 2);
  put(set, "a", 3);
  put(set, "c", 4);
  EXPECT_EQ(set.first_in(Names{"b", "c"}, Direction::up), 0U);
  EXPECT_EQ(set.count_in(Names{"b", "c"}), 1U);
  EXPECT_EQ(set.first_in(Names{"a", "c"}, Direction::down), 0U);
  EXPECT_EQ(set.first_in(Names{"c", "x"}, Direction::up), std::nullopt) << "z comes first";
  EXPECT_EQ(set.first_in(Names{"d", "z"}, Direction::up), std::nullopt) << "the last is below";
}

TEST(SortedSet, a_scan_sees_a_small_one_whole_and_in_order) {
  SortedSet set{1};
  for (int i = 0; i < 100; ++i) put(set, "m" + std::to_string(i), -i);
  std::vector<double> seen;
  EXPECT_EQ(set.scan(0, 1, [&seen](const ScoredMember& one) { seen.push_back(one.score); }), 0U);
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  put(set, std::string(65, 'x'), 0);
  std::set<std::string, std::less<>> names;
  std::uint64_t cursor = 0;
  int calls = 0;
  do {
    cursor = set.scan(cursor, 10, [&names](const ScoredMember& one) { names.emplace(one.member); });
    ++calls;
  } while (cursor != 0);
  EXPECT_EQ(names.size(), 101U);
  EXPECT_EQ(calls, 11);
}

}  // namespace

}  // namespace fencepost::state
