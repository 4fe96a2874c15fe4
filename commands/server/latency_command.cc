// LATENCY: spikes and histograms as clients read them.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/help.h"
#include "commands/server/rows.h"
#include "commands/table.h"

namespace fencepost::commands {
namespace {

// LATENCY LATEST: event, when, the latest spike, the worst.
void latest(Context& context, Arguments&) {
  const auto& events = context.process.latency.events();
  context.reply.array(events.size());
  for (const auto& [name, event] : events) {
    context.reply.array(4);
    context.reply.bulk(name);
    context.reply.integer(event.samples.back().unix_s);
    context.reply.integer(event.samples.back().took_ms);
    context.reply.integer(event.worst_ms);
  }
}

// LATENCY HISTORY event
void history(Context& context, Arguments& arguments) {
  const auto& events = context.process.latency.events();
  const auto found = events.find(arguments[2]);
  if (found == events.end()) return context.reply.array(0);
  context.reply.array(found->second.samples.size());
  for (const auto& [unix_s, took_ms] : found->second.samples) {
    context.reply.array(2);
    context.reply.integer(unix_s);
    context.reply.integer(took_ms);
  }
}

// LATENCY RESET [event ...]: how many events were dropped.
void reset(Context& context, Arguments& arguments) {
  auto& latency = context.process.latency;
  std::size_t dropped = arguments.size() == 2 ? latency.reset_all() : 0;
  for (const auto event : arguments.from(2)) dropped += latency.reset(event);
  context.reply.integer(static_cast<std::int64_t>(dropped));
}

std::string line_of(std::string_view name, const Latency::Event& event) {
  std::int64_t sum = 0;
  for (const auto& sample : event.samples) sum += sample.took_ms;
  const auto count = static_cast<std::int64_t>(event.samples.size());
  return std::string{name} + ": " + std::to_string(count) + " spikes, " +
         std::to_string(sum / count) + " ms on average, " + std::to_string(event.worst_ms) +
         " ms at worst.\n";
}

// LATENCY DOCTOR: the same in words.
void doctor(Context& context, Arguments&) {
  const auto& process = context.process;
  std::string report;
  if (process.settings.values.latency_threshold_ms == 0) {
    report =
        "Nothing is watched: set latency-monitor-threshold to the milliseconds that count as a "
        "spike.\n";
  } else if (process.latency.events().empty()) {
    report = "No spike above latency-monitor-threshold was seen.\n";
  }
  for (const auto& [name, event] : process.latency.events()) report += line_of(name, event);
  context.reply.verbatim("txt", report);
}

using Histograms = std::map<std::string, const CommandStatistics*>;

// Statistics of the row, and of its subcommands.
void collect(const Statistics& statistics, const Command& command, Histograms& into) {
  const auto found = statistics.commands.find(&command);
  if (found != statistics.commands.end() && found->second.calls > 0) {
    into.emplace(found->second.name, &found->second);
  }
  for (const auto& row : command.subcommands) collect(statistics, row, into);
}

const Command* by_full_name(std::string_view name) {
  const auto bar = name.find('|');
  const auto* command = find_command(name.substr(0, bar));
  if (command == nullptr || bar == std::string_view::npos) return command;
  return find_subcommand(*command, name.substr(bar + 1));
}

// {microseconds: how many calls took at most that long}, only where the number rises.
void write_histogram(resp::ReplyWriter& reply, const CommandStatistics& statistics) {
  reply.map(2);
  reply.bulk("calls");
  reply.integer(static_cast<std::int64_t>(statistics.calls));
  reply.bulk("histogram_usec");
  const auto& counts = statistics.by_magnitude;
  reply.map(static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; })));
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    counted += counts[i];
    reply.integer(std::int64_t{1} << i);
    reply.integer(static_cast<std::int64_t>(counted));
  }
}

// LATENCY HISTOGRAM [command ...]
void histogram(Context& context, Arguments& arguments) {
  const auto& statistics = context.process.statistics;
  Histograms wanted;
  if (arguments.size() == 2) {
    for (const auto* command : all_commands()) collect(statistics, *command, wanted);
  }
  for (const auto name : arguments.from(2)) {
    const auto* command = by_full_name(name);
    if (command != nullptr) collect(statistics, *command, wanted);
  }
  context.reply.map(wanted.size());
  for (const auto& [name, of_command] : wanted) {
    context.reply.bulk(name);
    write_histogram(context.reply, *of_command);
  }
}

constexpr auto kFlags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale;
constexpr std::string_view kTips =
    "nondeterministic_output request_policy:all_nodes response_policy:special";

constexpr std::array kSubcommands{
    Command{.name = "DOCTOR",
            .group = "server",
            .since = "2.8.13",
            .summary = "Sums the spikes up in words.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = kFlags,
            .compat = {Compat::differs, "own words"},
            .run = doctor,
            .tips = kTips},
    Command{.name = "HELP",
            .group = "server",
            .since = "2.8.13",
            .summary = "Lists what LATENCY can be asked.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = Flag::loading | Flag::stale,
            .compat = {Compat::differs, "own words"},
            .run = reply_help},
    Command{.name = "HISTOGRAM",
            .group = "server",
            .since = "7.0.0",
            .summary = "How many calls of each command took how long.",
            .syntax = "[command [command ...]]",
            .complexity = "O(n) for n commands",
            .arity = at_least(2),
            .effect = Effect::session,
            .flags = kFlags,
            .compat = {Compat::differs, "the steps are exact powers of two"},
            .run = histogram,
            .tips = kTips},
    Command{.name = "HISTORY",
            .group = "server",
            .since = "2.8.13",
            .summary = "The spikes of one event.",
            .syntax = "event",
            .complexity = "O(1)",
            .arity = exactly(3),
            .effect = Effect::session,
            .flags = kFlags,
            .run = history,
            .tips = kTips},
    Command{.name = "LATEST",
            .group = "server",
            .since = "2.8.13",
            .summary = "The latest spike of each event.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = kFlags,
            .run = latest,
            .tips = kTips},
    Command{.name = "RESET",
            .group = "server",
            .since = "2.8.13",
            .summary = "Forgets the spikes of the named events, or of all.",
            .syntax = "[event [event ...]]",
            .complexity = "O(1)",
            .arity = at_least(2),
            .effect = Effect::session,
            .flags = kFlags,
            .run = reset,
            .tips = "request_policy:all_nodes response_policy:all_succeeded"},
};

}  // namespace

Command latency_command() {
  return {.name = "LATENCY",
          .group = "server",
          .since = "2.8.13",
          .summary = "What took long: spikes by event, histograms by command.",
          .complexity = "Depends on subcommand.",
          .arity = at_least(2),
          .effect = Effect::session,
          .compat = {Compat::differs, "no GRAPH"},
          .subcommands = kSubcommands};
}

}  // namespace fencepost::commands
