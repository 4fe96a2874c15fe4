// What SCAN, HSCAN, SSCAN and ZSCAN have in common: a cursor, and what is left out.
#include "commands/scan_options.h"

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "commands/errors.h"
#include "commands/lookup.h"

namespace fencepost::commands {

namespace {

// Redis reads cursors with strtoul: up to a zero byte, nothing is 0, signs and leading zeros are
// taken, and what is negative counts from the end of 64 bits.
std::optional<std::uint64_t> parse_cursor(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
  }
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (text.empty()) return 0;
  const auto number = parse_unsigned(text);
  return number && negative ? 0 - *number : number;
}

}  // namespace

bool ScanOptions::admits(std::string_view name) const {
  return !pattern || glob_matches(*pattern, name);
}

std::optional<std::uint64_t> cursor_or_reply(Context& context, std::string_view text) {
  const auto cursor = parse_cursor(text);
  if (!cursor) context.reply.error("ERR invalid cursor");
  return cursor;
}

std::optional<ScanOptions> scan_options_or_reply(Context& context, const Arguments& args,
                                                 std::size_t at, ScanOf what) {
  ScanOptions options;
  for (; at < args.size(); at += 2) {
    const bool has_value = at + 1 < args.size();
    if (has_value && same_word(args[at], "COUNT")) {
      const auto count = integer_or_reply(context, args[at + 1]);
      if (!count) return std::nullopt;
      if (*count < 1) {
        context.reply.error(kSyntaxError);
        return std::nullopt;
      }
      options.count = static_cast<std::size_t>(*count);
    } else if (has_value && same_word(args[at], "MATCH")) {
      options.pattern = args[at + 1];
      if (!pattern_fits_or_reply(context, args[at + 1])) return std::nullopt;
    } else if (has_value && what == ScanOf::keys && same_word(args[at], "TYPE")) {
      options.type = args[at + 1];
    } else {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
  }
  return options;
}

void reply_empty_scan(Context& context) {
  context.reply.array(2);
  context.reply.bulk("0");
  context.reply.array(0);
}

}  // namespace fencepost::commands
