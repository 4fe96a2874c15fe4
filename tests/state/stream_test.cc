// Streams: entries in the order of their ids, nodes that end where Redis's end, trimming.
#include "state/stream.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "state/listpack_size.h"

namespace fencepost::state {
namespace {

using Order = Stream::Order;

constexpr std::size_t kAll = SIZE_MAX;

void add(Stream& stream, StreamId id, std::vector<std::string_view> fields,
         StreamNodeLimits limits = {}) {
  stream.add(id, fields, limits);
}

std::vector<std::string> ids_of(const Stream& stream, Order order = Order::rising,
                                StreamId first = kLeastId, StreamId last = kGreatestId,
                                std::size_t most = kAll) {
  std::vector<std::string> ids;
  stream.read(first, last, order, most,
              [&ids](StreamId id, StreamFields) { ids.push_back(to_text(id)); });
  return ids;
}

using Ids = std::vector<std::string>;

TEST(StreamId, HasNeighbours) {
  EXPECT_EQ(next_id({5, 1}), (StreamId{5, 2}));
  EXPECT_EQ(next_id({5, kGreatestNumber}), (StreamId{6, 0}));
  EXPECT_EQ(next_id(kGreatestId), std::nullopt);
  EXPECT_EQ(previous_id({5, 1}), (StreamId{5, 0}));
  EXPECT_EQ(previous_id({5, 0}), (StreamId{4, kGreatestNumber}));
  EXPECT_EQ(previous_id(kLeastId), std::nullopt);
  EXPECT_EQ(to_text(kGreatestId), "18446744073709551615-18446744073709551615");
}

// The sizes that the listpack of redis-server 7.0.15 takes.
TEST(Listpack, TakesAsManyBytesAsRedisS) {
  EXPECT_EQ(listpack_bytes(std::int64_t{0}), 2U);
  EXPECT_EQ(listpack_bytes(std::int64_t{127}), 2U);
  EXPECT_EQ(listpack_bytes(std::int64_t{128}), 3U);
  EXPECT_EQ(listpack_bytes(std::int64_t{-1}), 3U);
  EXPECT_EQ(listpack_bytes(std::int64_t{4096}), 4U);
  EXPECT_EQ(listpack_bytes(std::int64_t{40'000}), 5U);
  EXPECT_EQ(listpack_bytes(std::int64_t{1} << 30), 6U);
  EXPECT_EQ(listpack_bytes(std::int64_t{1} << 40), 10U);
  EXPECT_EQ(listpack_bytes("12"), 2U) << "a number is kept as one";
  EXPECT_EQ(listpack_bytes("abc"), 5U);
  EXPECT_EQ(listpack_bytes(std::string(64, 'x')), 67U);
  EXPECT_EQ(listpack_bytes(std::string(5000, 'x')), 5007U);
}

TEST(Stream, KeepsEntriesInTheOrderOfTheirIds) {
  Stream stream;
  add(stream, {1, 0}, {"a", "1"});
  add(stream, {1, 1}, {"a", "2", "b", "3"});
  add(stream, {7, 0}, {"b", "4"});
  EXPECT_EQ(ids_of(stream), (Ids{"1-0", "1-1", "7-0"}));
  EXPECT_EQ(ids_of(stream, Order::falling), (Ids{"7-0", "1-1", "1-0"}));
  EXPECT_EQ(ids_of(stream, Order::rising, {1, 1}, {6, 0}), Ids{"1-1"});
  EXPECT_EQ(ids_of(stream, Order::falling, {1, 0}, {1, 1}), (Ids{"1-1", "1-0"}));
  EXPECT_EQ(ids_of(stream, Order::falling, kLeastId, kGreatestId, 1), Ids{"7-0"});
  EXPECT_EQ(stream.first_entry_id(), (StreamId{1, 0}));
  EXPECT_EQ(stream.last_entry_id(), (StreamId{7, 0}));
  EXPECT_EQ(stream.added_count(), 3U);
}

TEST(Stream, GivesFieldsBackAsTheyCame) {
  Stream stream;
  const std::string large(300, 'x');
  add(stream, {1, 0}, {"a", "1", "b", ""});
  add(stream, {2, 0}, {"a", large, "b", "2"});
  add(stream, {3, 0}, {"b", "1", "a", "2"});
  std::vector<std::vector<std::string>> seen;
  stream.read(kLeastId, kGreatestId, Order::rising, kAll, [&seen](StreamId, StreamFields fields) {
    seen.emplace_back(fields.begin(), fields.end());
  });
  EXPECT_EQ(seen, (std::vector<std::vector<std::string>>{
                      {"a", "1", "b", ""}, {"a", large, "b", "2"}, {"b", "1", "a", "2"}}));
}

TEST(Stream, WithoutEntriesKnowsItsLastId) {
  Stream stream;
  add(stream, {5, 0}, {"a", "1"});
  EXPECT_TRUE(stream.remove({5, 0}));
  EXPECT_FALSE(stream.remove({5, 0}));
  EXPECT_FALSE(stream.remove({4, 0}));
  EXPECT_EQ(stream.size(), 0U);
  EXPECT_EQ(stream.last_id(), (StreamId{5, 0}));
  EXPECT_EQ(stream.greatest_removed_id(), (StreamId{5, 0}));
  EXPECT_EQ(stream.first_entry_id(), kLeastId);
  EXPECT_TRUE(stream.node_ids().empty());
}

Stream stream_of(std::uint64_t count, StreamNodeLimits limits) {
  Stream stream;
  for (std::uint64_t i = 1; i <= count; ++i) add(stream, {i, 0}, {"f", "v"}, limits);
  return stream;
}

TEST(Stream, NodesEndAtTheirLimits) {
  EXPECT_EQ(stream_of(10, {.bytes = 0, .entries = 3}).node_ids().size(), 4U);
  EXPECT_EQ(stream_of(10, {.bytes = 0, .entries = 0}).node_ids().size(), 1U);
  EXPECT_EQ(stream_of(10, {.bytes = 1, .entries = 0}).node_ids().size(), 10U);
}

TEST(Stream, TrimsExactlyOrByWholeNodes) {
  Stream exact = stream_of(10, {.bytes = 0, .entries = 4});
  EXPECT_EQ(exact.trim({.most = 5}), 5U);
  EXPECT_EQ(exact.first_entry_id(), (StreamId{6, 0}));
  Stream whole = stream_of(10, {.bytes = 0, .entries = 4});
  EXPECT_EQ(whole.trim({.most = 5, .whole_nodes = true}), 4U);
  EXPECT_EQ(whole.trim({.most = 0, .whole_nodes = true, .limit = 3}), 0U);
  EXPECT_EQ(whole.trim({.most = 0, .whole_nodes = true, .limit = 5}), 4U);
  Stream from = stream_of(10, {.bytes = 0, .entries = 4});
  EXPECT_EQ(from.trim({.from = {6, 0}}), 5U);
  EXPECT_EQ(from.trim({.from = {10, 0}, .whole_nodes = true}), 3U);
  EXPECT_EQ(ids_of(from), (Ids{"9-0", "10-0"}));
}

TEST(Stream, SmallEntriesTakeLittle) {
  EXPECT_LT(stream_of(100'000, {}).memory_bytes(), 100'000U * 60);
}

RC_GTEST_PROP(Stream, DoesWhatAMapDoes, ()) {
  const StreamNodeLimits limits{.bytes = *rc::gen::element<std::size_t>(0, 60, 4096),
                                .entries = *rc::gen::inRange<std::size_t>(0, 5)};
  Stream stream;
  std::map<StreamId, std::vector<std::string>> model;
  const int moves = *rc::gen::inRange(1, 80);
  for (int i = 0; i < moves; ++i) {
    const StreamId id{*rc::gen::inRange<std::uint64_t>(1, 60),
                      *rc::gen::inRange<std::uint64_t>(0, 3)};
    const int what = *rc::gen::inRange(0, 10);
    if (what < 7 && id > stream.last_id()) {
      std::vector<std::string_view> fields{"a", "1"};
      if (what < 3) fields = {"b", "some text", "c", "2"};
      stream.add(id, fields, limits);
      model[id] = {fields.begin(), fields.end()};
    } else if (what == 7) {
      RC_ASSERT(stream.remove(id) == (model.erase(id) > 0));
    } else if (what == 8) {
      const std::size_t most = *rc::gen::inRange<std::size_t>(0, 20);
      const std::size_t gone = model.size() > most ? model.size() - most : 0;
      RC_ASSERT(stream.trim({.most = most}) == gone);
      model.erase(model.begin(), std::next(model.begin(), static_cast<std::ptrdiff_t>(gone)));
    } else {
      const auto end = model.lower_bound(id);
      RC_ASSERT(stream.trim({.from = id}) ==
                static_cast<std::size_t>(std::distance(model.begin(), end)));
      model.erase(model.begin(), end);
    }
    RC_ASSERT(stream.size() == model.size());
    std::map<StreamId, std::vector<std::string>> seen;
    stream.read(kLeastId, kGreatestId, Order::rising, kAll, [&seen](StreamId at, StreamFields f) {
      seen[at] = {f.begin(), f.end()};
    });
    RC_ASSERT(seen == model);
    Ids falling;
    for (auto at = model.rbegin(); at != model.rend() && at->first >= id; ++at) {
      falling.push_back(to_text(at->first));
    }
    RC_ASSERT(ids_of(stream, Order::falling, id) == falling);
  }
}

}  // namespace
}  // namespace fencepost::state
