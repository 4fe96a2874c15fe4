// DEADLOCK: who would close a circle of owners that wait for each other is told at once.
// docs/locks.md.
#include <string>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

TEST(Deadlock, a_circle_of_two_is_refused_and_named) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("LOCK", "x", "alice");
  bob.run("LOCK", "y", "bob");
  alice.begin("LOCK", "y", "alice", "WAIT", 60'000);
  EXPECT_EQ(bob.run("LOCK", "x", "bob", "WAIT", 60'000),
            "-DEADLOCK bob waits for x held by alice, alice waits for y held by bob\r\n");
  EXPECT_EQ(alice.take(), "");
  bob.run("UNLOCK", "y", "bob");  // a refused command changes nothing: bob still held y
  EXPECT_EQ(alice.take(), ":2\r\n");
}

TEST(Deadlock, who_does_not_wait_is_merely_told_no) {
  Server server;
  Client alice = server.client();
  alice.run("LOCK", "x", "alice");
  server.run("LOCK", "y", "bob");
  alice.begin("LOCK", "y", "alice", "WAIT", 60'000);
  EXPECT_EQ(server.run("LOCK", "x", "bob"), "$-1\r\n");
}

TEST(Deadlock, a_circle_of_three) {
  Server server;
  Client a = server.client();
  Client b = server.client();
  Client c = server.client();
  a.run("LOCK", "x", "a");
  b.run("LOCK", "y", "b");
  c.run("LOCK", "z", "c");
  a.begin("LOCK", "y", "a", "WAIT", 60'000);
  b.begin("LOCK", "z", "b", "WAIT", 60'000);
  EXPECT_EQ(c.run("LOCK", "x", "c", "WAIT", 60'000).substr(0, 9), "-DEADLOCK");
}

TEST(Deadlock, a_place_in_line_stands_in_the_way_too) {
  Server server;
  Client alice = server.client();
  Client carol = server.client();
  alice.run("LOCK", "x", "alice");
  carol.begin("LOCKMANY", 2, "x", "y", "carol", "WAIT", 60'000);
  // y is free, but carol is before alice in its line and waits for x, which alice holds.
  EXPECT_EQ(alice.run("LOCK", "y", "alice", "WAIT", 60'000).substr(0, 9), "-DEADLOCK");
}

TEST(Deadlock, a_writer_needs_every_reader_gone) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("LOCK", "doc", "alice", "SHARED");
  server.run("LOCK", "doc", "carol", "SHARED");  // waits for nothing, but cannot free the key alone
  bob.run("LOCK", "y", "bob");
  alice.begin("LOCK", "y", "alice", "WAIT", 60'000);
  EXPECT_EQ(bob.run("LOCK", "doc", "bob", "WAIT", 60'000).substr(0, 9), "-DEADLOCK");
}

TEST(Deadlock, a_semaphore_needs_any_one_holder_gone) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("LOCK", "pool", "alice", "LIMIT", 2);
  server.run("LOCK", "pool", "carol", "LIMIT", 2);  // may leave, and then bob gets in
  bob.run("LOCK", "y", "bob");
  alice.begin("LOCK", "y", "alice", "WAIT", 60'000);
  EXPECT_EQ(bob.run("LOCK", "pool", "bob", "LIMIT", 2, "WAIT", 60'000), "");
}

TEST(Deadlock, holders_by_set_nx_count) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("SET", "x", "alice", "NX", "PX", 60'000);
  bob.run("LOCK", "y", "bob");
  alice.begin("LOCK", "y", "alice", "WAIT", 60'000);
  EXPECT_EQ(bob.run("LOCK", "x", "bob", "WAIT", 60'000).substr(0, 9), "-DEADLOCK");
}

TEST(Deadlock, binary_names_stay_on_one_line) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("LOCK", "x\r\n+OK", "al\r\nice");
  bob.run("LOCK", "y", "bob");
  alice.begin("LOCK", "y", "al\r\nice", "WAIT", 60'000);
  const std::string answer = bob.run("LOCK", "x\r\n+OK", "bob", "WAIT", 60'000);
  EXPECT_EQ(answer.find("\r\n"), answer.size() - 2);
}

}  // namespace

}  // namespace fencepost::tests
