// SLOWLOG: the latest commands that took longer than slowlog-log-slower-than.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::commands {

struct SlowLogEntry {
  std::int64_t id = 0;
  std::int64_t unix_s = 0;
  std::int64_t took_us = 0;
  std::vector<std::string>
      arguments;  // at most 32 words of 128 bytes, the rest summed up in words as Redis does
  std::string client_address;
  std::string client_name;
};

class SlowLog {
 public:
  // Keeps at most `max_entries`, newest first. Passwords among the arguments are not kept
  // (redaction.h).
  void add(std::span<const std::string_view> arguments, std::int64_t unix_s, std::int64_t took_us,
           std::string_view client_address, std::string_view client_name, std::size_t max_entries);
  const std::deque<SlowLogEntry>& entries() const { return entries_; }
  void clear() { entries_.clear(); }

 private:
  std::deque<SlowLogEntry> entries_;
  std::int64_t next_id_ = 0;
};

}  // namespace fencepost::commands
