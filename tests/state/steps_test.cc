// What became of a large value, written down as steps: they lead another state to where this one
// is, and are no longer than what happened.
#include "state/steps.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "state/hash.h"
#include "state/image.h"
#include "state/list.h"
#include "state/set.h"
#include "state/sorted_set.h"
#include "state/stream.h"

namespace fencepost::state {
namespace {

constexpr std::size_t kMany = 1'000'000;

std::string text_of(Random& random) {
  const std::string digits = std::to_string(random.below(40));
  return random.below(4) == 0 ? std::string(random.below(80), 'x') + digits : digits;
}

// One thing done to a value of that type. The types are noted by whoever changes them.
void change(Hash& hash, Random& random) {
  if (random.below(3) == 0) {
    hash.erase(text_of(random));
  } else {
    hash.set(text_of(random), text_of(random), {.fields = 30, .bytes = 70});
  }
}

void change(Set& set, Random& random) {
  switch (random.below(6)) {
    case 0:
      set.erase(text_of(random));
      break;
    case 1:
      if (set.size() > 4) set.erase_at({0, 2, set.size() - 1});
      break;
    default:
      set.add(random.below(30) == 0 ? text_of(random) : std::to_string(random.below(200)), 60);
  }
}

void change(SortedSet& set, Random& random) {
  const std::string member = text_of(random);
  const auto at = set.find(member);
  const double score = random.below(5) == 0 ? -0.0 : static_cast<double>(random.below(90)) / 7;
  if (at == SortedSet::kNowhere) {
    set.add(member, score, {.members = 30, .member_bytes = 70});
  } else if (random.below(3) == 0) {
    set.erase(at);
  } else {
    set.set_score(at, score);
  }
}

void change(List& list, Random& random) {
  const auto end = random.below(2) == 0 ? List::End::front : List::End::back;
  const auto side = random.below(2) == 0 ? List::Side::before : List::Side::after;
  switch (random.below(10)) {
    case 0:
      if (list.size() > 1) list.pop(end);
      break;
    case 1:
      list.drop(end, random.below(list.size()));
      break;
    case 2:
      list.set(random.below(list.size()), text_of(random));
      break;
    case 3:
      list.insert(side, text_of(random), text_of(random));
      break;
    case 4:
      list.remove(text_of(random), end, 1 + random.below(3));
      if (list.size() == 0) list.push(end, "again");
      break;
    case 5:
      list.keep(random.below(2), list.size() - 1);
      if (list.size() == 0) list.push(end, "again");
      break;
    default:
      list.push(end, text_of(random));
  }
}

void change(Stream& stream, Random& random) {
  const StreamId last = stream.last_id();
  const std::vector<std::string> texts{text_of(random), text_of(random)};
  const std::vector<std::string_view> fields{texts.begin(), texts.end()};
  switch (random.below(8)) {
    case 0:
      stream.remove({1 + random.below(last.ms + 1), 0});
      break;
    case 1:
      stream.trim({.most = stream.size() - random.below(3), .whole_nodes = random.below(2) == 0});
      break;
    case 2:
      stream.trim(
          {.most = std::nullopt, .from = {last.ms - std::min<std::uint64_t>(last.ms, 30), 0}});
      break;
    case 3:
      stream.set_last_id({last.ms + 1, 7});
      stream.set_added_count(stream.added_count() + 3);
      stream.set_greatest_removed_id({last.ms, 0});
      break;
    default:
      stream.add({last.ms + 1, 0}, fields, {.bytes = 300, .entries = 7});
  }
}

// A state that keeps a journal, and one that is made of what it holds.
class StepsTest : public testing::Test {
 protected:
  StepsTest() {
    state.advance(Instant{Duration{1000}});
    state.changed_keys().begin(/*floor=*/0, /*small=*/0);
  }

  Item* find(std::string_view key) { return state.keys().find(0, key); }
  void put(std::string_view key, Value value) {
    state.keys().put_value(state.keys().look(0, key), std::move(value), kNever);
  }
  // The bytes that tell of what changed since the last turn.
  std::size_t turn() {
    std::string batch;
    if (!append_changes(batch, state)) return 0;
    const auto done = restore(other, batch);
    EXPECT_TRUE(done) << done.error().what;
    return batch.size();
  }
  // What is remembered of a key that is gone may differ: a counter that was dropped is below the
  // floor.
  void expect_same(std::string_view key) {
    if (find(key) == nullptr) {
      EXPECT_EQ(other.keys().peek(0, key), nullptr) << key;
      return;
    }
    std::string here;
    std::string there;
    append_image(here, state, 0, key);
    append_image(there, other, 0, key);
    EXPECT_EQ(here, there) << key;
  }

  // A long life of a value under one of two names, with whatever may happen to names.
  template <typename T>
  void live(const std::function<std::unique_ptr<T>()>& make) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random{seed};
      put("key", Value{make()});
      for (int i = 0; i < 400 && !HasFailure(); ++i) {
        Item* item = find("key");
        if (item == nullptr) {
          put("key", Value{make()});
          item = find("key");
        }
        change(static_cast<T&>(item->collection()), random);
        state.keys().touched(*item);
        const bool empty = item->collection().size() == 0;
        if (empty && item->type() != Type::stream) state.keys().erase(*item);
        disturb(random);
        if (random.below(3) != 0) continue;
        turn();
        for (const char* key : {"key", "away", "copy"}) expect_same(key);
      }
    }
  }

  void disturb(Random& random) {
    Item* item = find("key");
    switch (random.below(60)) {
      case 0:
        state.changed_keys().begin_picture();
        break;
      case 1:
        if (item != nullptr) state.keys().move(*item, 0, "away");
        break;
      case 2:
        if (Item* away = find("away")) state.keys().move(*away, 0, "key");
        break;
      case 3:
        if (item != nullptr) put("copy", Value{item->collection().clone()});
        break;
      case 4:
        state.keys().swap(0, 1);
        state.keys().swap(0, 1);
        break;
      case 5:
        if (item != nullptr) state.keys().set_deadline(*item, Instant{Duration{99'000}});
        break;
      default:
        break;
    }
  }

  State state{1};
  State other{2};
};

TEST_F(StepsTest, OfAHash) {
  live<Hash>([] {
    auto hash = std::make_unique<Hash>(3);
    hash->set("first", "value", {.fields = kMany, .bytes = kMany});
    return hash;
  });
}

TEST_F(StepsTest, OfASet) {
  live<Set>([] {
    auto set = std::make_unique<Set>(3);
    set->add("1", kMany);
    return set;
  });
}

TEST_F(StepsTest, OfASortedSet) {
  live<SortedSet>([] {
    auto set = std::make_unique<SortedSet>(3);
    set->add("first", 1, {});
    return set;
  });
}

TEST_F(StepsTest, OfAList) {
  live<List>([] {
    auto list = std::make_unique<List>();
    list->push(List::End::back, "first");
    return list;
  });
}

TEST_F(StepsTest, OfAStream) {
  live<Stream>([] { return std::make_unique<Stream>(); });
}

TEST_F(StepsTest, AnElementMoreOfAThousandIsToldAsOne) {
  auto list = std::make_unique<List>();
  auto hash = std::make_unique<Hash>(1);
  for (int i = 0; i < 1000; ++i) {
    list->push(List::End::back, "element");
    hash->set(std::to_string(i), "value", {.fields = kMany, .bytes = kMany});
  }
  put("list", Value{std::move(list)});
  put("hash", Value{std::move(hash)});
  EXPECT_GT(turn(), 16'000U) << "first all of it";
  static_cast<List&>(find("list")->collection()).push(List::End::front, "one more");
  state.keys().touched(*find("list"));
  EXPECT_LT(turn(), 64U);
  static_cast<Hash&>(find("hash")->collection()).erase("7");
  state.keys().touched(*find("hash"));
  EXPECT_LT(turn(), 64U);
  state.keys().move(*find("list"), 0, "elsewhere");
  EXPECT_GT(turn(), 8'000U) << "under that name nobody was told of it";
  for (const char* key : {"list", "hash", "elsewhere"}) expect_same(key);
}

// What is drawn meanwhile may have the outcome of a step already, which would then be done twice.
TEST_F(StepsTest, APictureThatIsBegunIsFollowedByTheWhole) {
  auto list = std::make_unique<List>();
  for (int i = 0; i < 100; ++i) list->push(List::End::back, "element");
  put("list", Value{std::move(list)});
  turn();
  state.changed_keys().begin_picture();
  const auto push = [this] {
    static_cast<List&>(find("list")->collection()).push(List::End::front, "one more");
    state.keys().touched(*find("list"));
    return turn();
  };
  EXPECT_GT(push(), 800U);
  EXPECT_LT(push(), 64U);
  expect_same("list");
}

TEST_F(StepsTest, NoMoreIsToldThanTheValueHas) {
  auto list = std::make_unique<List>();
  for (int i = 0; i < 10; ++i) list->push(List::End::back, "element");
  put("list", Value{std::move(list)});
  const std::size_t whole = turn();
  auto& held = static_cast<List&>(find("list")->collection());
  for (int i = 0; i < 1000; ++i) {
    held.push(List::End::front, "element");
    held.pop(List::End::back);
  }
  state.keys().touched(*find("list"));
  EXPECT_EQ(turn(), whole);
  expect_same("list");
}

TEST_F(StepsTest, OneHoldMoreOfAThousandIsToldAsOne) {
  const std::string_view keys[] = {"pool"};
  const auto lock = [&](const std::string& owner) {
    LockAsk ask{.keys = keys, .owner = owner, .mode = Mode::limit, .limit = 5000, .meta = {}};
    ask.lease = Duration{60'000};
    ask.client = ClientId{7};
    state.locks().acquire(ask);
  };
  for (int i = 0; i < 1000; ++i) lock("owner" + std::to_string(i));
  EXPECT_GT(turn(), 15'000U);
  lock("one more");
  EXPECT_LT(turn(), 100U);
  lock("owner7");
  EXPECT_LT(turn(), 100U) << "renewed";
  state.locks().release(0, keys, "owner8");
  EXPECT_LT(turn(), 100U);
  expect_same("pool");
  EXPECT_EQ(other.locks().release(0, keys, "owner8"), 1) << "a repeated UNLOCK still counts";
  for (int i = 100; i < 1000; ++i) {
    state.locks().release(0, keys, "owner" + std::to_string(i));
    EXPECT_LT(turn(), 100U);
  }
  expect_same("pool");
}

TEST_F(StepsTest, StepsOfWhatIsNotThereAreDamage) {
  auto list = std::make_unique<List>();
  for (int i = 0; i < 100; ++i) list->push(List::End::back, "element");
  put("list", Value{std::move(list)});
  put("text", Value{std::string{"text"}});
  turn();
  static_cast<List&>(find("list")->collection()).drop(List::End::back, 60);
  state.keys().touched(*find("list"));
  std::string batch;
  ASSERT_TRUE(append_changes(batch, state));
  State empty{3};
  EXPECT_FALSE(restore(empty, batch)) << "there is no such list";
  EXPECT_TRUE(restore_whole(other, batch));
  std::string before;
  append_image(before, other, 0, "list");
  EXPECT_FALSE(restore_whole(other, batch)) << "there are no sixty any more";
  std::string after;
  append_image(after, other, 0, "list");
  EXPECT_EQ(before, after) << "all of it or nothing";
}

}  // namespace
}  // namespace fencepost::state
