// The command line, in Redis's way.
#include "server/command_line.h"

#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/number.h"
#include "commands/server/settings.h"

namespace fencepost::server {

namespace {

// --raise-floor belongs to this start alone and is no parameter, so it is taken out first.
Result<std::vector<std::string_view>> take_raise_floor(CommandLine& line,
                                                       std::span<const std::string_view> words) {
  std::vector<std::string_view> rest;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] != "--raise-floor") {
      rest.push_back(words[at]);
      continue;
    }
    line.raise_floor = 0;
    if (at + 1 == words.size() || words[at + 1].starts_with("--")) continue;
    const std::optional<std::int64_t> to = parse_integer(words[++at]);
    if (!to || *to < 1 || std::cmp_greater(*to, kMaxFence)) {
      return failure(
          fmt::format("--raise-floor: '{}' is no number from 1 to {}", words[at], kMaxFence));
    }
    line.raise_floor = static_cast<std::uint64_t>(*to);
  }
  return rest;
}

}  // namespace

Result<CommandLine> read_command_line(std::span<const std::string_view> words) {
  CommandLine line;
  if (!words.empty() && (words.front() == "-h" || words.front() == "--help")) {
    line.wish = CommandLine::Wish::help;
    return line;
  }
  if (!words.empty() && (words.front() == "-v" || words.front() == "--version")) {
    line.wish = CommandLine::Wish::version;
    return line;
  }
  if (!words.empty() && (words.front() == "--check" || words.front() == "--repair")) {
    if (words.size() != 2)
      return failure(fmt::format("{} stands before one folder", words.front()));
    line.wish = words.front() == "--check" ? CommandLine::Wish::check : CommandLine::Wish::repair;
    line.folder = words.back();
    return line;
  }
  if (!words.empty() && !words.front().starts_with("--")) {
    line.config_file = words.front();
    words = words.subspan(1);
  }
  const auto wants_value = [&line] {
    return !line.parameters.empty() && line.parameters.back().words.empty();
  };
  const Result<std::vector<std::string_view>> rest = take_raise_floor(line, words);
  if (!rest) return tl::unexpected{rest.error()};
  for (const std::string_view word : *rest) {
    const bool is_name = word.size() > 2 && word.starts_with("--");
    if (is_name && wants_value()) break;
    const std::size_t equals = word.find('=');
    if (is_name && equals != std::string_view::npos) {
      return failure(fmt::format("'{}': the value stands behind the name, as in {} {}", word,
                                 word.substr(0, equals), word.substr(equals + 1)));
    }
    if (is_name) {
      line.parameters.push_back({.name = std::string{word.substr(2)}, .words = {}});
    } else if (line.parameters.empty()) {
      return failure(fmt::format("'{}' stands where --name is expected", word));
    } else {
      line.parameters.back().words.emplace_back(word);
    }
  }
  if (wants_value()) return failure(fmt::format("--{} needs a value", line.parameters.back().name));
  return line;
}

std::string help_text() {
  std::string text =
      "fencepost: a lock server with fencing tokens that speaks the Redis protocol\n"
      "\n"
      "  fencepost [config-file | -] [--name value ...]\n"
      "  fencepost --help | --version\n"
      "  fencepost --check FOLDER     says what is in a journal, and changes nothing\n"
      "  fencepost --repair FOLDER    keeps what can be kept of a damaged one\n"
      "\n"
      "The config file has lines of `name value`, as redis.conf. Parameters on the command line "
      "win\n"
      "over it. For example:\n"
      "\n"
      "  fencepost --port 6380 --bind 127.0.0.1 ::1 --requirepass secret\n"
      "\n"
      "--raise-floor [number] lets fences go on above that number, or a million above what they "
      "are:\n"
      "for a start on a backup.\n"
      "\n"
      "Parameters (CONFIG GET shows their values):\n";
  for (const std::string_view name : commands::Settings::names()) {
    text += fmt::format("  --{}\n", name);
  }
  return text;
}

}  // namespace fencepost::server
