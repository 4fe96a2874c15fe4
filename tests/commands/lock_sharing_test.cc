// SHARED and LIMIT: readers together, FIFO with writers; semaphores. docs/locks.md.
#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kNil = "$-1\r\n";

TEST(LockSharing, readers_hold_together_each_with_a_fence_of_its_own) {
  Server server;
  EXPECT_EQ(server.run("LOCK", "doc", "r1", "SHARED"), ":1\r\n");
  EXPECT_EQ(server.run("LOCK", "doc", "r2", "SHARED"), ":2\r\n");
  EXPECT_EQ(server.run("LOCK", "doc", "w"), kNil);
  EXPECT_EQ(server.run("FENCE", "doc", 1), ":1\r\n");  // a live holder's
  server.run("UNLOCK", "doc", "r1");
  EXPECT_EQ(server.run("FENCE", "doc", 1), ":0\r\n");
  server.run("UNLOCK", "doc", "r2");
  EXPECT_EQ(server.run("LOCK", "doc", "w"), ":3\r\n");
}

TEST(LockSharing, a_writer_does_not_starve) {
  Server server;
  Client writer = server.client();
  Client reader = server.client();
  server.run("LOCK", "doc", "r1", "SHARED");
  writer.begin("LOCK", "doc", "w", "WAIT", 60'000);
  EXPECT_EQ(reader.run("LOCK", "doc", "r2", "SHARED"), kNil);
  reader.begin("LOCK", "doc", "r2", "SHARED", "WAIT", 60'000);
  server.run("UNLOCK", "doc", "r1");
  EXPECT_EQ(writer.take(), ":2\r\n");
  EXPECT_EQ(reader.take(), "");
  server.run("UNLOCK", "doc", "w");
  EXPECT_EQ(reader.take(), ":3\r\n");
}

TEST(LockSharing, readers_behind_a_writer_go_together) {
  Server server;
  Client r1 = server.client();
  Client r2 = server.client();
  server.run("LOCK", "doc", "w");
  r1.begin("LOCK", "doc", "r1", "SHARED", "WAIT", 60'000);
  r2.begin("LOCK", "doc", "r2", "SHARED", "WAIT", 60'000);
  server.run("UNLOCK", "doc", "w");
  EXPECT_EQ(r1.take(), ":2\r\n");
  EXPECT_EQ(r2.take(), ":3\r\n");
}

TEST(LockSharing, a_semaphore_has_at_most_n_holders) {
  Server server;
  Client waiter = server.client();
  EXPECT_EQ(server.run("LOCK", "pool", "a", "LIMIT", 2), ":1\r\n");
  EXPECT_EQ(server.run("LOCK", "pool", "b", "LIMIT", 2), ":2\r\n");
  EXPECT_EQ(server.run("LOCK", "pool", "c", "LIMIT", 2), kNil);
  waiter.begin("LOCK", "pool", "c", "LIMIT", 2, "WAIT", 60'000);
  server.run("UNLOCK", "pool", "a");
  EXPECT_EQ(waiter.take(), ":3\r\n");
}

TEST(LockSharing, the_first_holder_sets_the_limit) {
  Server server;
  server.run("LOCK", "pool", "a", "LIMIT", 2);
  EXPECT_EQ(server.run("LOCK", "pool", "b", "LIMIT", 3),
            "-LIMITMISMATCH 'pool' is held with another LIMIT\r\n");
  server.run("UNLOCK", "pool", "a");
  EXPECT_EQ(server.run("LOCK", "pool", "b", "LIMIT", 3), ":2\r\n");
}

TEST(LockSharing, the_same_owner_in_another_mode_is_an_error) {
  Server server;
  const char* const error = "-MODEMISMATCH the owner holds 'doc' in another mode\r\n";
  server.run("LOCK", "doc", "a", "SHARED");
  EXPECT_EQ(server.run("LOCK", "doc", "a"), error);
  EXPECT_EQ(server.run("LOCK", "doc", "a", "LIMIT", 2), error);
  server.run("UNLOCK", "doc", "a");
  server.run("LOCK", "doc", "a");
  EXPECT_EQ(server.run("LOCK", "doc", "a", "SHARED"), error);
}

TEST(LockSharing, such_a_key_has_type_lock) {
  Server server;
  const char* const wrong =
      "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
  server.run("LOCK", "doc", "a", "SHARED", "PX", 1000);
  server.run("LOCK", "doc", "b", "SHARED", "PX", 9000);
  EXPECT_EQ(server.run("TYPE", "doc"), "+lock\r\n");
  EXPECT_EQ(server.run("GET", "doc"), wrong);
  EXPECT_EQ(server.run("SET", "doc", "x", "NX"), kNil);
  EXPECT_EQ(server.run("PTTL", "doc"), ":9000\r\n");  // its longest lease
  EXPECT_EQ(server.run("PEXPIRE", "doc", 5), wrong);
  EXPECT_EQ(server.run("DEL", "doc"), ":1\r\n");  // frees it whole
  EXPECT_EQ(server.run("LOCK", "doc", "w"), ":3\r\n");
}

TEST(LockSharing, each_lease_ends_by_itself) {
  Server server;
  server.run("LOCK", "doc", "a", "SHARED", "PX", 1000);
  server.run("LOCK", "doc", "b", "SHARED", "PX", 2000);
  server.pass(1001);
  EXPECT_EQ(server.run("EXTEND", "doc", "a", "PX", 500), ":0\r\n");
  EXPECT_EQ(server.run("EXTEND", "doc", "b", "PX", 500), ":1\r\n");
  server.pass(501);
  EXPECT_EQ(server.run("EXISTS", "doc"), ":0\r\n");
}

TEST(LockSharing, the_present_owner_renews_its_share) {
  Server server;
  server.run("LOCK", "pool", "a", "LIMIT", 1, "PX", 1000);
  server.pass(500);
  EXPECT_EQ(server.run("LOCK", "pool", "a", "LIMIT", 1, "PX", 1000), ":1\r\n");
  EXPECT_EQ(server.run("PTTL", "pool"), ":1000\r\n");
}

TEST(LockSharing, another_type_is_refused) {
  Server server;
  server.run("LOCK", "doc", "a", "SHARED");
  EXPECT_EQ(server.run("SET", "doc", "x"), "+OK\r\n");  // a plain SET replaces any type
  EXPECT_EQ(server.run("LOCK", "doc", "b", "SHARED"), kNil);
}

}  // namespace

}  // namespace fencepost::tests
