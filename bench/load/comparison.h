// Ours against a redis-server, run by run in turn: medians, and their ratio.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/server_process.h"

namespace fencepost::load {

// What a run came to, by the name of the figure: "ops/s", "CPU us/op", "p50 us" ...
struct Figure {
  std::string name;
  double value = 0;
};
struct Outcome {
  std::vector<Figure> figures;
  double foreign_share = 0;  // CPU that others used meanwhile, in cores
  std::uint64_t errors = 0;
};
using Measure = std::function<Outcome(const ServerProcess&)>;

struct Compared {
  std::string figure;
  double ours = 0;
  double theirs = 0;  // 0: there is nothing to compare with
  double ratio() const { return theirs > 0 ? ours / theirs : 0; }
};

struct Rounds {
  int count = 5;
  // A run during which others used more than this share of a core is done again, twice at most.
  double noise = 0.15;
};

// The medians of each figure. The two take turns in who begins.
std::vector<Compared> compare(const ServerProcess& ours, const Measure& measure_ours,
                              const ServerProcess& theirs, const Measure& measure_theirs,
                              const Rounds& rounds);

double median(std::vector<double> values);

}  // namespace fencepost::load
