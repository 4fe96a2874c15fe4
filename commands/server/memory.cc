// MEMORY: what keys and the process take up.
#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/help.h"
#include "commands/server/info_text.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

// What the C library adds to a block, what a tree adds to each of its members, and what an item's
// place in the index (of whose pages about half is taken) and among the deadlines takes.
constexpr std::size_t kBlockOverhead = 16;
constexpr std::size_t kTreeOverhead = 32 + kBlockOverhead;
constexpr std::size_t kIndexPlace = 2 * (sizeof(void*) + sizeof(std::uint16_t));
constexpr std::size_t kDeadlinePlace = sizeof(Instant) + sizeof(void*);

// Short strings live within the object that has them.
std::size_t outside_bytes(const std::string& text) {
  const auto room = std::string{}.capacity();
  return text.capacity() <= room ? 0 : text.capacity() + 1 + kBlockOverhead;
}

std::size_t terms_bytes(const state::HoldTerms* terms) {
  return terms == nullptr ? 0
                          : sizeof(state::HoldTerms) + kBlockOverhead + outside_bytes(terms->meta);
}

std::size_t lock_bytes(const state::SharedLock& lock) {
  std::size_t bytes =
      sizeof(lock) + kBlockOverhead + lock.released().capacity() * sizeof(std::uint64_t);
  for (const auto& [owner, hold] : lock.holds()) {
    // Each hold stands by its owner, and by its deadline with the owner once more.
    bytes += 2 * (kTreeOverhead + sizeof(std::string) + outside_bytes(owner)) + sizeof(hold) +
             sizeof(Instant) + terms_bytes(hold.terms.get());
  }
  return bytes;
}

std::size_t item_bytes(const state::Item& item) {
  std::size_t bytes = item.memory_bytes() + kIndexPlace + terms_bytes(item.terms());
  if (item.deadline != kNever) bytes += kDeadlinePlace;
  if (item.is_collection()) return bytes + item.collection().memory_bytes();
  return item.is_lock() ? bytes + lock_bytes(item.lock()) : bytes;
}

// MEMORY USAGE key [SAMPLES count]: SAMPLES changes nothing, for no value is only sampled.
void usage(Context& context, Arguments& arguments) {
  for (std::size_t at = 3; at < arguments.size(); at += 2) {
    if (!same_word(arguments[at], "samples") || at + 1 == arguments.size()) {
      return context.reply.error(kSyntaxError);
    }
    const auto samples = parse_integer(arguments[at + 1]);
    if (!samples) return context.reply.error(kNotAnInteger);
    if (*samples < 0) return context.reply.error(kSyntaxError);
  }
  const auto* item = context.keys().find(context.database(), arguments[2]);
  if (item == nullptr) return context.reply.null();
  context.reply.integer(static_cast<std::int64_t>(item_bytes(*item)));
}

std::size_t key_count(Context& context) {
  std::size_t count = 0;
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    count += context.keys().size(database);
  }
  return count;
}

void write_number(resp::ReplyWriter& reply, std::string_view name, std::uint64_t value) {
  reply.bulk(name);
  reply.integer(static_cast<std::int64_t>(value));
}

Usage usage_of(const Process& process) {
  return process.usage ? process.usage() : Usage{};
}

// MEMORY STATS: those of Redis's fields that have a meaning here.
void statistics(Context& context, Arguments&) {
  const auto usage = usage_of(context.process);
  auto& peak = context.process.statistics.peak_memory_bytes;
  peak = std::max(peak, usage.used_bytes);
  const auto keys = key_count(context);
  context.reply.map(9);
  write_number(context.reply, "peak.allocated", peak);
  write_number(context.reply, "total.allocated", usage.used_bytes);
  write_number(context.reply, "keys.count", keys);
  write_number(context.reply, "keys.bytes-per-key", keys == 0 ? 0 : usage.used_bytes / keys);
  context.reply.bulk("peak.percentage");
  context.reply.real(100 * ratio(usage.used_bytes, peak));
  write_number(context.reply, "allocator.allocated", usage.used_bytes);
  write_number(context.reply, "allocator.active", usage.allocated_bytes);
  write_number(context.reply, "allocator.resident", usage.resident_bytes);
  context.reply.bulk("fragmentation");
  context.reply.real(ratio(usage.resident_bytes, usage.used_bytes));
}

// MEMORY DOCTOR: the figures that matter, in words.
void doctor(Context& context, Arguments&) {
  const auto usage = usage_of(context.process);
  const auto idle = context.keys().fences().idle_count();
  context.reply.verbatim("txt", human_bytes(usage.used_bytes) + " are in use by " +
                                    std::to_string(key_count(context)) + " keys, " +
                                    std::to_string(idle) + " idle fence counters and " +
                                    std::to_string(context.process.clients.size()) + " clients; " +
                                    human_bytes(usage.resident_bytes) + " are resident.\n");
}

// MEMORY PURGE
void purge(Context& context, Arguments&) {
  if (context.process.trim_memory) context.process.trim_memory();
  context.reply.simple("OK");
}

constexpr std::array kSubcommands{
    Command{.name = "DOCTOR",
            .group = "server",
            .since = "4.0.0",
            .summary = "Says in words what takes up memory.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .compat = {Compat::differs, "own words"},
            .run = doctor,
            .tips = "nondeterministic_output request_policy:all_shards response_policy:special"},
    Command{.name = "HELP",
            .group = "server",
            .since = "4.0.0",
            .summary = "Lists what MEMORY can be asked.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = Flag::loading | Flag::stale,
            .compat = {Compat::differs, "own words"},
            .run = reply_help},
    Command{.name = "PURGE",
            .group = "server",
            .since = "4.0.0",
            .summary = "Gives unused memory back to the kernel.",
            .complexity = "Depends on how much memory is unused.",
            .arity = exactly(2),
            .effect = Effect::session,
            .run = purge,
            .tips = "request_policy:all_shards response_policy:all_succeeded"},
    Command{.name = "STATS",
            .group = "server",
            .since = "4.0.0",
            .summary = "Figures about the memory of the process.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .compat = {Compat::differs, "fewer fields"},
            .run = statistics,
            .tips = "nondeterministic_output request_policy:all_shards response_policy:special"},
    Command{.name = "USAGE",
            .group = "server",
            .since = "4.0.0",
            .summary = "How many bytes a key and its value take up, as an estimate.",
            .syntax = "key [SAMPLES count]",
            .complexity = "O(n) for n holders",
            .arity = at_least(3),
            .keys = {.first = 2, .last = 2, .step = 1, .use = KeyUse::read_only},
            .effect = Effect::read,
            .compat = {Compat::differs, "own structures, own sizes"},
            .run = usage},
};

}  // namespace

Command memory_command() {
  return {.name = "MEMORY",
          .group = "server",
          .since = "4.0.0",
          .summary = "What keys and the process take up.",
          .complexity = "Depends on subcommand.",
          .arity = at_least(2),
          .effect = Effect::session,
          .compat = {Compat::differs, "no MALLOC-STATS"},
          .subcommands = kSubcommands};
}

}  // namespace fencepost::commands
