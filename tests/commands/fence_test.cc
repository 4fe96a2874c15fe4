// FENCE and the promise that it never goes back. docs/locks.md, section 3.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

int fence_of(Server& server, const std::string& key) {
  return std::stoi(server.run("FENCE", key).substr(1));
}

TEST(Fence, of_a_key_that_never_was_is_the_floor) {
  Server server;
  EXPECT_EQ(server.run("FENCE", "door"), ":0\r\n");
}

TEST(Fence, the_newest_is_good_and_older_ones_are_stale) {
  Server server;
  server.run("LOCK", "door", "alice");
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(server.run("FENCE", "door", 1), ":1\r\n");
  server.run("LOCK", "door", "bob");
  EXPECT_EQ(server.run("FENCE", "door", 1), ":0\r\n");
  EXPECT_EQ(server.run("FENCE", "door", 2), ":1\r\n");
}

TEST(Fence, a_number_never_drawn_is_an_error) {
  Server server;
  server.run("LOCK", "door", "alice");
  EXPECT_EQ(
      server.run("FENCE", "door", 2),
      "-FENCEAHEAD 2 was never drawn for this key, its newest is 1: this is another server, or "
      "its state was lost\r\n");
  EXPECT_EQ(server.run("FENCE", "door", -1), "-ERR value is out of range, must be positive\r\n");
  EXPECT_EQ(server.run("FENCE", "door", "x"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("FENCE", "door", 0), ":0\r\n");
  EXPECT_EQ(server.run("FENCE", "door", 1, 2), "-ERR syntax error\r\n");
}

TEST(Fence, set_like_writes_draw_one_for_each_new_value) {
  Server server;
  server.run("SET", "door", "a", "NX", "PX", 1000);
  EXPECT_EQ(fence_of(server, "door"), 1);
  server.run("SET", "door", "a", "XX", "PX", 2000);  // a renewal
  EXPECT_EQ(fence_of(server, "door"), 1);
  server.run("SET", "door", "b");
  EXPECT_EQ(fence_of(server, "door"), 2);
  server.run("GETSET", "door", "c");
  EXPECT_EQ(fence_of(server, "door"), 3);
  server.run("MSET", "door", "d", "gate", "x");
  EXPECT_EQ(fence_of(server, "door"), 4);
  server.run("SETEX", "door", 10, "e");
  EXPECT_EQ(fence_of(server, "door"), 5);
  server.run("SETNX", "gate2", "x");
  EXPECT_EQ(fence_of(server, "gate2"), 1);
}

TEST(Fence, changes_in_place_draw_nothing) {
  Server server;
  server.run("SET", "n", "1");
  server.run("INCR", "n");
  server.run("APPEND", "n", "0");
  server.run("SETRANGE", "n", 0, "9");
  EXPECT_EQ(fence_of(server, "n"), 1);
  server.run("DEL", "n");
  server.run("INCR", "n");  // comes into being
  EXPECT_EQ(fence_of(server, "n"), 2);
}

TEST(Fence, rename_copy_and_move_draw_for_the_destination) {
  Server server;
  server.run("SET", "a", "1");
  server.run("SET", "b", "2");
  server.run("RENAME", "a", "b");
  EXPECT_EQ(fence_of(server, "b"), 2);
  EXPECT_EQ(fence_of(server, "a"), 1);
  server.run("COPY", "b", "c");
  EXPECT_EQ(fence_of(server, "c"), 1);
  server.run("COPY", "c", "b", "REPLACE");  // the value that is there already: nothing new is held
  EXPECT_EQ(fence_of(server, "b"), 2);
  server.run("SET", "c", "3");
  server.run("COPY", "c", "b", "REPLACE");
  EXPECT_EQ(fence_of(server, "b"), 3);
  server.run("MOVE", "b", 5);
  server.run("SELECT", 5);
  EXPECT_EQ(fence_of(server, "b"), 1);
}

TEST(Fence, goes_on_after_release_lapse_del_and_flush) {
  Server server;
  int last = 0;
  const auto rises = [&server, &last] {
    const std::string answer = server.run("LOCK", "door", "alice", "PX", 100);
    const int fence = std::stoi(answer.substr(1));
    const bool risen = fence > last;
    last = fence;
    return risen;
  };
  EXPECT_TRUE(rises());
  server.run("UNLOCK", "door", "alice");
  EXPECT_TRUE(rises());
  server.pass(101);
  EXPECT_TRUE(rises());
  server.run("DEL", "door");
  EXPECT_TRUE(rises());
  server.run("FLUSHALL");
  EXPECT_TRUE(rises());
  server.run("FLUSHDB");
  EXPECT_TRUE(rises());
  server.run("SWAPDB", 0, 1);
  EXPECT_TRUE(rises());
  server.run("SWAPDB", 0, 1);
  EXPECT_TRUE(rises());
}

// A flush retires them in the order of their hashes.
TEST(Fence, goes_on_after_a_flush_of_a_hundred_thousand_keys) {
  Server server;
  constexpr int kCount = 100'000;
  const auto key = [](int number) { return "key:" + std::to_string(number); };
  for (int round = 1; round <= 2; ++round) {
    for (int i = 0; i < kCount; ++i) server.run("SET", key(i), "value");
    EXPECT_EQ(server.run("DBSIZE"), ":100000\r\n");
    EXPECT_EQ(server.run("FLUSHALL"), "+OK\r\n");
    for (int i = 0; i < kCount; i += 1000) {
      ASSERT_EQ(server.run("FENCE", key(i)), ":" + std::to_string(round) + "\r\n");
    }
  }
}

TEST(Fence, swapdb_never_takes_a_key_back) {
  Server server;
  for (int i = 0; i < 9; ++i) server.run("SET", "door", i);
  server.run("SELECT", 1);
  server.run("SET", "door", "x");
  server.run("SELECT", 0);
  server.run("SWAPDB", 0, 1);
  EXPECT_GT(fence_of(server, "door"), 9);
  server.run("DEL", "door");
  // A key without a counter starts above the floor, which is above all that was drawn before.
  EXPECT_EQ(server.run("LOCK", "gate", "t"), ":10\r\n");
}

TEST(Fence, idle_counters_are_bounded_and_the_floor_keeps_the_promise) {
  Server server;
  server.run("CONFIG", "SET", "fence-idle-keys", 10);
  std::map<std::string, int> newest;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 50; ++i) {
      const std::string key = "k" + std::to_string(i);
      const int fence = std::stoi(server.run("LOCK", key, "t").substr(1));
      EXPECT_GT(fence, newest[key]) << key;
      newest[key] = fence;
      server.run("UNLOCK", key, "t");
    }
  }
  EXPECT_LE(server.engine().state().keys().fences().idle_count(), 10U);
}

TEST(Fence, a_dropped_counter_makes_old_fences_stale) {
  Server server;
  server.run("CONFIG", "SET", "fence-idle-keys", 1);
  for (int i = 0; i < 5; ++i) server.run("SET", "door", i);
  server.run("DEL", "door");
  server.run("SET", "gate", "x");
  server.run("DEL", "gate");  // drops the counter of door
  EXPECT_EQ(server.run("FENCE", "door"), ":5\r\n");
  EXPECT_EQ(server.run("FENCE", "door", 3), ":0\r\n");
  EXPECT_EQ(server.run("LOCK", "door", "t"), ":6\r\n");
  // Which counters were dropped is not written down, so those below the floor are like them.
  EXPECT_EQ(server.run("FENCE", "gate"), ":5\r\n");
  EXPECT_EQ(server.run("LOCK", "gate", "t"), ":6\r\n");
}

}  // namespace

}  // namespace fencepost::tests
