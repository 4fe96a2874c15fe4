// Random requests: their faults, and what is changed so that two servers can be compared by them.
#include <algorithm>
#include <initializer_list>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "tests/compat/grammar.h"

namespace fencepost::compat {

// A fault: a word too few, too many, twice, or another one.
void Grammar::spoil(Words& words) {
  const std::size_t at = random_.below(words.size());
  switch (random_.below(4)) {
    case 0:
      if (at > 0) words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      words.push_back(value());
      break;
    case 2:
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), words[at]);
      break;
    default:
      if (at > 0) words[at] = value();
  }
}

// Short leases would end on one server a little before they end on the other, and a moment in the
// past is for rounds with lapses only. Both are made longer.
void Grammar::make_comparable(Words& words) {
  constexpr std::int64_t kShortest = 100'000;
  const auto is_any = [](std::string_view word, std::initializer_list<std::string_view> of) {
    return std::any_of(of.begin(), of.end(), [word](auto w) { return same_word(word, w); });
  };
  make_sorts_comparable(words);
  make_waits_short(words);
  const bool scans_elements = is_any(words[0], {"HSCAN", "SSCAN", "ZSCAN"});
  const std::size_t cursor_at = scans_elements ? 2 : same_word(words[0], "SCAN") ? 1 : 0;
  if (cursor_at > 0 && words.size() > cursor_at &&
      words[cursor_at].find_first_not_of("0123456789-+ ") == std::string::npos) {
    words[cursor_at] = "0";
  }
  // All that are there, for which of them is chance.
  if (same_word(words[0], "SPOP")) {
    if (words.size() == 2) words.emplace_back("1000000");
    if (words.size() > 2 && parse_integer(words[2]).value_or(0) > 0) words[2] = "1000000";
  }
  // Redis would answer as often as it is told.
  if (is_any(words[0], {"HRANDFIELD", "SRANDMEMBER"}) && words.size() > 2 &&
      parse_integer(words[2]).value_or(0) < -1000 && words[2] != "-9223372036854775808") {
    words[2] = "-1000";
  }
  // Longer patterns are refused here and taken by Redis.
  if (cursor_at > 0 || is_any(words[0], {"KEYS"})) {
    for (std::string& word : words) word.resize(std::min(word.size(), kMaxPatternBytes));
  }
  for (std::size_t at = 1; at < words.size(); ++at) {
    const auto given = parse_integer(words[at]);
    if (!given || *given <= 0) continue;
    const bool by_position = at == 2 && is_any(words[0], {"EXPIRE", "PEXPIRE", "SETEX", "PSETEX"});
    if ((by_position || is_any(words[at - 1], {"EX", "PX"})) && *given < kShortest) {
      words[at] += "00000";
    }
    // Where a scan stops depends on the order of the keys, which is nobody's promise.
    constexpr std::int64_t kWholeScan = 1000;
    if (cursor_at > 0 && is_any(words[at - 1], {"COUNT"}) && *given < kWholeScan) {
      words[at] = std::to_string(kWholeScan);
    }
    const bool moment = is_any(words[at - 1], {"EXAT", "PXAT"});
    if (!lapses_ && moment && *given < unix_ms_ / 1000) words[at] = "99999999999999";
  }
}

}  // namespace fencepost::compat
