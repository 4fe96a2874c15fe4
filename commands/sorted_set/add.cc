// ZADD and ZINCRBY: members get scores.
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/sorted_set/elements.h"
#include "commands/sorted_set/family.h"

namespace fencepost::commands {

namespace {

using state::SortedSet;

struct Options {
  bool only_new = false;
  bool only_present = false;
  bool only_greater = false;
  bool only_less = false;
  bool count_updated = false;
  bool increment = false;
};

// False when the word is none of them.
bool take_option(std::string_view word, Options& options) {
  struct Word {
    std::string_view name;
    bool Options::*option;
  };
  constexpr Word kWords[] = {{"NX", &Options::only_new},      {"XX", &Options::only_present},
                             {"GT", &Options::only_greater},  {"LT", &Options::only_less},
                             {"CH", &Options::count_updated}, {"INCR", &Options::increment}};
  for (const Word& known : kWords) {
    if (!same_word(word, known.name)) continue;
    options.*known.option = true;
    return true;
  }
  return false;
}

struct Addition {
  double score = 0;
  std::string_view member;
};

std::string_view fault_of(const Options& options, std::size_t words_left) {
  if (words_left == 0 || words_left % 2 != 0) return kSyntaxError;
  if (options.only_new && options.only_present) {
    return "ERR XX and NX options at the same time are not compatible";
  }
  if (options.only_new + options.only_greater + options.only_less > 1) {
    return "ERR GT, LT, and/or NX options at the same time are not compatible";
  }
  if (options.increment && words_left > 2) {
    return "ERR INCR option supports a single increment-element pair";
  }
  return {};
}

// Pairs of a score and a member; null when the command is answered.
std::optional<std::vector<Addition>> additions_or_reply(Context& context,
                                                        std::span<const std::string_view> words) {
  std::vector<Addition> additions;
  additions.reserve(words.size() / 2);
  for (std::size_t at = 0; at + 1 < words.size(); at += 2) {
    const auto score = parse_double(words[at]);
    if (!score) {
      context.reply.error(kNotAFloat);
      return std::nullopt;
    }
    additions.push_back({*score, words[at + 1]});
  }
  return additions;
}

enum class Outcome : std::uint8_t { added, updated, same, left_alone, not_a_number };

// After INCR, `one` has the score that came out.
Outcome put(SortedSet& set, const Options& options, Addition& one,
            const SortedSet::Compact& compact) {
  const auto at = set.find(one.member);
  if (at == SortedSet::kNowhere) {
    if (options.only_present) return Outcome::left_alone;
    set.add(one.member, one.score, compact);
    return Outcome::added;
  }
  if (options.only_new) return Outcome::left_alone;
  const double present = set.element(at).score;
  if (options.increment) one.score += present;
  if (std::isnan(one.score)) return Outcome::not_a_number;
  if (options.only_greater && one.score <= present) return Outcome::left_alone;
  if (options.only_less && one.score >= present) return Outcome::left_alone;
  if (one.score == present) return Outcome::same;
  set.set_score(at, one.score);
  return Outcome::updated;
}

struct Tally {
  std::int64_t added = 0;
  std::int64_t updated = 0;
  Outcome last = Outcome::left_alone;
};

Tally put_all(SortedSet& set, const Options& options, std::vector<Addition>& additions,
              const SortedSet::Compact& compact) {
  Tally tally;
  for (Addition& one : additions) {
    tally.last = put(set, options, one, compact);
    if (tally.last == Outcome::added) ++tally.added;
    if (tally.last == Outcome::updated) ++tally.updated;
  }
  return tally;
}

void write_outcome(Context& context, const Options& options, const Tally& tally, double score) {
  if (!options.increment) {
    return context.reply.integer(tally.added + (options.count_updated ? tally.updated : 0));
  }
  if (tally.last == Outcome::left_alone) return context.reply.null();
  context.reply.real(score);
}

void add(Context& context, std::string_view key, const Options& options,
         std::span<const std::string_view> words) {
  auto additions = additions_or_reply(context, words);
  if (!additions || !key_fits_or_reply(context, key)) return;
  auto held = change_as<SortedSet>(context, key);
  if (!held) return;
  if (held->absent() && options.only_present) return write_outcome(context, options, {}, 0);
  SortedSet& set = held->value_or_make(context);
  const Tally tally = put_all(set, options, *additions, compact_limits(context));
  if (tally.last == Outcome::not_a_number) {
    return context.reply.error("ERR resulting score is not a number (NaN)");
  }
  write_outcome(context, options, tally, additions->back().score);
  if (tally.added + tally.updated == 0) return;
  changed(context, *held);
  notify(context, EventClass::sorted_set, options.increment ? "zincr" : "zadd", key);
}

void zadd(Context& context, Arguments& args) {
  Options options;
  std::size_t scores_at = 2;
  while (scores_at < args.size() && take_option(args[scores_at], options)) ++scores_at;
  const std::string_view fault = fault_of(options, args.size() - scores_at);
  if (!fault.empty()) return context.reply.error(fault);
  add(context, args[1], options, args.from(scores_at));
}

void zincrby(Context& context, Arguments& args) {
  add(context, args[1], {.increment = true}, args.from(2));
}

constexpr Command kRows[] = {
    {.name = "ZADD",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary =
         "Gives members of a sorted set their scores; those that are no members yet become so.",
     .syntax = "key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...]",
     .complexity = "O(log n) a member, for a set of n",
     .arity = at_least(4),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zadd},
    {.name = "ZINCRBY",
     .group = "sorted-set",
     .since = "1.2.0",
     .summary = "Adds to the score of a member; one that is no member yet begins at 0.",
     .syntax = "key increment member",
     .complexity = "O(log n) for a set of n",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::sorted_set | Category::fast,
     .compat = kSame,
     .run = zincrby},
};

}  // namespace

std::span<const Command> sorted_set_add_commands() {
  return kRows;
}

}  // namespace fencepost::commands
