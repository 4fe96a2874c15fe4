// The sections of INFO, in the order in which they are printed. Fields that Redis has and that
// would have to be invented here are left out.
#include "commands/server/info_sections.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "commands/server/settings_table.h"
#include "commands/versions.h"

namespace fencepost::commands {
namespace {

constexpr std::int64_t kSecondsADay = 24 * 3600;

void write_server(Context& context, InfoText& info) {
  const auto& who = context.process.identity;
  const auto uptime_s = (context.now.log - who.started_at).count() / 1000;
  info.field("redis_version", kRedisVersion);
  info.field("fencepost_version", kVersion);
  info.field("redis_mode", "standalone");
  info.field("os", who.operating_system);
  info.field("arch_bits", static_cast<int>(8 * sizeof(void*)));
  info.field("monotonic_clock", "CLOCK_BOOTTIME");
  info.field("process_id", who.process_id);
  info.field("run_id", who.run_id);
  info.field("tcp_port", who.tcp_port);
  info.field("server_time_usec", context.now.wall().time_since_epoch().count() * 1000);
  info.field("uptime_in_seconds", uptime_s);
  info.field("uptime_in_days", uptime_s / kSecondsADay);
  info.field("executable", who.executable);
  info.field("config_file", who.config_file);
}

void write_clients(Context& context, InfoText& info) {
  std::size_t input = 0;
  std::size_t output = 0;
  std::uint64_t blocked = 0;
  for (const auto& [id, session] : context.process.clients) {
    input = std::max(input, session->input_bytes);
    output = std::max(output, session->output_bytes);
    if (session->waiting || session->paused) ++blocked;
  }
  info.field("connected_clients", std::uint64_t{context.process.clients.size()});
  info.field("maxclients", context.process.settings.values.max_clients);
  info.field("client_recent_max_input_buffer", std::uint64_t{input});
  info.field("client_recent_max_output_buffer", std::uint64_t{output});
  info.field("blocked_clients", blocked);
  info.field("tracking_clients", std::uint64_t{context.process.tracked_keys.client_count()});
  info.field("clients_in_timeout_table",
             std::uint64_t{context.state.parked().size_with_deadline()});
}

Usage usage_of(const Process& process) {
  return process.usage ? process.usage() : Usage{};
}

void write_memory(Context& context, InfoText& info) {
  const auto usage = usage_of(context.process);
  auto& peak = context.process.statistics.peak_memory_bytes;
  peak = std::max(peak, usage.used_bytes);
  info.bytes("used_memory", usage.used_bytes);
  info.bytes("used_memory_rss", usage.resident_bytes);
  info.bytes("used_memory_peak", peak);
  info.field("used_memory_peak_perc", fixed_point(100 * ratio(usage.used_bytes, peak), 2) + "%");
  info.field("allocator_allocated", usage.used_bytes);
  info.field("allocator_active", usage.allocated_bytes);
  info.field("allocator_resident", usage.resident_bytes);
  info.bytes("total_system_memory", usage.machine_bytes);
  const Scripts& scripts = context.process.scripts;
  info.field("used_memory_vm_eval", std::uint64_t{scripts.sandbox_bytes()});
  info.bytes("used_memory_lua", scripts.sandbox_bytes());
  info.field("used_memory_scripts_eval", std::uint64_t{scripts.bytes()});
  info.field("number_of_cached_scripts", std::uint64_t{scripts.count()});
  info.bytes("used_memory_scripts", scripts.bytes());
  info.bytes("maxmemory",
             static_cast<std::uint64_t>(context.process.settings.values.max_memory_bytes));
  info.field("maxmemory_policy", "noeviction");
  info.field("mem_fragmentation_ratio",
             fixed_point(ratio(usage.resident_bytes, usage.used_bytes), 2));
  info.field("mem_allocator", "libc");
}

// As Redis names them; bytes are those of the journal's files.
void write_loading(Context& context, InfoText& info) {
  const Loading& loading = context.process.loading;
  const std::int64_t took_s = to_unix_ms(context.now.log, context.now) / 1000 - loading.began_s;
  const std::uint64_t left = loading.bytes_in_all - std::min(loading.bytes, loading.bytes_in_all);
  const auto rate = loading.bytes / static_cast<std::uint64_t>(std::max<std::int64_t>(took_s, 1));
  info.field("loading_start_time", loading.began_s);
  info.field("loading_total_bytes", loading.bytes_in_all);
  info.field("loading_loaded_bytes", loading.bytes);
  info.field("loading_loaded_perc",
             fixed_point(100 * ratio(loading.bytes, loading.bytes_in_all), 2));
  info.field("loading_eta_seconds", rate > 0 ? left / rate : std::uint64_t{1});
}

void write_persistence(Context& context, InfoText& info) {
  info.field("loading", context.process.loading.active ? 1 : 0);
  info.field("async_loading", 0);
  const Durability& durability = context.process.durability;
  const std::int64_t now_s = to_unix_ms(context.now.log, context.now) / 1000;
  const std::int64_t started_s =
      to_unix_ms(context.process.identity.started_at, context.now) / 1000;
  const std::int64_t drawing_s = durability.rewriting ? now_s - durability.rewrite_began_s : -1;
  const std::string_view last_rewrite = durability.last_rewrite_failed ? "err" : "ok";
  info.field("rdb_changes_since_last_save", context.state.change_count());
  info.field("rdb_bgsave_in_progress", durability.rewriting ? 1 : 0);
  info.field("rdb_last_save_time", durability.last_save_s > 0 ? durability.last_save_s : started_s);
  info.field("rdb_last_bgsave_status", last_rewrite);
  info.field("rdb_last_bgsave_time_sec", durability.last_rewrite_took_s);
  info.field("rdb_current_bgsave_time_sec", drawing_s);
  info.field("rdb_saves", durability.rewrites);
  info.field("aof_enabled", durability.enabled ? 1 : 0);
  info.field("aof_rewrite_in_progress", durability.rewriting ? 1 : 0);
  info.field("aof_rewrite_scheduled", 0);
  info.field("aof_last_rewrite_time_sec", durability.last_rewrite_took_s);
  info.field("aof_current_rewrite_time_sec", drawing_s);
  info.field("aof_last_bgrewrite_status", last_rewrite);
  info.field("aof_rewrites", durability.rewrites);
  info.field("aof_last_write_status", durability.last_write_failed ? "err" : "ok");
  if (durability.enabled) {
    info.field("aof_current_size", durability.bytes);
    info.field("aof_base_size", durability.base_bytes);
    info.field("aof_pending_rewrite", 0);
    info.field("aof_pending_bio_fsync", durability.sync_in_progress ? 1 : 0);
    info.field("aof_delayed_fsync", durability.late_syncs);
    info.field("journal_waiting_batches", durability.waiting_batches);
    info.field("journal_syncs", durability.syncs);
    info.field("journal_last_sync_usec", durability.last_sync_us);
    info.field("journal_max_sync_usec", durability.max_sync_us);
    info.field("last_unclean_start", durability.unclean_start ? 1 : 0);
    info.field("fences_leapt_at_start", durability.leapt ? 1 : 0);
  } else {
    info.field("fence_floor_kept", durability.kept_floor);
  }
  info.field("fence_floor", context.state.keys().fences().floor());
  if (context.process.loading.active) write_loading(context, info);
}

void write_statistics(Context& context, InfoText& info) {
  const auto& counted = context.process.statistics;
  info.field("total_connections_received", counted.connections_received);
  info.field("total_commands_processed", counted.commands_processed);
  info.field("total_net_input_bytes", counted.input_bytes);
  info.field("total_net_output_bytes", counted.output_bytes);
  info.field("rejected_connections", counted.connections_rejected);
  info.field("expired_keys", context.state.lapsed_count() - counted.lapsed_keys_at_reset);
  info.field("evicted_keys", 0);
  info.field("keyspace_hits", counted.key_hits);
  info.field("keyspace_misses", counted.key_misses);
  const Subscriptions& subscriptions = context.process.subscriptions;
  info.field("pubsub_channels", std::uint64_t{subscriptions.count(Audience::channel)});
  info.field("pubsub_patterns", std::uint64_t{subscriptions.count(Audience::pattern)});
  info.field("pubsubshard_channels", std::uint64_t{subscriptions.count(Audience::shard)});
  const TrackedKeys& tracked = context.process.tracked_keys;
  info.field("tracking_total_keys", std::uint64_t{tracked.key_count()});
  info.field("tracking_total_items", std::uint64_t{tracked.item_count()});
  info.field("tracking_total_prefixes", std::uint64_t{tracked.prefix_count()});
  info.field("total_error_replies", counted.error_replies);
  info.field("client_query_buffer_limit_disconnections", counted.query_limit_disconnections);
  info.field("client_output_buffer_limit_disconnections", counted.output_limit_disconnections);
  info.field("acl_access_denied_auth", counted.acl_denied_auth);
}

void write_replication(Context& context, InfoText& info) {
  info.field("role", "master");
  info.field("connected_slaves", 0);
  info.field("master_failover_state", "no-failover");
  info.field("master_replid", context.process.identity.run_id);
  info.field("master_replid2", std::string(40, '0'));
  info.field("master_repl_offset", 0);
  info.field("second_repl_offset", -1);
}

void write_processor(Context& context, InfoText& info) {
  const auto usage = usage_of(context.process);
  info.field("used_cpu_sys", fixed_point(usage.system_s, 6));
  info.field("used_cpu_user", fixed_point(usage.user_s, 6));
}

void write_modules(Context&, InfoText&) {}

// By name: the order of an unordered map must not be seen.
std::map<std::string_view, const CommandStatistics*> by_name(const Statistics& statistics) {
  std::map<std::string_view, const CommandStatistics*> ordered;
  for (const auto& [command, counted] : statistics.commands)
    ordered.emplace(counted.name, &counted);
  return ordered;
}

void write_commands(Context& context, InfoText& info) {
  for (const auto& [name, counted] : by_name(context.process.statistics)) {
    const auto mean_us = counted->calls == 0 ? 0.0
                                             : static_cast<double>(counted->microseconds) /
                                                   static_cast<double>(counted->calls);
    info.field("cmdstat_" + std::string{name},
               "calls=" + std::to_string(counted->calls) +
                   ",usec=" + std::to_string(counted->microseconds) +
                   ",usec_per_call=" + fixed_point(mean_us, 2) +
                   ",rejected_calls=" + std::to_string(counted->rejected) +
                   ",failed_calls=" + std::to_string(counted->failed));
  }
}

void write_errors(Context& context, InfoText& info) {
  for (const auto& [word, count] : context.process.statistics.errors) {
    info.field("errorstat_" + word, "count=" + std::to_string(count));
  }
}

void write_latencies(Context& context, InfoText& info) {
  const auto percentiles = latency_percentiles(context.process.settings.values);
  for (const auto& [name, counted] : by_name(context.process.statistics)) {
    if (counted->calls == 0) continue;
    std::string shown;
    for (const auto& [percent, share] : percentiles) {
      const auto us = static_cast<double>(counted->percentile_us(share));
      shown.append(shown.empty() ? "p" : ",p").append(percent).append("=");
      shown.append(fixed_point(us, 3));
    }
    info.field("latency_percentiles_usec_" + std::string{name}, shown);
  }
}

void write_locks(Context& context, InfoText& info) {
  const auto& fences = context.keys().fences();
  info.field("lock_grants", context.process.statistics.grants);
  info.field("lock_waiters", std::uint64_t{context.state.locks().waiting_clients()});
  info.field("fence_floor", fences.floor());
  info.field("fence_highest", fences.highest());
  info.field("fence_idle_keys", std::uint64_t{fences.idle_count()});
}

void write_cluster(Context&, InfoText& info) {
  info.field("cluster_enabled", 0);
}

// Over some hundred keys at most: INFO must stay cheap.
std::int64_t mean_ttl_ms(Context& context, DatabaseIndex database) {
  constexpr std::size_t kSampled = 100;
  std::int64_t sum_ms = 0;
  std::int64_t leases = 0;
  context.keys().scan(database, 0, kSampled, [&](const state::Item& item) {
    if (item.deadline == kNever) return;
    sum_ms += std::max<std::int64_t>(0, (item.deadline - context.now.log).count());
    ++leases;
  });
  return leases == 0 ? 0 : sum_ms / leases;
}

void write_keyspace(Context& context, InfoText& info) {
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    const auto keys = context.keys().size(database);
    if (keys == 0) continue;
    info.field("db" + std::to_string(database),
               "keys=" + std::to_string(keys) +
                   ",expires=" + std::to_string(context.keys().size_with_lease(database)) +
                   ",avg_ttl=" + std::to_string(mean_ttl_ms(context, database)));
  }
}

constexpr std::array kSections{
    InfoSection{"server", "Server", true, write_server},
    InfoSection{"clients", "Clients", true, write_clients},
    InfoSection{"memory", "Memory", true, write_memory},
    InfoSection{"persistence", "Persistence", true, write_persistence},
    InfoSection{"stats", "Stats", true, write_statistics},
    InfoSection{"replication", "Replication", true, write_replication},
    InfoSection{"cpu", "CPU", true, write_processor},
    InfoSection{"modules", "Modules", true, write_modules},
    InfoSection{"commandstats", "Commandstats", false, write_commands},
    InfoSection{"errorstats", "Errorstats", true, write_errors},
    InfoSection{"latencystats", "Latencystats", false, write_latencies},
    InfoSection{"locks", "Locks", true, write_locks},
    InfoSection{"cluster", "Cluster", true, write_cluster},
    InfoSection{"keyspace", "Keyspace", true, write_keyspace},
};

}  // namespace

std::span<const InfoSection> info_sections() {
  return kSections;
}

}  // namespace fencepost::commands
