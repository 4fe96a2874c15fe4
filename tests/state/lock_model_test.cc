// The lock table against a naive model: random conversations of a few owners about a few keys.
#include "tests/state/lock_model.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "state/image.h"
#include "state/state.h"

namespace fencepost::tests {

namespace {

using state::LockAnswer;
using state::State;

constexpr const char* kKeys[] = {"a", "b", "c"};
constexpr int kClients = 6;

// One move, as plain numbers so that it shrinks well.
struct Move {
  int what = 0;
  int client = 0;
  int owner = 0;
  int keys = 1;  // bits
  int terms = 0;
  int span = 0;
};

rc::Gen<Move> any_move() {
  return rc::gen::build<Move>(rc::gen::set(&Move::what, rc::gen::inRange(0, 20)),
                              rc::gen::set(&Move::client, rc::gen::inRange(1, kClients + 1)),
                              rc::gen::set(&Move::owner, rc::gen::inRange(0, 4)),
                              rc::gen::set(&Move::keys, rc::gen::inRange(1, 8)),
                              rc::gen::set(&Move::terms, rc::gen::inRange(0, 64)),
                              rc::gen::set(&Move::span, rc::gen::inRange(1, 600)));
}

std::vector<std::string> keys_of(int bits) {
  std::vector<std::string> keys;
  for (int i = 0; i < 3; ++i) {
    if ((bits >> i & 1) != 0) keys.emplace_back(kKeys[i]);
  }
  return keys;
}

std::string joined(const std::vector<std::uint64_t>& fences) {
  std::string text;
  for (const std::uint64_t fence : fences)
    text += (text.empty() ? "" : ",") + std::to_string(fence);
  return text;
}

// Both sides of the comparison, moved together.
class Pair {
 public:
  Pair() {
    state_.advance(now_);
    state_.changed_keys().begin(/*floor=*/0, /*small=*/0);
  }

  void play(const Move& move) {
    if (move.what < 9) {
      acquire(move);
    } else if (move.what < 12) {
      const auto keys = keys_of(move.keys);
      const std::vector<std::string_view> views{keys.begin(), keys.end()};
      check_equal(std::to_string(state_.locks().release(0, views, owner(move))),
                  std::to_string(model_.release(keys, owner(move))), "UNLOCK");
    } else if (move.what < 13) {
      const auto keys = keys_of(move.keys);
      const std::vector<std::string_view> views{keys.begin(), keys.end()};
      check_equal(std::to_string(state_.locks().extend(0, views, owner(move), Duration{move.span})),
                  std::to_string(model_.extend(keys, owner(move), move.span)), "EXTEND");
    } else if (move.what < 14) {
      set_nx(move);
    } else if (move.what < 15) {
      del(move);
    } else if (move.what < 16) {
      check_equal(std::to_string(static_cast<int>(state_.locks().break_hold(0, key(move)))),
                  std::to_string(static_cast<int>(model_.break_hold(key(move)))), "LOCKBREAK");
    } else if (move.what < 17) {
      model_.client_gone(move.client);
      state_.client_gone(ClientId{static_cast<std::uint64_t>(move.client)});
    } else if (move.what < 18) {
      check_equal(std::to_string(static_cast<int>(
                      state_.locks().unblock(ClientId{static_cast<std::uint64_t>(move.client)},
                                             state::LockTable::Unblock::as_timeout))),
                  std::to_string(static_cast<int>(model_.unblock(move.client))), "CLIENT UNBLOCK");
    } else {
      pass(move.span);
    }
    state_.settle();
    compare();
  }

  // What a move says, for a failure's report.
  static std::string describe(const Move& move) {
    std::string keys;
    for (const std::string& name : keys_of(move.keys)) keys += " " + name;
    const std::string who = " client " + std::to_string(move.client) + " owner " + owner(move);
    if (move.what < 9) {
      const int sharing = move.terms & 3;
      const std::string mode = sharing < 2 ? ""
                               : sharing == 2
                                   ? " SHARED"
                                   : " LIMIT " + std::to_string(1 + (move.terms >> 5 & 1));
      return "LOCK" + keys + who + mode + " PX " + std::to_string(move.span) +
             ((move.terms & 4) != 0 ? "" : " WAIT " + std::to_string(1 + move.span * 2)) +
             ((move.terms & 8) != 0 && (move.terms & 16) != 0 ? " GRACE 150" : "") +
             ((move.terms & 16) != 0 ? " BIND" : "");
    }
    if (move.what < 12) return "UNLOCK" + keys + who;
    if (move.what < 13) return "EXTEND" + keys + who + " PX " + std::to_string(move.span);
    if (move.what < 14)
      return "SET NX" + keys + " set-" + owner(move) + " PX " + std::to_string(move.span);
    if (move.what < 15) return "DEL" + keys;
    if (move.what < 16) return "LOCKBREAK" + keys;
    if (move.what < 17) return "gone" + who;
    if (move.what < 18) return "unblock" + who;
    return "pass " + std::to_string(move.span);
  }

 private:
  static std::string key(const Move& move) { return keys_of(move.keys).front(); }
  static std::string owner(const Move& move) {
    return std::string(1, static_cast<char>('A' + move.owner));
  }

  void acquire(const Move& move) {
    if (model_.is_waiting(move.client)) return;  // its connection is parked
    ModelAsk ask{.client = move.client, .keys = keys_of(move.keys), .owner = owner(move)};
    const int sharing = move.terms & 3;
    if (sharing >= 2) {
      ask.keys.resize(1);
      ask.mode = sharing == 2 ? Mode::shared : Mode::limit;
      ask.limit = sharing == 2 ? 0 : 1 + (move.terms >> 5 & 1);
    }
    ask.lease = move.span;
    ask.wait = (move.terms & 4) != 0 ? 0 : 1 + move.span * 2;
    ask.grace = (move.terms & 8) != 0 && (move.terms & 16) != 0 ? 150 : 0;
    ask.bind = (move.terms & 16) != 0;
    const std::vector<std::string_view> views{ask.keys.begin(), ask.keys.end()};
    const LockAnswer answer =
        state_.locks().acquire({.database = 0,
                                .keys = views,
                                .owner = ask.owner,
                                .mode = ask.mode,
                                .limit = ask.limit,
                                .lease = Duration{ask.lease},
                                .wait = Duration{ask.wait},
                                .grace = Duration{ask.grace},
                                .bind = ask.bind,
                                .meta = "",
                                .client = ClientId{static_cast<std::uint64_t>(ask.client)},
                                .many = true});
    check_equal(text_of(answer), model_.acquire(ask, text_of(answer)), "LOCK");
  }

  static std::string text_of(const LockAnswer& answer) {
    switch (answer.kind) {
      case LockAnswer::Kind::granted:
        return joined(answer.fences);
      case LockAnswer::Kind::refused:
        return "nil";
      case LockAnswer::Kind::waiting:
        return "wait";
      case LockAnswer::Kind::error:
        return answer.error.substr(0, answer.error.find(' '));
    }
    return "?";
  }

  void set_nx(const Move& move) {
    const std::string value = "set-" + owner(move);
    const state::Spot spot = state_.keys().look(0, keys_of(move.keys).front());
    const bool done = !spot;
    const std::string name = key(move);
    if (done)
      state_.keys().put(state_.keys().look(0, name), value, state_.clock() + Duration{move.span});
    check_equal(std::to_string(static_cast<int>(done)),
                std::to_string(static_cast<int>(model_.set_nx(name, value, move.span))), "SET NX");
  }

  void del(const Move& move) {
    state::Item* item = state_.keys().find(0, key(move));
    if (item != nullptr) state_.keys().erase(*item);
    check_equal(std::to_string(static_cast<int>(item != nullptr)),
                std::to_string(static_cast<int>(model_.del(key(move)))), "DEL");
  }

  void pass(int milliseconds) {
    now_ += Duration{milliseconds};
    RC_ASSERT(state_.advance(now_));
    model_.pass(milliseconds);
  }

  void compare() {
    std::vector<state::WaiterAnswer> answers;
    state_.locks().take_answers(answers);
    std::multiset<std::pair<int, std::string>> told;
    for (const auto& answer : answers) {
      const bool granted = answer.kind == state::WaiterAnswer::Kind::granted;
      told.insert({static_cast<int>(answer.client), granted ? joined(answer.fences) : "nil"});
    }
    RC_ASSERT(told == model_.answers);
    model_.answers.clear();
    for (const char* name : kKeys) {
      std::map<std::string, std::uint64_t> holders;
      std::vector<std::string> line;
      if (const auto view = state_.locks().view(0, name)) {
        for (const auto& holder : view->holders) holders[holder.owner] = holder.fence;
        for (const auto& waiter : view->queue) line.push_back(waiter.owner);
      }
      RC_ASSERT(holders == model_.holders(name));
      RC_ASSERT(line == model_.line(name));
      check_equal(std::to_string(state_.locks().newest_fence(0, name)),
                  std::to_string(model_.fence(name)), "FENCE");
    }
    compare_restored();
  }

  // What a journal would write down of the move leads another state to where this one is.
  void compare_restored() {
    std::string batch;
    if (state::append_changes(batch, state_)) RC_ASSERT(state::restore(restored_, batch));
    for (const char* name : kKeys) {
      std::string here;
      std::string there;
      state::append_image(here, state_, 0, name);
      state::append_image(there, restored_, 0, name);
      RC_ASSERT(here == there);
    }
    RC_ASSERT(state_.keys().fences().floor() == restored_.keys().fences().floor());
    RC_ASSERT(state_.keys().fences().highest() == restored_.keys().fences().highest());
  }

  static void check_equal(const std::string& ours, const std::string& models,
                          const std::string& what) {
    if (ours != models) RC_FAIL(what + ": ours " + ours + ", the model's " + models);
  }

  Instant now_{Duration{1000}};
  State state_{42};
  State restored_{43};
  LockModel model_;
};

TEST(LockModel, agrees_with_the_lock_table) {
  const bool holds = rc::check("random conversations", [] {
    const auto moves = *rc::gen::container<std::vector<Move>>(any_move());
    Pair pair;
    for (const Move& move : moves) {
      RC_LOG() << Pair::describe(move) << "\n";
      pair.play(move);
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace

}  // namespace fencepost::tests
