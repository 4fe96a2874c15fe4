// Counters behind INFO. The engine counts; CONFIG RESETSTAT sets back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace fencepost::commands {

struct Command;

struct CommandStatistics {
  std::string name;  // "client|list"
  std::uint64_t calls = 0;
  std::uint64_t microseconds = 0;
  std::uint64_t rejected = 0;
  std::uint64_t failed = 0;
  // [i]: calls that took more than 2^(i-1) and at most 2^i microseconds; the last takes all above.
  // LATENCY HISTOGRAM and the percentiles of INFO latencystats are read off it.
  std::array<std::uint64_t, 32> by_magnitude{};

  // At most this long took `share` of the calls (0.5: half of them), to the next power of two; 0
  // when there were none.
  std::uint64_t percentile_us(double share) const;
};

struct Statistics {
  std::uint64_t connections_received = 0;
  std::uint64_t connections_rejected = 0;
  std::uint64_t commands_processed = 0;
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t key_hits = 0;
  std::uint64_t key_misses = 0;
  std::uint64_t error_replies = 0;
  std::uint64_t output_limit_disconnections = 0;
  std::uint64_t evicted_clients = 0;  // by maxmemory-clients
  std::uint64_t query_limit_disconnections = 0;
  std::uint64_t acl_denied_auth = 0;
  std::uint64_t lapsed_keys_at_reset = 0;  // State::lapsed_count() at the last CONFIG RESETSTAT
  std::uint64_t grants = 0;                // by LOCK and LOCKMANY, at once or after a wait
  std::uint64_t peak_memory_bytes = 0;
  std::unordered_map<const Command*, CommandStatistics> commands;
  std::map<std::string, std::uint64_t, std::less<>> errors;  // by first word: INFO errorstats

  void reset() { *this = Statistics{}; }
};

}  // namespace fencepost::commands
