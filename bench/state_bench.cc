// How fast keys are found, locks are taken and given back, lines move on, and leases end.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "state/state.h"

namespace fencepost::state {
namespace {

constexpr Duration kLease{30'000};
constexpr Instant kStart{Duration{1'700'000'000'000}};

std::vector<std::string> names(std::int64_t count) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < count; ++i) {
    std::string digits = std::to_string(i);
    all.push_back("lock:resource:" + std::string(12 - digits.size(), '0') + digits);
  }
  return all;
}

LockAsk ask_for(const std::string_view& key, std::string_view owner) {
  LockAsk ask;
  ask.keys = {&key, 1};
  ask.owner = owner;
  ask.lease = kLease;
  ask.client = ClientId{1};
  return ask;
}

// What the engine does at the end of each entry.
class Table {
 public:
  Table() { state_.advance(kStart); }

  State& state() { return state_; }

  void lock(const LockAsk& ask, LockAnswer::Kind expected) {
    const LockAnswer answer = state_.locks().acquire(ask);
    check(answer.kind == expected, "as the benchmark expects");
    end_entry();
  }
  void unlock(const std::string_view& key, std::string_view owner) {
    check(state_.locks().release(0, {&key, 1}, owner) == 1, "it was held");
    end_entry();
  }
  const std::vector<WaiterAnswer>& answers() const { return answers_; }

 private:
  void end_entry() {
    state_.settle();
    state_.locks().take_answers(answers_);
    state_.locks().take_grants(grants_);
  }

  State state_{1};
  std::vector<WaiterAnswer> answers_;
  std::vector<Grant> grants_;
};

const std::string kAlice(32, 'a');
const std::string kBob(32, 'b');

// Among as many held locks as the argument says.
void hold_all(Table& table, const std::vector<std::string>& keys) {
  for (const std::string_view key : keys)
    table.lock(ask_for(key, kAlice), LockAnswer::Kind::granted);
}

void find_key(benchmark::State& bench) {
  Table table;
  const auto keys = names(bench.range(0));
  hold_all(table, keys);
  std::size_t at = 0;
  for ([[maybe_unused]] auto round : bench) {
    benchmark::DoNotOptimize(table.state().keys().find(0, keys[at]));
    at = (at + 7919) % keys.size();
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(find_key)->Arg(1'000)->Arg(1'000'000);

void lock_cycle(benchmark::State& bench) {
  Table table;
  hold_all(table, names(bench.range(0)));
  const std::string_view key = "lock:res:000000000000001";
  for ([[maybe_unused]] auto round : bench) {
    table.lock(ask_for(key, kAlice), LockAnswer::Kind::granted);
    table.unlock(key, kAlice);
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(lock_cycle)->Arg(0)->Arg(1'000'000);

void renew(benchmark::State& bench) {
  Table table;
  const auto keys = names(bench.range(0));
  hold_all(table, keys);
  std::size_t at = 0;
  for ([[maybe_unused]] auto round : bench) {
    const std::string_view key = keys[at];
    table.state().locks().extend(0, {&key, 1}, kAlice, kLease + Duration{static_cast<int>(at)});
    at = (at + 7919) % keys.size();
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(renew)->Arg(1'000)->Arg(1'000'000);

void refused(benchmark::State& bench) {
  Table table;
  const std::string_view key = "door";
  table.lock(ask_for(key, kAlice), LockAnswer::Kind::granted);
  for ([[maybe_unused]] auto round : bench)
    table.lock(ask_for(key, kBob), LockAnswer::Kind::refused);
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(refused);

// A line of as many waiters as the argument says: each gets the key, gives it back, and stands in
// line again.
void hand_over(benchmark::State& bench) {
  Table table;
  const std::string_view key = "door";
  std::vector<std::string> owners = names(bench.range(0) + 1);
  const auto queue_up = [&table, &owners, key](std::size_t who, LockAnswer::Kind expected) {
    LockAsk ask = ask_for(key, owners[who]);
    ask.wait = Duration{60'000};
    ask.client = ClientId{who + 1};
    table.lock(ask, expected);
  };
  queue_up(0, LockAnswer::Kind::granted);
  for (std::size_t who = 1; who < owners.size(); ++who) queue_up(who, LockAnswer::Kind::waiting);
  std::size_t holder = 0;
  for ([[maybe_unused]] auto round : bench) {
    table.unlock(key, owners[holder]);
    check(table.answers().size() == 1, "the next in line is told");
    queue_up(holder, LockAnswer::Kind::waiting);
    holder = (holder + 1) % owners.size();
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(hand_over)->Arg(2)->Arg(128)->Arg(9'000);

// All leases end at the same moment.
void leases_end(benchmark::State& bench) {
  const auto keys = names(bench.range(0));
  for ([[maybe_unused]] auto round : bench) {
    bench.PauseTiming();
    auto table = std::make_unique<Table>();
    hold_all(*table, keys);
    bench.ResumeTiming();
    while (!table->state().advance(kStart + kLease + Duration{1})) {
    }
    bench.PauseTiming();
    check(table->state().keys().size(0) == 0, "all are gone");
    table.reset();
    bench.ResumeTiming();
  }
  bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}
BENCHMARK(leases_end)->Arg(100'000)->Unit(benchmark::kMillisecond);

void set_string(benchmark::State& bench) {
  Table table;
  const auto keys = names(bench.range(0));
  std::size_t at = 0;
  for ([[maybe_unused]] auto round : bench) {
    auto& space = table.state().keys();
    space.put(space.look(0, keys[at]), "0123456789abcdef", kNever);
    at = (at + 7919) % keys.size();
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(set_string)->Arg(1'000)->Arg(1'000'000);

}  // namespace
}  // namespace fencepost::state
