// Configuration parameters: their values, and how flags, config file and CONFIG read and set them
// by name. Names are Redis's where Redis has them; the rows stand in settings_table.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "state/happenings.h"

namespace fencepost::commands {

// One class of client-output-buffer-limit, bytes and seconds; 0 = no limit.
struct OutputLimit {
  std::int64_t hard_bytes = 0;
  std::int64_t soft_bytes = 0;
  std::int64_t soft_s = 0;
};

// notify-keyspace-events: which events are told, and on which channels.
struct Notifications {
  state::EventClass classes = state::EventClass::none;
  bool by_key = false;    // K: __keyspace@0__:key
  bool by_event = false;  // E: __keyevent@0__:event

  state::EventClass wanted() const {
    return by_key || by_event ? classes : state::EventClass::none;
  }
};

// The values that code reads.
struct SettingValues {
  // network; fixed at start
  std::int64_t port = 6379;
  std::string bind = "127.0.0.1 -::1";
  std::string unix_socket;
  std::int64_t unix_socket_mode = 0;  // octal digits as Redis; 0 = leave it to umask
  std::int64_t tcp_backlog = 511;
  std::string directory = "./data";
  std::string log_file;
  bool daemonize = false;
  // network; may change
  std::int64_t max_clients = 10'000;
  std::int64_t timeout_s = 0;  // idle clients are closed after this; 0 = never
  std::int64_t tcp_keepalive_s = 300;
  std::string log_level = "notice";
  std::string password;                 // requirepass; empty = no login needed
  std::int64_t output_limit_bytes = 0;  // client-output-buffer-limit normal, hard limit; 0 = none
  OutputLimit output_soft_limit;        // the rest of that class (hard_bytes unused)
  OutputLimit output_limit_replica{256 * 1024 * 1024, 64 * 1024 * 1024,
                                   60};  // as Redis; there are no replicas yet
  OutputLimit output_limit_pubsub{32 * 1024 * 1024, 8 * 1024 * 1024, 60};
  std::int64_t query_buffer_limit_bytes = 64 * 1024 * 1024;
  std::int64_t max_memory_bytes = 0;   // maxmemory; 0 = none
  std::int64_t max_client_memory = 0;  // maxmemory-clients: bytes; below 0, percent of maxmemory
  std::int64_t max_bulk_bytes = 16 * 1024 * 1024;  // proto-max-bulk-len
  // commands
  std::int64_t databases = 16;
  std::int64_t slow_log_slower_than_us = 10'000;  // -1 = off, 0 = everything
  std::int64_t slow_log_max_len = 128;
  std::int64_t latency_threshold_ms = 0;
  std::int64_t busy_reply_threshold_ms = 5'000;  // of a script; 0 = nobody is told BUSY
  std::int64_t script_max_memory_bytes = 64 * 1024 * 1024;
  std::int64_t script_max_steps = 5'000'000'000;
  // up to what a hash keeps the order of its fields, and a set is one of numbers
  std::int64_t hash_max_listpack_entries = 512;
  std::int64_t hash_max_listpack_value = 64;
  std::int64_t set_max_intset_entries = 512;
  std::string latency_percentiles = "50 99 99.9";  // those that INFO latencystats shows
  std::string enable_debug_command = "no";         // no | yes | local
  std::string enable_protected_configs = "no";
  std::string notify_keyspace_events;  // as CONFIG GET shows it; `notifications` is what it means
  Notifications notifications;
  std::int64_t tracking_table_max_keys = 1'000'000;  // 0 = no limit
  bool protected_mode = true;
  std::int64_t zset_listpack_entries = 128;
  std::int64_t zset_listpack_value = 64;
  std::int64_t blocked_max_bytes = 256 * 1024 * 1024;  // what requests that wait may take in all
  std::int64_t stream_node_max_bytes = 4096;
  std::int64_t stream_node_max_entries = 100;
  // durability
  bool append_only = true;
  std::string append_fsync = "everysec";
  std::int64_t rewrite_percentage = 100;  // auto-aof-rewrite-percentage; 0 = never
  std::int64_t rewrite_min_bytes = 64 * 1024 * 1024;
  std::string save;
  // Of replicas, and there are none: while both are above 0, writes are refused.
  std::int64_t min_replicas_to_write = 0;
  std::int64_t min_replicas_max_lag_s = 10;
  // locks
  LockLimits locks;
  // Accepted without any effect, by name, where it is not the default: see Parameter::no_effect.
  std::map<std::string, std::string, std::less<>> idle;

  bool lacks_replicas() const { return min_replicas_to_write > 0 && min_replicas_max_lag_s > 0; }
};

class Settings {
 public:
  SettingValues values;

  // At start: flags and config file. Any parameter may be set; the last one wins. The failure names
  // the parameter and never its value, which may be a password. Only a few parameters take several
  // words.
  Result<void> set_at_start(std::string_view name, std::string_view value);
  Result<void> set_at_start(std::string_view name, std::span<const std::string> words);
  // After the last of them: what only makes sense of several values together.
  Result<void> check_together() const;
  // CONFIG SET of several pairs: all or none. The failure is the whole error text.
  Result<void> set_at_run_time(const std::vector<std::pair<std::string, std::string>>& pairs);
  // CONFIG GET: parameters whose name matches any of the patterns, in name order, with their values
  // as text. A name without a glob comes back in the letters it was asked in.
  std::map<std::string, std::string> matching(const std::vector<std::string_view>& patterns) const;
  // All names, for --help.
  static std::vector<std::string_view> names();
  // Those that were given another value than their default and do nothing here: worth a line in the
  // log at start.
  std::vector<std::string_view> set_without_effect() const;

  // Called when set_at_run_time is to give `port` another value, which must work before any value
  // changes. Set by server/; without one every port is taken.
  std::function<Result<void>(std::int64_t port)> listen_at;
  // Called after each successful set_at_run_time, so that whoever caches a value hears of it.
  std::function<void()> on_change;
};

}  // namespace fencepost::commands
