// Random requests for SORT: what their words are, and what must not be compared.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/number.h"
#include "base/text.h"
#include "tests/compat/grammar.h"

namespace fencepost::compat {

// The word that stands for a kind; none for a kind of another family.
Words Grammar::word_of_sorting(std::string_view kind) {
  if (kind == "@sorted_list") return {own_key('o', 3)};
  if (kind == "@sorted_set") return {own_key('e', 3)};
  if (kind != "@sorted") return {};
  // Mostly numbers, and such as stand in the names of other keys.
  if (chance(85)) return {std::to_string(random_.below(12))};
  return {chance(50) ? std::to_string(random_.below(9)) + ".5"
                     : "b" + std::to_string(random_.below(3))};
}

std::vector<std::string_view> Grammar::options_of_sorting() {
  return {"ASC",
          "DESC",
          "ALPHA",
          "LIMIT @offset @offset",
          "LIMIT 0 @offset",
          "BY k*",
          "BY h*->7",
          "GET #",
          "GET k*",
          "GET h*->f1",
          "GET fixed",
          "GET k*->f1",
          "GET *",
          "BY *->x",
          "@junk",
          "GET h*->"};
}

// Elements that other keys have equal texts for stay as they were, and where they were is nobody's
// promise: so by numbers only, which elements tell apart.
void make_sorts_comparable(Words& words) {
  if (!same_word(words[0], "SORT") && !same_word(words[0], "SORT_RO")) return;
  // In redis-server 7.0.15 SORT_RO changes how a small sorted set is kept. Of lists and sets only.
  const bool is_read_only = same_word(words[0], "SORT_RO") && words.size() > 1;
  if (is_read_only && !words[1].starts_with('o') && !words[1].starts_with('e')) words[1] = "o0";
  bool by_others = false;
  for (std::size_t at = 2; at + 1 < words.size(); ++at) {
    by_others =
        by_others || (same_word(words[at], "BY") && words[at + 1].find('*') != std::string::npos);
  }
  if (!by_others) return;
  for (std::string& word : words) {
    if (same_word(word, "ALPHA")) word = "ASC";
  }
}

// Waits that nobody ends are over before the oracle gives up on them.
void make_waits_short(Words& words) {
  constexpr long double kShort = 0.02L;
  constexpr std::string_view kTimeoutLast[] = {"BZPOPMIN", "BZPOPMAX", "BLPOP", "BLMOVE"};
  const bool last = std::any_of(std::begin(kTimeoutLast), std::end(kTimeoutLast),
                                [&words](auto name) { return same_word(words[0], name); });
  const std::size_t at = last ? words.size() - 1 : same_word(words[0], "BZMPOP") ? 1 : 0;
  if (at == 0 || at >= words.size()) return;
  const auto seconds = parse_real(words[at]);
  if (seconds && (*seconds == 0 || *seconds > kShort)) words[at] = "0.01";
}

}  // namespace fencepost::compat
