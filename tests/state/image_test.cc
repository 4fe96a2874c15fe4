// Keys as bytes and back: what a restart finds.
#include "state/image.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "state/hash.h"
#include "state/list.h"
#include "state/set.h"
#include "state/sorted_set.h"
#include "state/stream.h"

namespace fencepost::state {
namespace {

class ImageTest : public testing::Test {
 protected:
  ImageTest() {
    state.advance(Instant{Duration{1000}});
    state.changed_keys().begin();
  }

  LockAnswer lock(std::string_view key, LockAsk ask) {
    const std::string_view keys[] = {key};
    ask.keys = keys;
    ask.lease = Duration{500};
    ask.client = ClientId{7};
    return state.locks().acquire(ask);
  }
  void set(std::string_view key, std::string_view value, Instant deadline = kNever) {
    state.keys().put(state.keys().look(0, key), value, deadline);
  }
  // A server that starts on what this one wrote down.
  void restart(State& other) {
    std::string batch;
    ASSERT_TRUE(append_changes(batch, state));
    const auto done = restore(other, batch);
    ASSERT_TRUE(done) << done.error().what;
  }

  State state{1};
};

TEST_F(ImageTest, HoldsKeepOwnerFenceAndLease) {
  lock("door", {.keys = {}, .owner = "alice", .meta = "the front one"});
  lock("pool", {.keys = {}, .owner = "a", .mode = Mode::limit, .limit = 3, .meta = {}});
  lock("pool", {.keys = {}, .owner = "b", .mode = Mode::limit, .limit = 3, .meta = {}});
  State other{2};
  restart(other);
  const auto door = other.locks().view(0, "door");
  ASSERT_TRUE(door);
  EXPECT_EQ(door->holders.at(0).owner, "alice");
  EXPECT_EQ(door->holders.at(0).meta, "the front one");
  EXPECT_EQ(door->holders.at(0).ttl, Duration{500});
  EXPECT_EQ(other.locks().view(0, "pool")->limit, 3);
  EXPECT_EQ(other.locks().judge(0, "pool", 2), FenceVerdict::good);
  other.advance(Instant{Duration{1501}});
  EXPECT_FALSE(other.locks().view(0, "door")) << "its lease goes on, and ends";
}

TEST_F(ImageTest, FencesGoOnAfterTheKeyIsGone) {
  const std::string_view keys[] = {"door"};
  for (int i = 0; i < 3; ++i) {
    lock("door", {.keys = {}, .owner = "alice", .meta = {}});
    state.locks().release(0, keys, "alice");
  }
  State other{2};
  restart(other);
  EXPECT_EQ(other.locks().newest_fence(0, "door"), 3U);
  EXPECT_EQ(other.locks().release(0, keys, "alice"), 1) << "a repeated UNLOCK still counts";
}

TEST_F(ImageTest, DroppedCountersStayBelowTheFloor) {
  state.limits().fence_idle_keys = 1;
  state.advance(Instant{Duration{1001}});
  for (const char* key : {"a", "a", "a", "b", "c"}) {
    set(key, "x");
    state.keys().erase(*state.keys().find(0, key));
  }
  EXPECT_EQ(state.keys().fences().floor(), 3U);
  State other{2};
  restart(other);
  set("new", "x");
  EXPECT_EQ(other.keys().fences().floor(), 3U);
  EXPECT_GT(other.keys().put(other.keys().look(0, "a"), "x", kNever).fence, 3U);
}

// A dropped counter may be in the journal still, and nothing but the floor tells that it is gone.
TEST_F(ImageTest, AFloorIsWrittenDownThoughNoKeyChanged) {
  const auto draw = [this](std::string_view key, int times) {
    for (int i = 0; i < times; ++i) {
      set(key, "x");
      state.keys().erase(*state.keys().find(0, key));
    }
  };
  draw("seldom", 1);
  draw("often", 50);
  State other{2};
  restart(other);
  std::string batch;
  EXPECT_FALSE(append_changes(batch, state));
  state.limits().fence_idle_keys = 0;
  state.advance(Instant{Duration{1001}});
  EXPECT_EQ(state.locks().newest_fence(0, "seldom"), 50U);
  restart(other);
  EXPECT_EQ(other.locks().newest_fence(0, "seldom"), 50U) << "it has been told";
  EXPECT_EQ(other.keys().put(other.keys().look(0, "seldom"), "x", kNever).fence, 51U);
  EXPECT_FALSE(append_changes(batch, state)) << "once";
}

TEST_F(ImageTest, AHoldBoundToAConnectionEndsWithTheProcess) {
  lock("bound", {.keys = {}, .owner = "alice", .bind = true, .meta = {}});
  lock("graceful",
       {.keys = {}, .owner = "alice", .grace = Duration{100}, .bind = true, .meta = {}});
  lock("free", {.keys = {}, .owner = "alice", .meta = {}});
  State other{2};
  restart(other);
  other.all_clients_gone();
  EXPECT_FALSE(other.locks().view(0, "bound"));
  EXPECT_TRUE(other.locks().view(0, "graceful")->in_grace);
  EXPECT_TRUE(other.locks().view(0, "free"));
}

// All types, large and small, come back with the same elements and the same encoding.
TEST_F(ImageTest, CollectionsComeBackWhole) {
  const auto put = [this](std::string_view key, std::unique_ptr<Collection> value) {
    state.keys().create(state.keys().look(0, key), Value{std::move(value)});
  };
  for (const std::size_t most : {std::size_t{1000}, std::size_t{2}}) {
    const std::string size = std::to_string(most);
    auto hash = std::make_unique<Hash>(1);
    auto set = std::make_unique<Set>(1);
    auto sorted = std::make_unique<SortedSet>(1);
    auto list = std::make_unique<List>();
    for (int i = 0; i < 300; ++i) {
      const std::string text = std::to_string(i * 7919 % 301);
      hash->set(text, "of " + text, {.fields = most, .bytes = most});
      set->add(text, most);
      if (sorted->find(text) == SortedSet::kNowhere) {
        sorted->add(text, i / 3.0, {.members = most, .member_bytes = most});
      }
      list->push(List::End::back, text);
    }
    put("hash" + size, std::move(hash));
    put("set" + size, std::move(set));
    put("zset" + size, std::move(sorted));
    put("list" + size, std::move(list));
  }
  auto stream = std::make_unique<Stream>();
  for (std::uint64_t i = 1; i < 300; ++i) {
    const std::vector<std::string_view> fields{"field", "value"};
    stream->add({i, i}, fields, {});
  }
  stream->remove({299, 299});
  put("stream", std::move(stream));
  State other{2};
  restart(other);
  EXPECT_EQ(other.keys().size(0), 9U);
  state.keys().for_each(0, [&other](const Item& item) {
    const Item* back = other.keys().peek(0, item.key());
    ASSERT_NE(back, nullptr) << item.key();
    EXPECT_EQ(back->type(), item.type());
    EXPECT_EQ(back->collection().encoding(), item.collection().encoding()) << item.key();
    const auto elements = [](const Collection& collection) {
      std::vector<std::vector<std::string>> all;
      collection.for_each([&all](std::span<const std::string_view> parts) {
        all.emplace_back(parts.begin(), parts.end());
      });
      if (!collection.ordered()) std::sort(all.begin(), all.end());
      return all;
    };
    EXPECT_EQ(elements(back->collection()), elements(item.collection())) << item.key();
  });
}

TEST_F(ImageTest, DamageIsToldFromContent) {
  lock("door", {.keys = {}, .owner = "alice", .grace = Duration{10}, .meta = "m"});
  lock("pool", {.keys = {}, .owner = "a", .mode = Mode::shared, .meta = {}});
  set("text", std::string(300, 'x'), Instant{Duration{9000}});
  set("gone", "x");
  state.keys().erase(*state.keys().find(0, "gone"));
  auto stream = std::make_unique<Stream>();
  const std::vector<std::string_view> fields{"field", "value"};
  stream->add({7, 7}, fields, {});
  state.keys().create(state.keys().look(0, "stream"), Value{std::move(stream)});
  auto sorted = std::make_unique<SortedSet>(1);
  sorted->add("member", 1.5, {});
  state.keys().create(state.keys().look(0, "zset"), Value{std::move(sorted)});
  std::string batch;
  ASSERT_TRUE(append_changes(batch, state));
  for (std::size_t size = 0; size < batch.size(); ++size) {
    State other{2};
    const auto cut = restore(other, std::string_view{batch}.substr(0, size));
    // A batch may end behind any image; nothing but whole images is ever taken.
    if (cut) {
      EXPECT_LT(other.keys().size(0), 5U);
    }
  }
  for (std::size_t at = 0; at < batch.size(); ++at) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string other = batch;
      other[at] = static_cast<char>(other[at] ^ flip);
      State damaged{2};
      static_cast<void>(restore(damaged, other));  // whatever comes of it, nothing breaks
    }
  }
}

// A batch of one key by hand, of which one thing is not as usual.
struct ByHand {
  std::int64_t moment = 1000;
  std::uint64_t floor = 5;
  std::uint64_t fence = 3;
  std::int64_t deadline = 2000;
  std::int64_t since = 1000;
  std::int64_t last_used = 1000;
  std::uint64_t hold_fence = 3;
  std::int64_t grace_ms = 10;

  // The key of one exclusive hold, or of one that is shared.
  std::string batch(bool shared) const {
    std::string bytes;
    ByteWriter writer{bytes};
    writer.signed_number(moment);
    for (const std::uint64_t number : {floor, floor, std::uint64_t{0}}) writer.number(number);
    writer.u8(0);
    writer.text("key");
    writer.u8(shared ? 'l' : 's');
    writer.number(fence);
    for (const std::int64_t at : {deadline, since, last_used}) writer.signed_number(at);
    writer.u8(0);
    if (shared) {
      writer.u8(static_cast<std::uint8_t>(Mode::shared));
      for (int none = 0; none < 2; ++none) writer.number(0);
      writer.number(1);
    }
    writer.text("owner");
    if (shared) {
      writer.number(hold_fence);
      for (const std::int64_t at : {deadline, since}) writer.signed_number(at);
      writer.u8(0);
    }
    writer.u8(1);
    writer.signed_number(grace_ms);
    writer.u8(0);
    writer.text("");
    return bytes;
  }
  bool is_taken() const {
    State exclusive{2};
    State shared{2};
    const bool taken = restore(exclusive, batch(/*shared=*/false)).has_value();
    const bool shared_taken = restore(shared, batch(/*shared=*/true)).has_value();
    return taken && shared_taken;
  }
};

TEST_F(ImageTest, NumbersThatNobodyCanCountOnAreDamage) {
  EXPECT_TRUE(ByHand{}.is_taken());
  EXPECT_TRUE(ByHand{.deadline = INT64_MAX}.is_taken());
  for (const std::int64_t at : {INT64_MIN, std::int64_t{-1}, INT64_MAX - 1}) {
    EXPECT_FALSE(ByHand{.moment = at}.is_taken()) << at;
    EXPECT_FALSE(ByHand{.since = at}.is_taken()) << at;
    EXPECT_FALSE(ByHand{.last_used = at}.is_taken()) << at;
    EXPECT_FALSE(ByHand{.grace_ms = at}.is_taken()) << at;
  }
  EXPECT_FALSE(ByHand{.deadline = INT64_MIN}.is_taken());
  EXPECT_FALSE(ByHand{.floor = kMaxFence}.is_taken());
  EXPECT_FALSE(ByHand{.fence = kMaxFence}.is_taken());
  EXPECT_FALSE(ByHand{.hold_fence = 4}.is_taken()) << "above the newest of its key";
}

TEST_F(ImageTest, NothingIsNotedUntilSomebodyKeepsAJournal) {
  State other{2};
  other.keys().put(other.keys().look(0, "a"), "x", kNever);
  std::string batch;
  EXPECT_FALSE(append_changes(batch, other));
  EXPECT_EQ(batch, "");
}

}  // namespace
}  // namespace fencepost::state
