// From where to where: scores and members.
#include "commands/sorted_set/ranges.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace fencepost::commands {

namespace {

// As strtod reads it, which is what Redis leaves it to: spaces in front, nothing at all and what is
// behind a zero byte are all taken.
std::optional<ScoreEnd> to_score_end(std::string_view text) {
  ScoreEnd made;
  made.open = text.starts_with('(');
  if (made.open) text.remove_prefix(1);
  const std::string terminated{text};
  char* end = nullptr;
  made.score = std::strtod(terminated.c_str(), &end);
  if (*end != '\0' || std::isnan(made.score)) return std::nullopt;
  return made;
}

std::optional<LexEnd> to_lex_end(std::string_view text) {
  using Kind = LexEnd::Kind;
  if (text.empty()) return std::nullopt;
  const std::string_view rest = text.substr(1);
  const bool alone = rest.empty() || rest.front() == '\0';
  switch (text.front()) {
    case '-':
      return alone ? std::optional{LexEnd{Kind::least, {}}} : std::nullopt;
    case '+':
      return alone ? std::optional{LexEnd{Kind::greatest, {}}} : std::nullopt;
    case '[':
      return LexEnd{Kind::closed, rest};
    case '(':
      return LexEnd{Kind::open, rest};
    default:
      return std::nullopt;
  }
}

}  // namespace

bool LexRange::below(const state::ScoredMember& one) const {
  switch (min.kind) {
    case LexEnd::Kind::least:
      return false;
    case LexEnd::Kind::greatest:
      return true;
    case LexEnd::Kind::closed:
      return one.member < min.member;
    case LexEnd::Kind::open:
      return one.member <= min.member;
  }
  return true;
}

bool LexRange::above(const state::ScoredMember& one) const {
  switch (max.kind) {
    case LexEnd::Kind::least:
      return true;
    case LexEnd::Kind::greatest:
      return false;
    case LexEnd::Kind::closed:
      return one.member > max.member;
    case LexEnd::Kind::open:
      return one.member >= max.member;
  }
  return true;
}

std::optional<ScoreRange> score_range_or_reply(Context& context, std::string_view min,
                                               std::string_view max) {
  const auto from = to_score_end(min);
  const auto to = to_score_end(max);
  if (from && to) return ScoreRange{*from, *to};
  context.reply.error("ERR min or max is not a float");
  return std::nullopt;
}

std::optional<LexRange> lex_range_or_reply(Context& context, std::string_view min,
                                           std::string_view max) {
  const auto from = to_lex_end(min);
  const auto to = to_lex_end(max);
  if (from && to) return LexRange{*from, *to};
  context.reply.error("ERR min or max not valid string range item");
  return std::nullopt;
}

RankSpan rank_span(std::int64_t first, std::int64_t last, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (first < 0) first = std::max<std::int64_t>(first + length, 0);
  if (last < 0) last += length;
  last = std::min(last, length - 1);
  if (first > last) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)};
}

}  // namespace fencepost::commands
