// ZRANDMEMBER and ZSCAN: some of the elements.
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/number.h"
#include "base/sample.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/errors.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/scan_options.h"
#include "commands/sorted_set/elements.h"
#include "commands/sorted_set/family.h"

namespace fencepost::commands {

namespace {

using state::ScoredMember;
using state::SortedSet;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// Each with its own throw of the dice, so that one may come again.
void write_drawn(Context& context, const SortedSet& set, std::uint64_t count, Scores scores) {
  constexpr std::size_t kShortestElement = 6;  // an empty one, as a bulk string
  if (count > kMaxReplyBytes / kShortestElement) return context.reply.cut();
  const bool in_row = scores == Scores::shown && context.reply.protocol() == resp::Protocol::resp2;
  context.reply.array(in_row ? 2 * count : count);
  for (std::uint64_t i = 0; i < count && !context.reply.is_full(); ++i) {
    const auto at = static_cast<SortedSet::Position>(context.random.below(set.size()));
    write_element(context.reply, set.element(at), scores);
  }
}

// Different ones; as many as there are when more are asked for.
void write_sample(Context& context, const SortedSet& set, std::size_t count, Scores scores) {
  std::vector<ScoredMember> elements;
  if (count >= set.size()) {
    set.visit(0, state::Direction::up, [&elements](const ScoredMember& one) {
      elements.push_back(one);
      return true;
    });
  } else {
    for (const std::size_t at : sample(context.random, count, set.size())) {
      elements.push_back(set.element(static_cast<SortedSet::Position>(at)));
    }
  }
  write_elements(context.reply, elements, scores);
}

struct Draw {
  std::int64_t count = 0;  // negative: one may come several times
  Scores scores = Scores::left_out;
};

// count [WITHSCORES]; null when the command is answered.
std::optional<Draw> draw_or_reply(Context& context, const Arguments& args) {
  const auto count = integer_or_reply(context, args[2]);
  if (!count) return std::nullopt;
  const auto refuse = [&context](std::string_view error) {
    context.reply.error(error);
    return std::nullopt;
  };
  if (*count < -kMost) {
    return refuse("ERR value is out of range, value must between -" + std::to_string(kMost) +
                  " and " + std::to_string(kMost));
  }
  if (args.size() == 3) return Draw{*count};
  if (args.size() > 4 || !same_word(args[3], "WITHSCORES")) return refuse(kSyntaxError);
  if (*count < -kMost / 2 || *count > kMost / 2) return refuse("ERR value is out of range");
  return Draw{*count, Scores::shown};
}

void zrandmember(Context& context, Arguments& args) {
  std::optional<Draw> draw;
  if (args.size() > 2) {
    draw = draw_or_reply(context, args);
    if (!draw) return;
  }
  const auto found = read_as<SortedSet>(context, args[1]);
  if (!found) return;
  const SortedSet* set = *found;
  if (set == nullptr) return draw ? context.reply.array(0) : context.reply.null();
  if (!draw) {
    const auto at = static_cast<SortedSet::Position>(context.random.below(set->size()));
    return context.reply.bulk(set->element(at).member);
  }
  if (draw->count < 0) {
    return write_drawn(context, *set, static_cast<std::uint64_t>(-draw->count), draw->scores);
  }
  write_sample(context, *set, static_cast<std::size_t>(draw->count), draw->scores);
}

// Redis keeps whole numbers of a small one as integers, and shows them as such.
std::string shown_score(const SortedSet& set, double score) {
  constexpr double kGreatest = 0x1p62;
  if (set.is_small() && std::abs(score) <= kGreatest && score == std::trunc(score)) {
    return std::to_string(static_cast<std::int64_t>(score));
  }
  char digits[32];
  return std::string{print_double(score, digits)};
}

void zscan(Context& context, Arguments& args) {
  const auto cursor = cursor_or_reply(context, args[2]);
  if (!cursor) return;
  const auto set = read_as<SortedSet>(context, args[1]);
  if (!set) return;
  std::uint64_t next = 0;
  std::vector<ScoredMember> found;
  if (*set != nullptr) {
    const auto options = scan_options_or_reply(context, args, 3, ScanOf::elements);
    if (!options) return;
    next = (*set)->scan(*cursor, options->count, [&options, &found](const ScoredMember& one) {
      if (options->admits(one.member)) found.push_back(one);
    });
  }
  context.reply.array(2);
  context.reply.bulk(std::to_string(next));
  context.reply.array(2 * found.size());
  for (const ScoredMember& one : found) {
    context.reply.bulk(one.member);
    context.reply.bulk(shown_score(**set, one.score));
  }
}

constexpr Command kRows[] = {
    {.name = "ZRANDMEMBER",
     .group = "sorted-set",
     .since = "6.2.0",
     .summary = "Answers members that chance picks.",
     .syntax = "key [count [WITHSCORES]]",
     .complexity = "O(k) for k members",
     .arity = at_least(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrandmember,
     .tips = "nondeterministic_output"},
    {.name = "ZSCAN",
     .group = "sorted-set",
     .since = "2.8.0",
     .summary = "Answers some members and the cursor to go on with; 0 at the end.",
     .syntax = "key cursor [MATCH pattern] [COUNT count]",
     .complexity = "O(k) for a COUNT of k; O(n) for n members over a whole scan",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = {Compat::same, "but for the cursors and the order of large ones"},
     .run = zscan,
     .tips = "nondeterministic_output"},
};

}  // namespace

std::span<const Command> sorted_set_look_commands() {
  return kRows;
}

}  // namespace fencepost::commands
