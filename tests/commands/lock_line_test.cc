// The line of waiters: order of arrival, one place an owner, kept places, grants that reach nobody.
// docs/locks.md.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

namespace {

constexpr const char* kNil = "$-1\r\n";

TEST(LockLine, grants_go_in_the_order_of_arrival) {
  Server server;
  server.run("LOCK", "door", "holder");
  std::vector<Client> waiters;
  for (int i = 0; i < 10; ++i) {
    waiters.push_back(server.client());
    waiters.back().begin("LOCK", "door", "w" + std::to_string(i), "WAIT", 60'000);
  }
  std::string owner = "holder";
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(server.run("UNLOCK", "door", owner), ":1\r\n");
    owner = "w" + std::to_string(i);
    EXPECT_EQ(waiters[static_cast<std::size_t>(i)].take(), ":" + std::to_string(i + 2) + "\r\n");
    if (i < 9) {
      EXPECT_EQ(waiters[static_cast<std::size_t>(i + 1)].take(), "");
    }
  }
}

TEST(LockLine, a_newcomer_never_overtakes_not_even_without_a_wait) {
  Server server;
  Client many = server.client();
  Client late = server.client();
  server.run("LOCK", "gate", "alice");
  many.begin("LOCKMANY", 2, "door", "gate", "bob", "WAIT", 60'000);  // waits for gate alone
  EXPECT_EQ(late.run("LOCK", "door", "carol"), kNil);
  late.begin("LOCK", "door", "carol", "WAIT", 60'000);
  EXPECT_EQ(server.run("UNLOCK", "gate", "alice"), ":1\r\n");
  EXPECT_EQ(many.take(), "*2\r\n:1\r\n:2\r\n");
  EXPECT_EQ(late.take(), "");
  server.run("UNLOCK", "door", "bob");
  EXPECT_EQ(late.take(), ":2\r\n");
}

TEST(LockLine, set_nx_on_a_free_key_succeeds_past_a_waiting_lockmany) {
  Server server;
  Client many = server.client();
  server.run("LOCK", "gate", "alice");
  many.begin("LOCKMANY", 2, "door", "gate", "bob", "WAIT", 60'000);
  EXPECT_EQ(server.run("SET", "door", "x", "NX", "PX", 1000), "+OK\r\n");
  server.run("UNLOCK", "gate", "alice");
  EXPECT_EQ(many.take(), "");
  server.pass(1001);
  EXPECT_EQ(many.take(), "*2\r\n:2\r\n:2\r\n");
}

TEST(LockLine, a_second_copy_takes_the_place_over_and_the_first_is_answered_nil) {
  Server server;
  Client first = server.client();
  Client second = server.client();
  Client other = server.client();
  server.run("LOCK", "door", "alice");
  first.begin("LOCK", "door", "bob", "WAIT", 60'000);
  other.begin("LOCK", "door", "carol", "WAIT", 60'000);
  second.begin("LOCK", "door", "bob", "WAIT", 60'000);
  EXPECT_EQ(first.take(), kNil);
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(second.take(), ":2\r\n");  // bob's place was before carol's, and still is
  EXPECT_EQ(other.take(), "");
}

TEST(LockLine, a_place_is_kept_when_the_wait_runs_out) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  server.run("LOCK", "door", "alice", "PX", 60'000);
  bob.begin("LOCK", "door", "bob", "WAIT", 100);
  carol.begin("LOCK", "door", "carol", "WAIT", 60'000);
  server.pass(101);
  EXPECT_EQ(bob.take(), kNil);
  server.pass(1999);
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(bob.take(), ":2\r\n");
  EXPECT_EQ(carol.take(), "");
}

TEST(LockLine, a_kept_place_is_gone_after_lock_queue_hold) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  server.run("LOCK", "door", "alice", "PX", 60'000);
  bob.begin("LOCK", "door", "bob", "WAIT", 100);
  carol.begin("LOCK", "door", "carol", "WAIT", 60'000);
  server.pass(101);
  EXPECT_EQ(bob.take(), kNil);
  server.pass(2001);
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(carol.take(), ":2\r\n");
  EXPECT_EQ(bob.take(), "");
}

TEST(LockLine, an_absent_waiter_is_skipped_and_never_granted) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  carol.begin("LOCK", "door", "carol", "WAIT", 60'000);
  bob.hang_up();
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(carol.take(), ":2\r\n");
  server.run("UNLOCK", "door", "carol");
  EXPECT_EQ(server.run("EXISTS", "door"), ":0\r\n");
}

TEST(LockLine, a_waiter_whose_socket_went_away_finds_its_place_again) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  carol.begin("LOCK", "door", "carol", "WAIT", 60'000);
  bob.hang_up();
  Client again = server.client();
  again.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(again.take(), ":2\r\n");
  EXPECT_EQ(carol.take(), "");
}

TEST(LockLine, a_grant_that_cannot_be_delivered_goes_to_the_next) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  carol.begin("LOCK", "door", "carol", "WAIT", 60'000);
  bob.stop_reading();
  server.run("UNLOCK", "door", "alice");  // bob's grant is written to a socket that nobody reads
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
  bob.hang_up();
  EXPECT_EQ(carol.take(), ":3\r\n");
  EXPECT_EQ(server.run("GET", "door"), "$5\r\ncarol\r\n");
}

TEST(LockLine, an_undone_grant_leaves_its_owner_the_place_in_line) {
  Server server;
  Client bob = server.client();
  Client carol = server.client();
  Client dave = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  carol.begin("LOCK", "door", "carol", "WAIT", 60'000);
  dave.begin("LOCK", "door", "dave", "WAIT", 60'000);
  bob.stop_reading();
  server.run("UNLOCK", "door", "alice");
  bob.hang_up();
  EXPECT_EQ(carol.take(), ":3\r\n");
  Client again = server.client();
  again.begin("LOCK", "door", "bob", "WAIT", 60'000);
  server.run("UNLOCK", "door", "carol");
  EXPECT_EQ(again.take(), ":4\r\n");
  EXPECT_EQ(dave.take(), "");
}

TEST(LockLine, a_grant_that_was_asked_for_again_elsewhere_is_not_undone) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  bob.stop_reading();
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(server.run("LOCK", "door", "bob"), ":2\r\n");  // the re-sent copy: the same hold
  bob.hang_up();
  EXPECT_EQ(server.run("GET", "door"), "$3\r\nbob\r\n");
}

TEST(LockLine, a_place_that_is_given_up_lets_those_behind_go) {
  Server server;
  Client many = server.client();
  Client late = server.client();
  server.run("LOCK", "gate", "alice");
  many.begin("LOCKMANY", 2, "door", "gate", "bob", "WAIT", 100);
  late.begin("LOCK", "door", "carol", "WAIT", 60'000);
  EXPECT_EQ(late.take(), "");
  server.pass(101);
  EXPECT_EQ(many.take(), "*-1\r\n");
  EXPECT_EQ(late.take(), ":1\r\n");
}

TEST(LockLine, an_unlock_gives_up_the_place_and_answers_the_waiter_nil) {
  Server server;
  Client bob = server.client();
  server.run("LOCK", "door", "alice");
  bob.begin("LOCK", "door", "bob", "WAIT", 60'000);
  EXPECT_EQ(server.run("UNLOCK", "door", "bob"), ":1\r\n");
  EXPECT_EQ(bob.take(), kNil);
  EXPECT_EQ(server.run("UNLOCK", "door", "bob"), ":0\r\n");
}

}  // namespace

}  // namespace fencepost::tests
