// The table of performance.md, as far as it can be measured now: ours, redis-server's, the ratio,
// the goal.
#pragma once

#include <cstddef>
#include <string>

#include "bench/load/comparison.h"

namespace fencepost::load {

struct TableOptions {
  std::string ours;    // command line with {port}
  std::string theirs;  // the redis-server's
  std::string rows;    // only rows whose work contains this; empty: all
  Rounds rounds;
  double seconds = 2;
  double warm_up_seconds = 0.5;
  std::size_t keys = 1'000'000;
  std::size_t idle_connections = 10'000;
};

// Prints the table as Markdown to stdout, row by row. How many goals do not hold.
int print_table(const TableOptions& options);

}  // namespace fencepost::load
