// sim: simulated servers with their clients and faults, one from each seed.
//
//   sim --seed S --seeds N --operations 1000 --faults 20
//
// Prints the first violation with its seed and what led to it; the same seed gives the same run.
// Without --seeds, one seed with its trace.
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "world.h"

namespace {

using namespace fencepost::sim;

struct Wish {
  Plan plan;
  std::uint64_t seeds = 1;
};

bool read(int count, char** words, Wish& wish) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i];
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(words[i + 1], &end, 10);
    if (*end != '\0') return false;
    if (name == "--seed") {
      wish.plan.seed = value;
    } else if (name == "--seeds") {
      wish.seeds = value;
    } else if (name == "--operations") {
      wish.plan.operations = static_cast<int>(value);
    } else if (name == "--faults") {
      wish.plan.faults = static_cast<int>(value);
    } else {
      return false;
    }
  }
  return count % 2 == 1;
}

// Again, with a trace.
int show(Plan plan) {
  plan.trace = true;
  const Outcome outcome = World{plan}.run();
  for (const std::string& line : outcome.trace) fmt::print("{}\n", line);
  fmt::print("seed {}: {}\n", plan.seed,
             outcome.violation.empty() ? "no violation" : outcome.violation);
  return outcome.violation.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  Wish wish;
  if (!read(count, words, wish)) {
    fmt::print(stderr, "usage: sim [--seed S] [--seeds N] [--operations N] [--faults N]\n");
    return 2;
  }
  if (wish.seeds == 1) return show(wish.plan);
  const auto began = std::chrono::steady_clock::now();
  Outcome sum;
  for (std::uint64_t i = 0; i < wish.seeds; ++i, ++wish.plan.seed) {
    const Outcome one = World{wish.plan}.run();
    if (!one.violation.empty()) {
      static_cast<void>(show(wish.plan));
      fmt::print("{} passed, 1 failed\n", i);
      return EXIT_FAILURE;
    }
    sum.requests += one.requests;
    sum.faults += one.faults;
    sum.restarts += one.restarts;
    sum.told += one.told;
    sum.grants += one.grants;
    sum.digests += one.digests;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print(
      "{} requests, {} answers, {} grants, {} faults, {} restarts, {} states compared, {:.1f} s\n",
      sum.requests, sum.told, sum.grants, sum.faults, sum.restarts, sum.digests, seconds);
  fmt::print("{} passed, 0 failed\n", wish.seeds);
  return EXIT_SUCCESS;
}
