// What is counted and logged of each request: commandstats, errorstats, the slow log, MONITOR.
#include <algorithm>
#include <bit>
#include <utility>

#include "commands/server/monitor.h"
#include "server/engine.h"

namespace fencepost::server {

namespace {

using commands::Flag;

// Index of the smallest power of two that is not below.
std::size_t magnitude(std::int64_t took_us, std::size_t count) {
  if (took_us <= 1) return 0;
  const auto width =
      static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(took_us) - 1));
  return std::min(width, count - 1);
}

std::int64_t unix_seconds(Now now) {
  return to_unix_ms(now.log, now) / 1000;
}

}  // namespace

commands::CommandStatistics& Engine::statistics_of(const commands::Resolved& found) {
  commands::CommandStatistics& counted = process_.statistics.commands[found.command];
  if (counted.name.empty()) counted.name = commands::full_name(found.container, *found.command);
  return counted;
}

void Engine::count(const commands::Context& context, const commands::Resolved& found,
                   commands::Arguments arguments, std::string_view reply, std::int64_t took_us) {
  const commands::Command& command = *found.command;
  commands::CommandStatistics& counted = statistics_of(found);
  ++counted.calls;
  counted.microseconds += static_cast<std::uint64_t>(took_us);
  ++counted.by_magnitude[magnitude(took_us, counted.by_magnitude.size())];
  const bool is_error = reply.starts_with('-');
  if (is_error || context.failed) ++counted.failed;
  if (is_error && !context.errors_are_counted) count_error(reply.substr(1));
  ++process_.statistics.commands_processed;
  ++context.session.commands_run;
  // Those that wait are logged when they are answered.
  if (!context.parked || !state_.parked().find(context.session.id)) {
    log_if_slow(context.session, command, arguments, took_us);
  }
  if (process_.monitor_count > 0 && !has(command.flags, Flag::skip_monitor | Flag::admin)) {
    feed_monitors(context, arguments);
  }
}

// One that waited and was counted when it began to.
void Engine::count_resumed(const commands::Context& context, const commands::Resolved& found,
                           commands::Arguments arguments, std::string_view reply,
                           std::int64_t took_us) {
  commands::CommandStatistics& counted = statistics_of(found);
  counted.microseconds += static_cast<std::uint64_t>(took_us);
  if (reply.starts_with('-')) {
    ++counted.failed;
    count_error(reply.substr(1));
  }
  log_if_slow(context.session, *found.command, arguments, took_us);
}

void Engine::log_if_slow(const commands::Session& session, const commands::Command& command,
                         commands::Arguments arguments, std::int64_t took_us) {
  const std::int64_t slower_than_us = process_.settings.values.slow_log_slower_than_us;
  if (slower_than_us >= 0 && took_us >= slower_than_us && !has(command.flags, Flag::skip_slowlog)) {
    process_.slow_log.add(arguments.all(), unix_seconds(now_), took_us, session.address,
                          session.name,
                          static_cast<std::size_t>(std::max<std::int64_t>(
                              process_.settings.values.slow_log_max_len, 0)));
  }
  const std::int64_t threshold_ms = process_.settings.values.latency_threshold_ms;
  if (threshold_ms > 0 && took_us / 1000 >= threshold_ms) {
    process_.latency.add(has(command.flags, Flag::fast) ? "fast-command" : "command",
                         unix_seconds(now_), took_us / 1000);
  }
}

// By its first word, as INFO errorstats shows it.
void Engine::count_error(std::string_view text) {
  constexpr std::size_t kMostWords = 128;
  commands::Statistics& statistics = process_.statistics;
  ++statistics.error_replies;
  const std::string_view word = text.substr(0, text.find_first_of(" \r"));
  const auto at = statistics.errors.find(word);
  if (at != statistics.errors.end()) {
    ++at->second;
  } else if (statistics.errors.size() < kMostWords) {
    statistics.errors.emplace(word, 1);
  }
}

void Engine::feed_monitors(const commands::Context& context, commands::Arguments arguments) {
  for (const auto& [id, session] : process_.clients) {
    if (!session->monitoring || session->replies == commands::ReplyMode::off) continue;
    Connection& monitor = *find(id);
    commands::monitor_line(monitor.output.open(pool_), context, arguments);
    mark_dirty(monitor);
    if (monitor.output.pending() > most_unread()) {
      ++process_.statistics.output_limit_disconnections;
      cut_off(monitor, "it does not read what MONITOR tells it");
    }
  }
}

}  // namespace fencepost::server
