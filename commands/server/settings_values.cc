// Parameter values as text, and back.
//
//   save           = "" | { seconds " " changes }
//   percentiles    = "" | number { " " number }
//   output limits  = { ("normal" | "slave" | "replica" | "pubsub") " " bytes " " bytes " " seconds
//   }
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "commands/server/settings_table.h"

namespace fencepost::commands {

namespace {

// std::visit by a lambda for each type.
template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

std::vector<std::string_view> split_at_single_spaces(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t space = text.find(' ');
    words.push_back(text.substr(0, space));
    if (space == std::string_view::npos) return words;
    text.remove_prefix(space + 1);
  }
}

// --- numbers

void store(SettingValues& values, const Parameter& parameter, std::int64_t number) {
  std::visit(
      Overloaded{
          [&](std::monostate) {
            std::string text;
            append_integer(text, number);
            values.idle.insert_or_assign(std::string{parameter.name}, std::move(text));
          },
          [&](std::int64_t SettingValues::*member) { values.*member = number; },
          [&](bool SettingValues::*member) { values.*member = number != 0; },
          [&](std::string SettingValues::*member) { values.*member = std::to_string(number); },
          [&](Duration LockLimits::*member) { values.locks.*member = Duration{number}; },
          [&](std::size_t LockLimits::*member) {
            values.locks.*member = static_cast<std::size_t>(number);
          },
      },
      parameter.place);
}

Result<void> store_within_bounds(SettingValues& values, const Parameter& parameter,
                                 std::int64_t number) {
  if (number < parameter.low || number > parameter.high) {
    return failure(
        fmt::format("argument must be between {} and {} inclusive", parameter.low, parameter.high));
  }
  store(values, parameter, number);
  return {};
}

std::optional<std::int64_t> parse_octal(std::string_view text) {
  if (text.empty() || text.size() > 6) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') return std::nullopt;
    number = number * 8 + (c - '0');
  }
  return number;
}

Result<void> set_number(SettingValues& values, const Parameter& parameter, std::string_view text) {
  const std::optional<std::int64_t> number = parse_integer(text);
  if (!number) return failure("argument couldn't be parsed into an integer");
  return store_within_bounds(values, parameter, *number);
}

Result<void> set_octal(SettingValues& values, const Parameter& parameter, std::string_view text) {
  const std::optional<std::int64_t> number = parse_octal(text);
  if (!number) return failure("argument couldn't be parsed into an integer");
  return store_within_bounds(values, parameter, *number);
}

Result<void> set_bytes(SettingValues& values, const Parameter& parameter, std::string_view text) {
  const std::optional<std::int64_t> number = parse_bytes(text);
  if (!number) return failure("argument must be a memory value");
  return store_within_bounds(values, parameter, *number);
}

Result<void> set_bytes_or_percent(SettingValues& values, const Parameter& parameter,
                                  std::string_view text) {
  const bool is_percent = text.ends_with('%');
  const std::optional<std::int64_t> number =
      is_percent ? parse_integer(text.substr(0, text.size() - 1)) : parse_bytes(text);
  if (!number || *number < 0) return failure("argument must be a memory or percent value");
  if (is_percent && *number > 100) {
    return failure("percentage argument must be less or equal to 100");
  }
  store(values, parameter, is_percent ? -*number : *number);
  return {};
}

// --- words

void store(SettingValues& values, const Parameter& parameter, std::string text) {
  if (const auto* member = std::get_if<std::string SettingValues::*>(&parameter.place)) {
    values.*(*member) = std::move(text);
  } else {
    values.idle.insert_or_assign(std::string{parameter.name}, std::move(text));
  }
}

Result<void> set_yes_no(SettingValues& values, const Parameter& parameter, std::string_view text) {
  const bool yes = same_word(text, "yes");
  if (!yes && !same_word(text, "no")) return failure("argument must be 'yes' or 'no'");
  if (const auto* member = std::get_if<bool SettingValues::*>(&parameter.place)) {
    values.*(*member) = yes;
  } else {
    store(values, parameter, std::string{yes ? "yes" : "no"});
  }
  return {};
}

Result<void> set_choice(SettingValues& values, const Parameter& parameter, std::string_view text) {
  std::string_view left = parameter.choices;
  while (!left.empty()) {
    const std::size_t comma = std::min(left.find(", "), left.size());
    if (same_word(text, left.substr(0, comma))) {
      store(values, parameter, std::string{left.substr(0, comma)});
      return {};
    }
    left.remove_prefix(std::min(comma + 2, left.size()));
  }
  return failure(fmt::format("argument(s) must be one of the following: {}", parameter.choices));
}

// --- values with a grammar

Result<void> set_save(SettingValues& values, const Parameter& parameter, std::string_view text) {
  const auto words = split_at_single_spaces(text);
  bool valid = text.empty() || words.size() % 2 == 0;
  for (std::size_t at = 0; valid && !text.empty() && at < words.size(); ++at) {
    const std::optional<std::int64_t> number = parse_integer(words[at]);
    valid = number && *number >= (at % 2 == 0 ? 1 : 0);
  }
  if (!valid) return failure("Invalid save parameters");
  store(values, parameter, std::string{text});
  return {};
}

// Sets the class that the four words name; the failure says what is wrong with them.
Result<void> set_output_limit(SettingValues& values, std::span<const std::string_view> words) {
  const bool normal = same_word(words[0], "normal");
  const bool replica = same_word(words[0], "slave") || same_word(words[0], "replica");
  if (!normal && !replica && !same_word(words[0], "pubsub")) {
    return failure("Invalid client class specified in buffer limit configuration.");
  }
  const std::optional<std::int64_t> hard = parse_bytes(words[1]);
  const std::optional<std::int64_t> soft = parse_bytes(words[2]);
  const std::optional<std::int64_t> seconds = parse_integer(words[3]);
  if (!hard || !soft || !seconds || *seconds < 0) {
    return failure("Error in hard, soft or soft_seconds setting in buffer limit configuration.");
  }
  const OutputLimit limit{*hard, *soft, *seconds};
  if (normal) {
    values.output_limit_bytes = *hard;
    values.output_soft_limit = limit;
  } else {
    (replica ? values.output_limit_replica : values.output_limit_pubsub) = limit;
  }
  return {};
}

Result<void> set_output_limits(SettingValues& values, std::string_view text) {
  if (text.empty()) return {};
  const auto words = split_at_single_spaces(text);
  if (words.size() % 4 != 0) {
    return failure("Wrong number of arguments in buffer limit configuration.");
  }
  SettingValues changed = values;
  for (std::size_t at = 0; at < words.size(); at += 4) {
    Result<void> set = set_output_limit(changed, std::span{words}.subspan(at, 4));
    if (!set) return set;
  }
  values = std::move(changed);
  return {};
}

std::string output_limits(const SettingValues& values) {
  const OutputLimit& normal = values.output_soft_limit;
  const OutputLimit& replica = values.output_limit_replica;
  const OutputLimit& pubsub = values.output_limit_pubsub;
  return fmt::format("normal {} {} {} slave {} {} {} pubsub {} {} {}", values.output_limit_bytes,
                     normal.soft_bytes, normal.soft_s, replica.hard_bytes, replica.soft_bytes,
                     replica.soft_s, pubsub.hard_bytes, pubsub.soft_bytes, pubsub.soft_s);
}

struct EventLetter {
  char letter;
  state::EventClass kind;
};
constexpr std::array kEventLetters{
    EventLetter{'g', state::EventClass::generic}, EventLetter{'$', state::EventClass::string},
    EventLetter{'l', state::EventClass::list},    EventLetter{'s', state::EventClass::set},
    EventLetter{'h', state::EventClass::hash},    EventLetter{'z', state::EventClass::sorted_set},
    EventLetter{'x', state::EventClass::expired}, EventLetter{'e', state::EventClass::evicted},
    EventLetter{'t', state::EventClass::stream},  EventLetter{'d', state::EventClass::module},
    EventLetter{'n', state::EventClass::new_key}, EventLetter{'m', state::EventClass::key_miss}};
constexpr std::string_view kAllEvents = "g$lshzxetd";  // what A stands for

Notifications notifications_of(std::string_view text) {
  const auto has = [text](char letter) { return text.find(letter) != std::string_view::npos; };
  Notifications asked{.by_key = has('K'), .by_event = has('E')};
  for (const EventLetter& one : kEventLetters) {
    const bool in_all = has('A') && kAllEvents.find(one.letter) != std::string_view::npos;
    if (in_all || has(one.letter)) asked.classes = asked.classes | one.kind;
  }
  return asked;
}

// A stands for all of "g$lshzxetd"; the letters come back in Redis's order, once each.
Result<void> set_events(SettingValues& values, const Parameter& parameter, std::string_view text) {
  constexpr std::string_view kLetters = "g$lshzxetdnKEm";
  const auto wants = [text](char letter) { return text.find(letter) != std::string_view::npos; };
  if (text.find_first_not_of("Ag$lshzxeKEtmdn") != std::string_view::npos) {
    return failure("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
  }
  const bool all = wants('A') || std::all_of(kAllEvents.begin(), kAllEvents.end(), wants);
  std::string events = all ? "A" : "";
  for (const char letter : kLetters) {
    const bool within_all = kAllEvents.find(letter) != std::string_view::npos || letter == 'n';
    if (wants(letter) && !(all && within_all)) events += letter;
  }
  values.notifications = notifications_of(text);
  store(values, parameter, std::move(events));
  return {};
}

Result<void> set_percentiles(SettingValues& values, const Parameter& parameter,
                             std::string_view text) {
  constexpr std::size_t kMost = 100;  // INFO shows each of them for each command
  std::string percentiles;
  const auto words = text.empty() ? std::vector<std::string_view>{} : split_at_single_spaces(text);
  for (const std::string_view word : words) {
    const std::optional<long double> percent = parse_real(word);
    if (!percent || words.size() > kMost) {
      return failure(fmt::format("Invalid {} parameters", parameter.name));
    }
    if (*percent < 0 || *percent > 100) {
      return failure(fmt::format("{} parameters should sit between [0.0,100.0]", parameter.name));
    }
    std::string digits = fmt::format("{:.6f}", *percent);
    digits.resize(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    percentiles.append(percentiles.empty() ? "" : " ").append(digits);
  }
  store(values, parameter, std::move(percentiles));
  return {};
}

std::string idle_value(const SettingValues& values, const Parameter& parameter) {
  const auto found = values.idle.find(parameter.name);
  return found == values.idle.end() ? std::string{parameter.initial} : found->second;
}

}  // namespace

std::vector<std::pair<std::string_view, double>> latency_percentiles(const SettingValues& values) {
  std::vector<std::pair<std::string_view, double>> percentiles;
  if (values.latency_percentiles.empty()) return percentiles;
  for (const std::string_view word : split_at_single_spaces(values.latency_percentiles)) {
    percentiles.emplace_back(word, static_cast<double>(parse_real(word).value_or(0)) / 100);
  }
  return percentiles;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> kUnits{{
      {"", 1},
      {"b", 1},
      {"k", 1000},
      {"kb", 1024},
      {"m", 1000 * 1000},
      {"mb", 1024 * 1024},
      {"g", 1000 * 1000 * 1000},
      {"gb", 1024 * 1024 * 1024},
  }};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::int64_t> number = parse_integer(text.substr(0, digits));
  if (!number) return std::nullopt;
  for (const auto& [unit, factor] : kUnits) {
    if (same_word(text.substr(digits), unit)) return checked_multiply(*number, factor);
  }
  return std::nullopt;
}

std::string value_of(const SettingValues& values, const Parameter& parameter) {
  if (parameter.kind == Parameter::Kind::output_limits) return output_limits(values);
  const auto number = [&parameter](std::int64_t value) {
    if (parameter.kind == Parameter::Kind::octal) return fmt::format("{:o}", value);
    const bool is_percent = parameter.kind == Parameter::Kind::bytes_or_percent && value < 0;
    return is_percent ? fmt::format("{}%", -value) : std::to_string(value);
  };
  return std::visit(
      Overloaded{
          [&](std::monostate) { return idle_value(values, parameter); },
          [&](std::int64_t SettingValues::*member) { return number(values.*member); },
          [&](bool SettingValues::*member) { return std::string{values.*member ? "yes" : "no"}; },
          [&](std::string SettingValues::*member) { return values.*member; },
          [&](Duration LockLimits::*member) { return number((values.locks.*member).count()); },
          [&](std::size_t LockLimits::*member) { return std::to_string(values.locks.*member); },
      },
      parameter.place);
}

Result<void> set_value(SettingValues& values, const Parameter& parameter, std::string_view text) {
  switch (parameter.kind) {
    case Parameter::Kind::integer:
      return set_number(values, parameter, text);
    case Parameter::Kind::octal:
      return set_octal(values, parameter, text);
    case Parameter::Kind::bytes:
      return set_bytes(values, parameter, text);
    case Parameter::Kind::bytes_or_percent:
      return set_bytes_or_percent(values, parameter, text);
    case Parameter::Kind::yes_no:
      return set_yes_no(values, parameter, text);
    case Parameter::Kind::choice:
      return set_choice(values, parameter, text);
    case Parameter::Kind::text:
      store(values, parameter, std::string{text});
      return {};
    case Parameter::Kind::save:
      return set_save(values, parameter, text);
    case Parameter::Kind::output_limits:
      return set_output_limits(values, text);
    case Parameter::Kind::events:
      return set_events(values, parameter, text);
    case Parameter::Kind::percentiles:
      return set_percentiles(values, parameter, text);
  }
  return failure("unknown kind of parameter");
}

}  // namespace fencepost::commands
