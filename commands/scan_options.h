// What SCAN, HSCAN, SSCAN and ZSCAN have in common: a cursor, and what is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "commands/arguments.h"
#include "commands/context.h"

namespace fencepost::commands {

struct ScanOptions {
  std::optional<std::string_view> pattern;
  std::optional<std::string_view> type;  // of keys only
  std::size_t count = 10;

  // Whether a name is left in by the pattern.
  bool admits(std::string_view name) const;
};

enum class ScanOf : std::uint8_t { keys, elements };

// Null when they are none (a cursor is read as Redis reads it); then the command is answered.
// Options are the words from `at` on.
std::optional<std::uint64_t> cursor_or_reply(Context& context, std::string_view text);
std::optional<ScanOptions> scan_options_or_reply(Context& context, const Arguments& args,
                                                 std::size_t at, ScanOf what);

// What a scan of nothing is answered with.
void reply_empty_scan(Context& context);

}  // namespace fencepost::commands
