// The rows of the parameter table.
#include "commands/server/settings_table.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace fencepost::commands {

namespace {

using Kind = Parameter::Kind;
using Change = Parameter::Change;
using Place = Parameter::Place;
using Values = SettingValues;

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMinInt = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMaxUnsigned = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMegabyte = 1024 * 1024;
// Waits and leases up to ten years: far from where log time ends.
constexpr std::int64_t kLongestMs = std::int64_t{10} * 365 * 24 * 3600 * 1000;

constexpr Parameter integer(std::string_view name, Place place, std::int64_t low, std::int64_t high,
                            Change change = Change::any_time) {
  return {.name = name,
          .kind = Kind::integer,
          .place = place,
          .low = low,
          .high = high,
          .change = change};
}

constexpr Parameter bytes(std::string_view name, Place place, std::int64_t low) {
  return {.name = name, .kind = Kind::bytes, .place = place, .low = low};
}

constexpr Parameter yes_no(std::string_view name, Place place, Change change = Change::any_time) {
  return {.name = name, .kind = Kind::yes_no, .place = place, .change = change};
}

constexpr Parameter text(std::string_view name, Place place, Change change = Change::any_time) {
  return {.name = name, .kind = Kind::text, .place = place, .change = change};
}

constexpr Parameter choice(std::string_view name, std::string_view choices, Place place,
                           Change change = Change::any_time) {
  return {.name = name, .kind = Kind::choice, .place = place, .choices = choices, .change = change};
}

// What follows does nothing here.
constexpr Parameter idle(Parameter parameter, std::string_view initial) {
  parameter.initial = initial;
  parameter.no_effect = true;
  return parameter;
}

constexpr Parameter idle_integer(std::string_view name, std::string_view initial, std::int64_t low,
                                 std::int64_t high) {
  return idle(integer(name, {}, low, high), initial);
}

constexpr Parameter idle_bytes(std::string_view name, std::string_view initial) {
  return idle(bytes(name, {}, 0), initial);
}

constexpr Parameter idle_yes_no(std::string_view name, std::string_view initial) {
  return idle(yes_no(name, {}), initial);
}

// Only one of Redis's values is true of fencepost; asking for another is refused.
constexpr Parameter only(std::string_view name, std::string_view value) {
  return idle(choice(name, value, {}), value);
}

constexpr Parameter also_named(std::string_view alias, Parameter parameter) {
  parameter.alias = alias;
  return parameter;
}

constexpr Parameter in_words(Parameter parameter) {
  parameter.several_words = true;
  return parameter;
}

constexpr Parameter of_kind(Kind kind, Parameter parameter) {
  parameter.kind = kind;
  return parameter;
}

// clang-format off
constexpr std::array kTable{
    // network
    integer("port", &Values::port, 0, 65535),
    in_words(text("bind", &Values::bind, Change::at_start_or_same)),
    text("unixsocket", &Values::unix_socket, Change::at_start),
    of_kind(Kind::octal,
            integer("unixsocketperm", &Values::unix_socket_mode, 0, 0777, Change::at_start)),
    integer("tcp-backlog", &Values::tcp_backlog, 0, kMaxInt, Change::at_start),
    integer("maxclients", &Values::max_clients, 1, kMaxUnsigned),
    integer("timeout", &Values::timeout_s, 0, kMaxInt),
    integer("tcp-keepalive", &Values::tcp_keepalive_s, 0, kMaxInt),
    in_words(of_kind(Kind::output_limits, text("client-output-buffer-limit", {}))),
    also_named("query-buffer-limit",
               bytes("client-query-buffer-limit", &Values::query_buffer_limit_bytes, kMegabyte)),
    bytes("proto-max-bulk-len", &Values::max_bulk_bytes, kMegabyte),
    bytes("maxmemory", &Values::max_memory_bytes, 0),
    of_kind(Kind::bytes_or_percent, bytes("maxmemory-clients", &Values::max_client_memory, 0)),
    yes_no("protected-mode", &Values::protected_mode),
    text("requirepass", &Values::password),

    // process
    text("dir", &Values::directory, Change::at_start),
    text("logfile", &Values::log_file, Change::at_start),
    choice("loglevel", "debug, verbose, notice, warning", &Values::log_level),
    yes_no("daemonize", &Values::daemonize, Change::at_start),
    integer("databases", &Values::databases, 1, kDatabaseCount, Change::at_start),
    choice("enable-debug-command", "no, yes, local", &Values::enable_debug_command,
           Change::at_start),
    integer("slowlog-log-slower-than", &Values::slow_log_slower_than_us, -1, kMax),
    integer("slowlog-max-len", &Values::slow_log_max_len, 0, kMax),
    integer("latency-monitor-threshold", &Values::latency_threshold_ms, 0, kMax),
    in_words(of_kind(Kind::percentiles, text("latency-tracking-info-percentiles",
                                             &Values::latency_percentiles))),

    // up to where values are of the encodings that Redis has for small ones
    also_named("zset-max-ziplist-entries",
               integer("zset-max-listpack-entries", &Values::zset_listpack_entries, 0, kMax)),
    also_named("zset-max-ziplist-value",
               bytes("zset-max-listpack-value", &Values::zset_listpack_value, 0)),
    // scripts
    also_named("lua-time-limit",
               integer("busy-reply-threshold", &Values::busy_reply_threshold_ms, 0, kMax)),
    bytes("script-max-memory", &Values::script_max_memory_bytes, kMegabyte),
    integer("script-max-steps", &Values::script_max_steps, 10'000, kMax),

    // what happens to keys is told
    of_kind(Kind::events, text("notify-keyspace-events", &Values::notify_keyspace_events)),
    integer("tracking-table-max-keys", &Values::tracking_table_max_keys, 0, kMax),

    // values and those who wait for them
    bytes("blocked-clients-max-memory", &Values::blocked_max_bytes, 0),
    bytes("stream-node-max-bytes", &Values::stream_node_max_bytes, 0),
    integer("stream-node-max-entries", &Values::stream_node_max_entries, 0, kMax),

    // locks
    integer("lock-default-ttl", &LockLimits::default_ttl, 1, kLongestMs),
    integer("lock-max-ttl", &LockLimits::max_ttl, 1, kLongestMs),
    integer("lock-max-wait", &LockLimits::max_wait, 0, kLongestMs),
    integer("lock-queue-hold", &LockLimits::queue_hold, 0, kLongestMs),
    integer("lock-max-waiters", &LockLimits::max_waiters_per_key, 1, kMaxUnsigned),
    integer("lock-max-waiters-total", &LockLimits::max_waiters, 0, kMaxUnsigned),
    bytes("lock-max-waiters-bytes", &LockLimits::max_waiters_bytes, kMegabyte),
    integer("fence-idle-keys", &LockLimits::fence_idle_keys, 0, kMaxUnsigned),

    // durability
    yes_no("appendonly", &Values::append_only, Change::at_start_or_same),
    choice("appendfsync", "everysec, always, no", &Values::append_fsync),
    integer("auto-aof-rewrite-percentage", &Values::rewrite_percentage, 0, kMaxInt),
    bytes("auto-aof-rewrite-min-size", &Values::rewrite_min_bytes, 0),

    also_named("min-slaves-to-write",
               integer("min-replicas-to-write", &Values::min_replicas_to_write, 0, kMaxInt)),
    also_named("min-slaves-max-lag",
               integer("min-replicas-max-lag", &Values::min_replicas_max_lag_s, 0, kMaxInt)),

    // accepted without effect: there is one journal, and it does not need them
    idle(in_words(of_kind(Kind::save, text("save", &Values::save))), ""),
    idle_yes_no("rdbcompression", "yes"),
    idle_yes_no("rdbchecksum", "yes"),
    idle_yes_no("stop-writes-on-bgsave-error", "yes"),
    idle_yes_no("no-appendfsync-on-rewrite", "no"),
    idle_yes_no("aof-use-rdb-preamble", "yes"),
    idle_yes_no("aof-load-truncated", "yes"),
    idle(text("dbfilename", {}, Change::at_start), "dump.rdb"),
    idle(text("appendfilename", {}, Change::at_start), "appendonly.aof"),

    // accepted without effect: nothing is ever evicted
    only("maxmemory-policy", "noeviction"),
    idle_integer("maxmemory-samples", "5", 1, kMaxInt),
    idle_integer("maxmemory-eviction-tenacity", "10", 0, 100),
    idle_integer("lfu-log-factor", "10", 0, kMaxInt),
    idle_integer("lfu-decay-time", "1", 0, kMaxInt),

    // accepted without effect: how Redis spends memory and time inside
    idle_integer("hz", "10", 1, 500),
    idle_yes_no("dynamic-hz", "yes"),
    idle_yes_no("activerehashing", "yes"),
    idle_integer("active-expire-effort", "1", 1, 10),
    only("activedefrag", "no"),
    idle_yes_no("lazyfree-lazy-eviction", "no"),
    idle_yes_no("lazyfree-lazy-expire", "no"),
    idle_yes_no("lazyfree-lazy-server-del", "no"),
    idle_yes_no("lazyfree-lazy-user-del", "no"),
    idle_yes_no("lazyfree-lazy-user-flush", "no"),
    also_named("list-max-ziplist-size",
               idle_integer("list-max-listpack-size", "-2", kMinInt, kMaxInt)),
    idle_integer("list-compress-depth", "0", 0, kMaxInt),
    also_named("hash-max-ziplist-entries",
               integer("hash-max-listpack-entries", &Values::hash_max_listpack_entries, 0, kMax)),
    also_named("hash-max-ziplist-value",
               bytes("hash-max-listpack-value", &Values::hash_max_listpack_value, 0)),
    integer("set-max-intset-entries", &Values::set_max_intset_entries, 0, kMax),
    idle_bytes("hll-sparse-max-bytes", "3000"),
    idle(choice("io-threads", "1", {}, Change::at_start), "1"),
    idle_yes_no("latency-tracking", "yes"),
    idle(choice("enable-protected-configs", "no, yes, local", &Values::enable_protected_configs,
                Change::at_start), ""),

    // accepted without effect: comes later
    idle_integer("acllog-max-len", "128", 0, kMax),

    // accepted without effect: there is no replica, and no cluster
    also_named("slave-read-only", idle_yes_no("replica-read-only", "yes")),
    also_named("slave-serve-stale-data", idle_yes_no("replica-serve-stale-data", "yes")),
    also_named("slave-priority", idle_integer("replica-priority", "100", 0, kMaxInt)),
    also_named("slave-lazy-flush", idle_yes_no("replica-lazy-flush", "no")),
    also_named("slave-ignore-maxmemory", idle_yes_no("replica-ignore-maxmemory", "yes")),
    also_named("repl-ping-slave-period",
               idle_integer("repl-ping-replica-period", "10", 1, kMaxInt)),
    idle_integer("repl-timeout", "60", 1, kMaxInt),
    idle(bytes("repl-backlog-size", {}, 1), "1048576"),
    idle_integer("repl-backlog-ttl", "3600", 0, kMax),
    idle_yes_no("repl-diskless-sync", "yes"),
    idle_integer("repl-diskless-sync-delay", "5", 0, kMaxInt),
    idle_yes_no("repl-disable-tcp-nodelay", "no"),
    idle(text("masteruser", {}), ""),
    idle(text("masterauth", {}), ""),
    idle(choice("cluster-enabled", "no", {}, Change::at_start), "no"),
};
// clang-format on

}  // namespace

bool Parameter::has_name(std::string_view word) const {
  return same_word(word, name) || (!alias.empty() && same_word(word, alias));
}

std::span<const Parameter> parameters() {
  return kTable;
}

const Parameter* find_parameter(std::string_view name) {
  const auto found = std::find_if(kTable.begin(), kTable.end(),
                                  [name](const Parameter& row) { return row.has_name(name); });
  return found == kTable.end() ? nullptr : &*found;
}

}  // namespace fencepost::commands
