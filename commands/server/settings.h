// Configuration parameters: one row each, with type, default, bounds and whether CONFIG SET may change it.
// Names are Redis's where Redis has them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace fencepost::commands {

// The values that code reads. CONFIG GET, CONFIG SET, flags and the config file reach them through the parameter table
// in settings.cc.
struct SettingValues {
  // network; fixed at start
  std::int64_t port = 6379;
  std::string bind = "127.0.0.1 -::1";
  std::string unix_socket;
  std::int64_t unix_socket_mode = 0;   // octal digits as Redis; 0 = leave it to umask
  std::int64_t tcp_backlog = 511;
  std::string directory = "./data";
  std::string log_file;
  bool daemonize = false;
  // network; may change
  std::int64_t max_clients = 10'000;
  std::int64_t timeout_s = 0;          // idle clients are closed after this; 0 = never
  std::int64_t tcp_keepalive_s = 300;
  std::string log_level = "notice";
  std::string password;                // requirepass; empty = no login needed
  std::int64_t output_limit_bytes = 8 * 1024 * 1024;  // client-output-buffer-limit normal, hard limit
  std::int64_t query_buffer_limit_bytes = 64 * 1024 * 1024;
  std::int64_t max_bulk_bytes = 16 * 1024 * 1024;     // proto-max-bulk-len
  // commands
  std::int64_t databases = 16;
  std::int64_t slow_log_slower_than_us = 10'000;      // -1 = off, 0 = everything
  std::int64_t slow_log_max_len = 128;
  std::int64_t latency_threshold_ms = 0;
  std::string enable_debug_command = "no";            // no | yes | local
  std::string enable_protected_configs = "no";
  bool protected_mode = true;
  // durability; its journal comes later
  std::string append_only = "no";
  std::string append_fsync = "everysec";
  std::string save;
  // locks
  LockLimits locks;
};

class Settings {
 public:
  SettingValues values;

  // At start: flags and config file. Any parameter may be set; the last one wins.
  Result<void> set_at_start(std::string_view name, std::string_view value);
  // CONFIG SET of several pairs: all or none. The failure is the whole error text.
  Result<void> set_at_run_time(const std::vector<std::pair<std::string, std::string>>& pairs);
  // CONFIG GET: parameters whose name matches any of the patterns, in name order, with their values as text.
  std::map<std::string, std::string> matching(const std::vector<std::string_view>& patterns) const;
  // All names, for --help.
  static std::vector<std::string_view> names();

  // Called after each successful set_at_run_time, so that whoever caches a value hears of it.
  std::function<void()> on_change;
};

}  // namespace fencepost::commands
