// Time over the whole state: what is over ends in the order of its moments, in slices, and leases
// run from the grant.
#include "state/state.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fencepost::state {

namespace {

class StateTest : public testing::Test {
 protected:
  StateTest() { state.advance(now); }

  bool pass(std::int64_t ms, std::size_t budget = 1000) {
    now += Duration{ms};
    return state.advance(now, budget);
  }
  LockAnswer lock(std::string_view key, std::string_view owner, int client, int lease,
                  int wait = 0) {
    const std::string_view keys[] = {key};
    return state.locks().acquire({.database = 0,
                                  .keys = keys,
                                  .owner = owner,
                                  .lease = Duration{lease},
                                  .wait = Duration{wait},
                                  .meta = {},
                                  .client = ClientId{static_cast<std::uint64_t>(client)}});
  }
  std::vector<WaiterAnswer> answers() {
    std::vector<WaiterAnswer> told;
    state.locks().take_answers(told);
    return told;
  }

  Instant now{Duration{1000}};
  State state{7};
};

TEST_F(StateTest, a_wait_that_was_over_before_the_lease_gets_nothing_even_after_a_long_sleep) {
  lock("door", "alice", 1, 500);
  lock("door", "bob", 2, 500, 400);
  lock("door", "carol", 3, 500, 60'000);
  pass(10'000);
  const auto told = answers();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].client, ClientId{2});
  EXPECT_EQ(told[0].kind, WaiterAnswer::Kind::refused);
  EXPECT_EQ(told[1].client, ClientId{3});
  EXPECT_EQ(told[1].kind, WaiterAnswer::Kind::granted);
}

TEST_F(StateTest, leases_run_from_the_present_when_the_state_catches_up) {
  lock("door", "alice", 1, 500);
  lock("door", "bob", 2, 500, 60'000);
  pass(10'000);
  EXPECT_EQ(state.keys().find(0, "door")->deadline, now + Duration{500});
}

TEST_F(StateTest, a_million_ends_are_done_in_slices_and_never_seen) {
  for (int i = 0; i < 5000; ++i) lock("k" + std::to_string(i), "t", 1, 100);
  EXPECT_FALSE(pass(200, 1000));
  EXPECT_EQ(state.keys().size(0), 4000U);
  EXPECT_EQ(lock("k4999", "other", 2, 100).kind, LockAnswer::Kind::granted);
  EXPECT_FALSE(pass(0, 1000));
  EXPECT_TRUE(pass(0, 10'000));
  EXPECT_EQ(state.keys().size(0), 1U);
}

TEST_F(StateTest, a_lapse_found_by_a_command_goes_to_the_next_in_line_not_to_the_command) {
  for (int i = 0; i < 3000; ++i) lock("k" + std::to_string(i), "t", 1, 100);
  lock("door", "alice", 1, 150);
  lock("door", "bob", 2, 60'000, 60'000);
  pass(200, 1);  // far behind: door has not been reaped yet
  EXPECT_EQ(state.keys().look(0, "door").item->text(), "bob");
}

TEST_F(StateTest, next_deadline_is_of_whatever_ends_first) {
  EXPECT_EQ(state.next_deadline(), kNever);
  lock("door", "alice", 1, 500);
  EXPECT_EQ(state.next_deadline(), now + Duration{500});
  lock("door", "bob", 2, 500, 100);
  EXPECT_EQ(state.next_deadline(), now + Duration{100});
  pass(101);  // bob's place is kept for two seconds
  EXPECT_EQ(state.next_deadline(), Instant{Duration{1500}});
}

TEST_F(StateTest, bound_keys_are_not_remembered_for_ever) {
  for (int i = 0; i < 100'000; ++i) {
    const std::string_view keys[] = {"door"};
    state.locks().acquire({.database = 0,
                           .keys = keys,
                           .owner = "t",
                           .lease = Duration{1000},
                           .bind = true,
                           .meta = {},
                           .client = ClientId{1}});
    state.locks().release(0, keys, "t");
  }
  state.client_gone(ClientId{1});
  EXPECT_EQ(state.keys().size(0), 0U);
}

}  // namespace

}  // namespace fencepost::state
