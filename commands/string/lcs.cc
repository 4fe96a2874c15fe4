// LCS: the longest common subsequence of two strings.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/string/family.h"

namespace fencepost::commands {

namespace {

struct LcsOptions {
  bool length = false;
  bool ranges = false;
  bool with_match_length = false;
  std::int64_t least_match = 0;
};

// The lengths of the longest common subsequences of all beginnings of a and b, by dynamic
// programming.
class LengthTable {
 public:
  LengthTable(std::string_view a, std::string_view b)
      : width_{b.size() + 1}, cells_(width_ * (a.size() + 1)) {
    for (std::size_t i = 1; i <= a.size(); ++i) {
      for (std::size_t j = 1; j <= b.size(); ++j) {
        cells_[i * width_ + j] =
            a[i - 1] == b[j - 1] ? at(i - 1, j - 1) + 1 : std::max(at(i - 1, j), at(i, j - 1));
      }
    }
  }

  std::uint32_t at(std::size_t i, std::size_t j) const { return cells_[i * width_ + j]; }

  static std::size_t bytes(std::string_view a, std::string_view b) {
    return (a.size() + 1) * (b.size() + 1) * sizeof(std::uint32_t);
  }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> cells_;
};

// A run of bytes that both strings have: [a, a + size) of the one, [b, b + size) of the other.
struct Match {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t size = 0;
};

// Walks back through the table: the matches from the last to the first, runs joined.
std::vector<Match> matches_of(const LengthTable& table, std::string_view a, std::string_view b) {
  std::vector<Match> matches;
  std::size_t i = a.size();
  std::size_t j = b.size();
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      --i;
      --j;
      if (!matches.empty() && matches.back().a == i + 1 && matches.back().b == j + 1) {
        matches.back() = {i, j, matches.back().size + 1};
      } else {
        matches.push_back({i, j, 1});
      }
    } else if (table.at(i - 1, j) > table.at(i, j - 1)) {
      --i;
    } else {
      --j;
    }
  }
  return matches;
}

void reply_range(resp::ReplyWriter& reply, std::size_t first, std::size_t size) {
  reply.array(2);
  reply.integer(static_cast<std::int64_t>(first));
  reply.integer(static_cast<std::int64_t>(first + size - 1));
}

void reply_ranges(resp::ReplyWriter& reply, const std::vector<Match>& matches,
                  const LcsOptions& options, std::uint32_t length) {
  reply.map(2);
  reply.bulk("matches");
  const std::size_t opened = reply.open();
  std::size_t count = 0;
  for (const Match& match : matches) {
    if (static_cast<std::int64_t>(match.size) < options.least_match) continue;
    reply.array(options.with_match_length ? 3 : 2);
    reply_range(reply, match.a, match.size);
    reply_range(reply, match.b, match.size);
    if (options.with_match_length) reply.integer(static_cast<std::int64_t>(match.size));
    ++count;
  }
  reply.close_array(opened, count);
  reply.bulk("len");
  reply.integer(length);
}

void reply_subsequence(resp::ReplyWriter& reply, const std::vector<Match>& matches,
                       std::string_view a) {
  std::string text;
  const std::vector<Match> forwards{matches.rbegin(), matches.rend()};
  for (const Match& match : forwards) text.append(a.substr(match.a, match.size));
  reply.bulk(text);
}

std::optional<LcsOptions> options_or_reply(Context& context, const Arguments& args) {
  LcsOptions options;
  for (std::size_t at = 3; at < args.size(); ++at) {
    if (same_word(args[at], "IDX")) {
      options.ranges = true;
    } else if (same_word(args[at], "LEN")) {
      options.length = true;
    } else if (same_word(args[at], "WITHMATCHLEN")) {
      options.with_match_length = true;
    } else if (same_word(args[at], "MINMATCHLEN") && at + 1 < args.size()) {
      const auto least = integer_or_reply(context, args[++at]);
      if (!least) return std::nullopt;
      options.least_match = *least;
    } else {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
  }
  if (options.length && options.ranges) {
    context.reply.error("ERR If you want both the length and indexes, please just use IDX.");
    return std::nullopt;
  }
  return options;
}

void lcs(Context& context, Arguments& args) {
  const state::Item* first = read_key(context, args[1]);
  const state::Item* second = read_key(context, args[2]);
  for (const state::Item* item : {first, second}) {
    if (item != nullptr && !item->is_string()) {
      return context.reply.error("ERR The specified keys must contain string values");
    }
  }
  const auto options = options_or_reply(context, args);
  if (!options) return;
  const std::string_view a = first == nullptr ? std::string_view{} : first->text();
  const std::string_view b = second == nullptr ? std::string_view{} : second->text();
  // The table takes time and memory a x b: it may not be larger than one value.
  const auto limit = static_cast<std::size_t>(context.process.settings.values.max_bulk_bytes);
  if (LengthTable::bytes(a, b) > limit) {
    return context.reply.error(
        "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
  }
  const LengthTable table{a, b};
  const std::uint32_t length = table.at(a.size(), b.size());
  if (options->length) return context.reply.integer(length);
  const auto matches = matches_of(table, a, b);
  if (options->ranges) return reply_ranges(context.reply, matches, *options, length);
  reply_subsequence(context.reply, matches, a);
}

constexpr Command kRows[] = {
    {.name = "LCS",
     .group = "string",
     .since = "7.0.0",
     .summary = "Answers the longest common subsequence of two strings, its length or its ranges.",
     .syntax = "key1 key2 [LEN] [IDX] [MINMATCHLEN min-match-len] [WITHMATCHLEN]",
     .complexity = "O(n x m) for strings of n and m bytes",
     .arity = at_least(3),
     .keys = kTwoKeys,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::string | Category::slow,
     .compat = {Compat::same, "strings of n and m bytes only while 4nm <= proto-max-bulk-len"},
     .run = lcs},
};

}  // namespace

std::span<const Command> lcs_commands() {
  return kRows;
}

}  // namespace fencepost::commands
