// ZRANGE and its kin: the elements from here to there.
#include <optional>
#include <variant>
#include <vector>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/errors.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/sorted_set/elements.h"
#include "commands/sorted_set/family.h"
#include "commands/sorted_set/ranges.h"

namespace fencepost::commands {

namespace {

using state::Direction;
using state::ScoredMember;
using state::SortedSet;

enum class By : std::uint8_t { rank, score, member };

// What the command's name says already; ZRANGE leaves it to its words.
struct Form {
  std::size_t key_at = 1;
  std::optional<By> by{};
  std::optional<Direction> direction{};
  bool stores = false;
};

struct Options {
  By by = By::rank;
  Direction direction = Direction::up;
  Scores scores = Scores::left_out;
  std::int64_t offset = 0;
  std::int64_t limit = -1;  // negative: all
};

// One word among the options, and those that belong to it, from `at` on, which is moved to the last
// of them. False when it is none; null when the command is answered.
std::optional<bool> take_option(Context& context, const Arguments& args, std::size_t& at,
                                Form& form, Options& options) {
  const std::string_view word = args[at];
  if (!form.stores && same_word(word, "WITHSCORES")) {
    options.scores = Scores::shown;
  } else if (same_word(word, "LIMIT") && at + 2 < args.size()) {
    const auto offset = integer_or_reply(context, args[at + 1]);
    const auto limit = offset ? integer_or_reply(context, args[at + 2]) : std::nullopt;
    if (!limit) return std::nullopt;
    options.offset = *offset;
    options.limit = *limit;
    at += 2;
  } else if (!form.direction && same_word(word, "REV")) {
    form.direction = Direction::down;
  } else if (!form.by && same_word(word, "BYLEX")) {
    form.by = By::member;
  } else if (!form.by && same_word(word, "BYSCORE")) {
    form.by = By::score;
  } else {
    return false;
  }
  return true;
}

std::string_view fault_of(const Options& options) {
  if (options.by == By::rank && options.limit != -1) {
    return "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX";
  }
  if (options.by == By::member && options.scores == Scores::shown) {
    return "ERR syntax error, WITHSCORES not supported in combination with BYLEX";
  }
  return {};
}

std::optional<Options> options_or_reply(Context& context, const Arguments& args, Form form) {
  Options options;
  for (std::size_t at = form.key_at + 3; at < args.size(); ++at) {
    const auto taken = take_option(context, args, at, form, options);
    if (taken && !*taken) context.reply.error(kSyntaxError);
    if (!taken.value_or(false)) return std::nullopt;
  }
  options.by = form.by.value_or(By::rank);
  options.direction = form.direction.value_or(Direction::up);
  const std::string_view fault = fault_of(options);
  if (fault.empty()) return options;
  context.reply.error(fault);
  return std::nullopt;
}

struct Ranks {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
using Ends = std::variant<Ranks, ScoreRange, LexRange>;

// Going down, the greater end of scores and members is named first.
std::optional<Ends> ends_or_reply(Context& context, const Options& options, std::string_view first,
                                  std::string_view last) {
  if (options.by == By::rank) {
    const auto from = integer_or_reply(context, first);
    const auto to = from ? integer_or_reply(context, last) : std::nullopt;
    return to ? std::optional<Ends>{Ranks{*from, *to}} : std::nullopt;
  }
  if (options.direction == Direction::down) std::swap(first, last);
  if (options.by == By::score) return score_range_or_reply(context, first, last);
  return lex_range_or_reply(context, first, last);
}

std::vector<ScoredMember> select(const SortedSet& set, const Ranks& ranks, const Options& options) {
  const RankSpan span = rank_span(ranks.first, ranks.last, set.size());
  std::vector<ScoredMember> elements;
  elements.reserve(span.count);
  set.visit(span.skip, options.direction, [&elements, &span](const ScoredMember& one) {
    if (elements.size() < span.count) elements.push_back(one);
    return elements.size() < span.count;
  });
  return elements;
}

template <typename Range>
std::vector<ScoredMember> select(const SortedSet& set, const Range& range, const Options& options) {
  std::vector<ScoredMember> elements;
  const auto first = set.first_in(range, options.direction);
  const std::size_t left = set.size() - first.value_or(set.size());
  if (options.limit == 0 || options.offset < 0 || std::cmp_greater_equal(options.offset, left)) {
    return elements;
  }
  const bool up = options.direction == Direction::up;
  set.visit(*first + static_cast<std::size_t>(options.offset), options.direction,
            [&, up](const ScoredMember& one) {
              if (up ? range.above(one) : range.below(one)) return false;
              elements.push_back(one);
              return !std::cmp_equal(elements.size(), options.limit);
            });
  return elements;
}

void store(Context& context, std::string_view key, const std::vector<ScoredMember>& elements) {
  auto made = make_sorted_set(context);
  for (const ScoredMember& one : elements)
    made->add(one.member, one.score, compact_limits(context));
  store_and_reply(context, key, std::move(made), "zrangestore");
}

void range(Context& context, const Arguments& args, const Form& form) {
  const auto options = options_or_reply(context, args, form);
  if (!options) return;
  const auto ends = ends_or_reply(context, *options, args[form.key_at + 1], args[form.key_at + 2]);
  if (!ends || (form.stores && !key_fits_or_reply(context, args[1]))) return;
  const auto set = read_as<SortedSet>(context, args[form.key_at]);
  if (!set) return;
  std::vector<ScoredMember> elements;
  if (*set != nullptr) {
    elements = std::visit([&](const auto& given) { return select(**set, given, *options); }, *ends);
  }
  if (form.stores) return store(context, args[1], elements);
  write_elements(context.reply, elements, options->scores);
}

void zrange(Context& context, Arguments& args) {
  range(context, args, {});
}

void zrangestore(Context& context, Arguments& args) {
  range(context, args, {.key_at = 2, .stores = true});
}

void zrevrange(Context& context, Arguments& args) {
  range(context, args, {.by = By::rank, .direction = Direction::down});
}

void zrangebyscore(Context& context, Arguments& args) {
  range(context, args, {.by = By::score, .direction = Direction::up});
}

void zrevrangebyscore(Context& context, Arguments& args) {
  range(context, args, {.by = By::score, .direction = Direction::down});
}

void zrangebylex(Context& context, Arguments& args) {
  range(context, args, {.by = By::member, .direction = Direction::up});
}

void zrevrangebylex(Context& context, Arguments& args) {
  range(context, args, {.by = By::member, .direction = Direction::down});
}

constexpr Command kRows[] = {
    {.name = "ZRANGE",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary = "Answers the members from here to there, by rank, score or name.",
     .syntax = "key start stop [BYSCORE | BYLEX] [REV] [LIMIT offset count] [WITHSCORES]",
     .complexity = "O(log n + k) for k of n members",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrange},
    {.name = "ZRANGESTORE",
     .group = "sorted-set",
     .since = "6.2.0",
     .summary = "Keeps the members from here to there of one key in another.",
     .syntax = "dst src min max [BYSCORE | BYLEX] [REV] [LIMIT offset count]",
     .complexity = "O(log n + k log k) for k of n members",
     .arity = at_least(5),
     .keys = used(kTwoKeys, KeyUse::overwrite | KeyUse::update, KeyUse::read_only | KeyUse::access),
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrangestore},
    {.name = "ZREVRANGE",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary = "Answers the members from one rank to another, the highest score first.",
     .syntax = "key start stop [WITHSCORES]",
     .complexity = "O(log n + k) for k of n members",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrevrange},
    {.name = "ZRANGEBYSCORE",
     .group = "sorted-set",
     .since = "1.0.5",
     .summary = "Answers the members from one score to another.",
     .syntax = "key min max [WITHSCORES] [LIMIT offset count]",
     .complexity = "O(log n + k) for k of n members",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrangebyscore},
    {.name = "ZREVRANGEBYSCORE",
     .group = "sorted-set",
     .since = "2.2.0",
     .summary = "Answers the members from one score to another, the highest first.",
     .syntax = "key max min [WITHSCORES] [LIMIT offset count]",
     .complexity = "O(log n + k) for k of n members",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrevrangebyscore},
    {.name = "ZRANGEBYLEX",
     .group = "sorted-set",
     .since = "2.8.9",
     .summary = "Answers the members from one name to another, where all have one score.",
     .syntax = "key min max [LIMIT offset count]",
     .complexity = "O(log n + k) for k of n members",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrangebylex},
    {.name = "ZREVRANGEBYLEX",
     .group = "sorted-set",
     .since = "2.8.9",
     .summary =
         "Answers the members from one name to another, the last first, where all have one score.",
     .syntax = "key max min [LIMIT offset count]",
     .complexity = "O(log n + k) for k of n members",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::read,
     .flags = Flag::none,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zrevrangebylex},
};

}  // namespace

std::span<const Command> sorted_set_range_commands() {
  return kRows;
}

}  // namespace fencepost::commands
