// What SCAN, HSCAN, SSCAN and ZSCAN have in common: a cursor, and what is left out.
#include "commands/scan_options.h"

#include "base/number.h"
#include "base/text.h"
#include "commands/errors.h"
#include "commands/lookup.h"

namespace fencepost::commands {

bool ScanOptions::admits(std::string_view name) const {
  return !pattern || glob_matches(*pattern, name);
}

std::optional<std::uint64_t> cursor_or_reply(Context& context, std::string_view text) {
  const auto cursor = parse_unsigned(text);
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

}  // namespace fencepost::commands
