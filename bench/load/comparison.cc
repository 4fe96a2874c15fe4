// Ours against a redis-server, run by run in turn: medians, and their ratio.
#include "bench/load/comparison.h"

#include <algorithm>

#include "bench/load/client.h"

namespace fencepost::load {

namespace {

Outcome quiet_run(const ServerProcess& server, const Measure& measure, double noise) {
  Outcome best = measure(server);
  for (int again = 0; again < 2 && best.foreign_share > noise; ++again) {
    Outcome next = measure(server);
    if (next.foreign_share < best.foreign_share) best = std::move(next);
  }
  if (best.errors > 0) throw Failed{"the server answered with errors"};
  return best;
}

std::vector<double> values_of(const std::vector<Outcome>& outcomes, std::size_t figure) {
  std::vector<double> values;
  values.reserve(outcomes.size());
  for (const Outcome& outcome : outcomes) values.push_back(outcome.figures.at(figure).value);
  return values;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<Compared> compare(const ServerProcess& ours, const Measure& measure_ours,
                              const ServerProcess& theirs, const Measure& measure_theirs,
                              const Rounds& rounds) {
  std::vector<Outcome> of_ours;
  std::vector<Outcome> of_theirs;
  for (int round = 0; round < rounds.count; ++round) {
    if (round % 2 == 0) of_ours.push_back(quiet_run(ours, measure_ours, rounds.noise));
    of_theirs.push_back(quiet_run(theirs, measure_theirs, rounds.noise));
    if (round % 2 == 1) of_ours.push_back(quiet_run(ours, measure_ours, rounds.noise));
  }
  std::vector<Compared> compared;
  for (std::size_t figure = 0; figure < of_ours.front().figures.size(); ++figure)
    compared.push_back({.figure = of_ours.front().figures[figure].name,
                        .ours = median(values_of(of_ours, figure)),
                        .theirs = median(values_of(of_theirs, figure))});
  return compared;
}

}  // namespace fencepost::load
