// LATENCY: per event, the spikes above latency-monitor-threshold; and per command a histogram of
// how long it took.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace fencepost::commands {

class Latency {
 public:
  struct Sample {
    std::int64_t unix_s = 0;
    std::int64_t took_ms = 0;
  };
  struct Event {
    std::deque<Sample> samples;  // at most 160, oldest first
    std::int64_t worst_ms = 0;
  };

  void add(std::string_view event, std::int64_t unix_s, std::int64_t took_ms);
  const std::map<std::string, Event, std::less<>>& events() const { return events_; }
  // LATENCY RESET: how many were dropped.
  std::size_t reset(std::string_view event);
  std::size_t reset_all();

 private:
  std::map<std::string, Event, std::less<>> events_;
};

}  // namespace fencepost::commands
