// From where to where: scores ("1", "(1", "-inf") and members ("[a", "(a", "-", "+").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "commands/context.h"
#include "state/score_order.h"

namespace fencepost::commands {

struct ScoreEnd {
  double score = 0;
  bool open = false;  // "(1": the score itself is left out
};

struct ScoreRange {
  ScoreEnd min;
  ScoreEnd max;

  bool below(const state::ScoredMember& one) const {
    return min.open ? one.score <= min.score : one.score < min.score;
  }
  bool above(const state::ScoredMember& one) const {
    return max.open ? one.score >= max.score : one.score > max.score;
  }
};

struct LexEnd {
  enum class Kind : std::uint8_t { least, greatest, closed, open };
  Kind kind = Kind::closed;
  std::string_view member;
};

struct LexRange {
  LexEnd min;
  LexEnd max;

  bool below(const state::ScoredMember& one) const;
  bool above(const state::ScoredMember& one) const;
};

// Null when it is none; then the command is answered.
std::optional<ScoreRange> score_range_or_reply(Context& context, std::string_view min,
                                               std::string_view max);
std::optional<LexRange> lex_range_or_reply(Context& context, std::string_view min,
                                           std::string_view max);

// From the first to the last, both counted from the end when negative, both included. Ranks of a
// set of that size: how many stand before, and how many there are.
struct RankSpan {
  std::size_t skip = 0;
  std::size_t count = 0;
};
RankSpan rank_span(std::int64_t first, std::int64_t last, std::size_t size);

}  // namespace fencepost::commands
