// LOCKSCAN: walks the keys that are held or waited for.
#include <string>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/lock/family.h"
#include "commands/lookup.h"

namespace fencepost::commands {

namespace {

struct ScanTerms {
  std::uint64_t cursor = 0;
  std::optional<std::string_view> pattern;
  std::size_t count = 10;
};

bool read_count_or_reply(Context& context, std::string_view text, ScanTerms& terms) {
  const auto count = integer_or_reply(context, text);
  if (!count) return false;
  if (*count < 1) {
    context.reply.error(kSyntaxError);
    return false;
  }
  terms.count = static_cast<std::size_t>(*count);
  return true;
}

std::optional<ScanTerms> scan_terms_or_reply(Context& context, Arguments arguments) {
  constexpr std::uint64_t kCursorEnd = std::uint64_t{1} << 48;  // as Keyspace::scan hands them out
  ScanTerms terms;
  const auto cursor = parse_unsigned(arguments[1]);
  if (!cursor || *cursor >= kCursorEnd) {
    context.reply.error("ERR invalid cursor");
    return std::nullopt;
  }
  terms.cursor = *cursor;
  for (std::size_t at = 2; at < arguments.size(); at += 2) {
    const bool has_value = at + 1 < arguments.size();
    if (has_value && same_word(arguments[at], "MATCH")) {
      terms.pattern = arguments[at + 1];
      if (!pattern_fits_or_reply(context, arguments[at + 1])) return std::nullopt;
    } else if (has_value && same_word(arguments[at], "COUNT")) {
      if (!read_count_or_reply(context, arguments[at + 1], terms)) return std::nullopt;
    } else {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
  }
  return terms;
}

// Keys that exist come in scan order; those that are free but waited for come with the last page.
void lockscan(Context& context, Arguments& arguments) {
  const auto terms = scan_terms_or_reply(context, arguments);
  if (!terms) return;
  const auto wanted = [&terms](std::string_view key) {
    return !terms->pattern || glob_matches(*terms->pattern, key);
  };
  const DatabaseIndex database = context.database();
  state::LockTable& locks = context.state.locks();
  std::vector<std::string> keys;
  const auto see = [&](state::Item& item) {
    const bool held = item.is_string() || item.is_lock();
    if ((held || locks.has_waiters(database, item.key)) && wanted(item.key))
      keys.push_back(item.key);
  };
  const std::uint64_t next = context.keys().scan(database, terms->cursor, terms->count, see);
  if (next == 0) {
    for (std::string& key : locks.queued_keys(database)) {
      const bool is_free = context.keys().find(database, key) == nullptr;
      if (is_free && wanted(key)) keys.push_back(std::move(key));
    }
  }
  context.reply.array(2);
  context.reply.bulk(std::to_string(next));
  context.reply.array(keys.size());
  for (const std::string& key : keys) context.reply.bulk(key);
}

}  // namespace

const Command& lockscan_command() {
  static constexpr Command kRow{
      .name = "LOCKSCAN",
      .group = "lock",
      .since = "0.1.0",
      .summary = "Walks the keys that are held or waited for, a few at a time.",
      .syntax = "cursor [MATCH pattern] [COUNT count]",
      .complexity = "O(1) a call, O(n) for the whole walk over n keys",
      .arity = at_least(2),
      .effect = Effect::read,
      .categories = Category::lock | Category::read | Category::slow,
      .compat = {Compat::extension, ""},
      .run = lockscan};
  return kRow;
}

}  // namespace fencepost::commands
