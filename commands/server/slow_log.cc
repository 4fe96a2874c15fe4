// SLOWLOG: the latest commands that took longer than slowlog-log-slower-than.
#include "commands/server/slow_log.h"

#include <algorithm>

#include "commands/server/redaction.h"

namespace fencepost::commands {
namespace {

constexpr std::size_t kMaxWords = 32;
constexpr std::size_t kMaxWordBytes = 128;

std::string shortened(std::string_view word) {
  if (word.size() <= kMaxWordBytes) return std::string{word};
  return std::string{word.substr(0, kMaxWordBytes)} + "... (" +
         std::to_string(word.size() - kMaxWordBytes) + " more bytes)";
}

std::vector<std::string> summed_up(std::span<const std::string_view> words) {
  const bool too_many = words.size() > kMaxWords;
  const auto kept = too_many ? kMaxWords - 1 : words.size();
  std::vector<std::string> arguments;
  arguments.reserve(kept + 1);
  for (const auto word : words.first(kept)) arguments.push_back(shortened(word));
  if (too_many)
    arguments.push_back("... (" + std::to_string(words.size() - kept) + " more arguments)");
  return arguments;
}

}  // namespace

void SlowLog::add(std::span<const std::string_view> arguments, std::int64_t unix_s,
                  std::int64_t took_us, std::string_view client_address,
                  std::string_view client_name, std::size_t max_entries) {
  entries_.push_front({.id = next_id_++,
                       .unix_s = unix_s,
                       .took_us = took_us,
                       .arguments = summed_up(redacted(arguments)),
                       .client_address = std::string{client_address},
                       .client_name = std::string{client_name}});
  if (entries_.size() > max_entries) entries_.resize(max_entries);
}

}  // namespace fencepost::commands
