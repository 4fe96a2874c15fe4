// The parameter table: one row for each parameter, with its names, type, bounds, default and what
// it does here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "commands/server/settings.h"

namespace fencepost::commands {

struct Parameter {
  enum class Kind : std::uint8_t {
    integer,
    octal,             // file modes: 700
    bytes,             // 10, 10k (1000), 10kb (1024), and so on with m and g
    bytes_or_percent,  // the same, or 5% of another parameter, which is -5
    yes_no,
    choice,  // one of `choices`, in any letter case
    text,
    save,           // pairs of seconds and changes
    output_limits,  // groups of: class hard soft seconds
    events,         // the letters of notify-keyspace-events
    percentiles,    // numbers from 0 to 100
  };
  enum class Change : std::uint8_t {
    any_time,
    at_start,         // CONFIG SET is refused
    at_start_or_same  // CONFIG SET of the present value is taken: Redis can change it, fencepost
                      // cannot
  };
  // Where the value is kept; monostate: by name in SettingValues::idle, nobody reads it.
  using Place =
      std::variant<std::monostate, std::int64_t SettingValues::*, bool SettingValues::*,
                   std::string SettingValues::*, Duration LockLimits::*, std::size_t LockLimits::*>;

  std::string_view name;
  std::string_view alias{};  // Redis's older name, or ours
  Kind kind = Kind::text;
  Place place{};
  std::int64_t low = 0;  // integer and bytes: inclusive bounds
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  std::string_view choices{};  // "everysec, always, no"
  std::string_view initial{};  // default, of those kept in `idle`
  Change change = Change::any_time;
  bool several_words = false;  // a line of the config file may give it in more than one word
  // Accepted because clients or test suites set or read it; it does nothing here. redis-compat.md
  // says so.
  bool no_effect = false;

  bool has_name(std::string_view word) const;
};

std::span<const Parameter> parameters();
const Parameter* find_parameter(
    std::string_view name);  // or alias, in any letter case; null when there is none

std::string value_of(const SettingValues& values, const Parameter& parameter);
// Reads the text and sets the value. The failure is Redis's sentence ("argument must be 'yes' or
// 'no'").
Result<void> set_value(SettingValues& values, const Parameter& parameter, std::string_view text);

// What latency-tracking-info-percentiles asks for: as written, and as a share of 1.
std::vector<std::pair<std::string_view, double>> latency_percentiles(const SettingValues& values);

// 10, 10k, 10kb ... in bytes; nothing when it is not a size or does not fit.
std::optional<std::int64_t> parse_bytes(std::string_view text);

}  // namespace fencepost::commands
