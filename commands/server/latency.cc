// LATENCY: per event, the spikes above latency-monitor-threshold.
#include "commands/server/latency.h"

#include <algorithm>

namespace fencepost::commands {
namespace {

constexpr std::size_t kMaxSamples = 160;

}  // namespace

void Latency::add(std::string_view event, std::int64_t unix_s, std::int64_t took_ms) {
  auto found = events_.find(event);
  if (found == events_.end()) found = events_.emplace(std::string{event}, Event{}).first;
  auto& [samples, worst_ms] = found->second;
  worst_ms = std::max(worst_ms, took_ms);
  // One sample a second: the worst of it.
  if (!samples.empty() && samples.back().unix_s == unix_s) {
    samples.back().took_ms = std::max(samples.back().took_ms, took_ms);
    return;
  }
  samples.push_back({unix_s, took_ms});
  if (samples.size() > kMaxSamples) samples.pop_front();
}

std::size_t Latency::reset(std::string_view event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return 0;
  events_.erase(found);
  return 1;
}

std::size_t Latency::reset_all() {
  const auto dropped = events_.size();
  events_.clear();
  return dropped;
}

}  // namespace fencepost::commands
