// ZUNION, ZINTER, ZDIFF, and the same for those who keep the outcome: one set of several.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/errors.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/sorted_set/combination.h"
#include "commands/sorted_set/elements.h"
#include "commands/sorted_set/family.h"

namespace fencepost::commands {

namespace {

using state::ScoredMember;
using state::SortedSet;

enum class Outcome : std::uint8_t { answered, stored, counted };

struct Request {
  Combination combination;
  Outcome outcome = Outcome::answered;
  Scores scores = Scores::left_out;
  std::uint64_t limit = 0;
};

// The keys from `first` on; null when the command is answered.
std::optional<std::vector<Input>> inputs_or_reply(Context& context,
                                                  std::span<const std::string_view> keys) {
  std::vector<Input> inputs;
  for (const std::string_view key : keys) {
    const state::Item* item = read_key(context, key);
    if (item == nullptr) {
      inputs.emplace_back();
    } else if (is_a<SortedSet>(*item)) {
      inputs.emplace_back(static_cast<const SortedSet&>(item->collection()));
    } else if (is_a<state::Set>(*item)) {
      inputs.emplace_back(static_cast<const state::Set&>(item->collection()));
    } else {
      context.reply.error(kWrongType);
      return std::nullopt;
    }
  }
  return inputs;
}

bool weights_or_reply(Context& context, std::span<const std::string_view> words,
                      std::vector<Input>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto weight = parse_double(words[i]);
    if (!weight) {
      context.reply.error("ERR weight value is not a float");
      return false;
    }
    inputs[i].weight = *weight;
  }
  return true;
}

bool aggregate_or_reply(Context& context, std::string_view word, Aggregate& aggregate) {
  if (same_word(word, "SUM")) {
    aggregate = Aggregate::sum;
  } else if (same_word(word, "MIN")) {
    aggregate = Aggregate::min;
  } else if (same_word(word, "MAX")) {
    aggregate = Aggregate::max;
  } else {
    context.reply.error(kSyntaxError);
    return false;
  }
  return true;
}

bool limit_or_reply(Context& context, std::string_view word, std::uint64_t& limit) {
  const auto number = parse_integer(word);
  if (!number || *number < 0) {
    context.reply.error("ERR LIMIT can't be negative");
    return false;
  }
  limit = static_cast<std::uint64_t>(*number);
  return true;
}

// What stands behind the keys. False when the command is answered.
bool options_or_reply(Context& context, std::span<const std::string_view> words, Request& request) {
  Combination& combination = request.combination;
  const bool scored =
      combination.operation != Operation::subtract && request.outcome != Outcome::counted;
  const std::size_t inputs = combination.inputs.size();
  while (!words.empty()) {
    const std::string_view word = words.front();
    const auto rest = words.subspan(1);
    std::size_t taken = 1;
    if (scored && rest.size() >= inputs && same_word(word, "WEIGHTS")) {
      if (!weights_or_reply(context, rest, combination.inputs)) return false;
      taken += inputs;
    } else if (scored && !rest.empty() && same_word(word, "AGGREGATE")) {
      if (!aggregate_or_reply(context, rest.front(), combination.aggregate)) return false;
      ++taken;
    } else if (request.outcome == Outcome::answered && same_word(word, "WITHSCORES")) {
      request.scores = Scores::shown;
    } else if (request.outcome == Outcome::counted && !rest.empty() && same_word(word, "LIMIT")) {
      if (!limit_or_reply(context, rest.front(), request.limit)) return false;
      ++taken;
    } else {
      context.reply.error(kSyntaxError);
      return false;
    }
    words = words.subspan(taken);
  }
  return true;
}

// numkeys key [key ...] and options, from `at` on.
std::optional<Request> request_or_reply(Context& context, const Arguments& args, std::size_t at,
                                        Operation operation, Outcome outcome) {
  const auto number = integer_or_reply(context, args[at]);
  if (!number) return std::nullopt;
  if (*number < 1) {
    context.reply.error("ERR at least 1 input key is needed for '" + to_lower(args[0]) +
                        "' command");
    return std::nullopt;
  }
  if (std::cmp_greater(*number, args.size() - at - 1)) {
    context.reply.error(kSyntaxError);
    return std::nullopt;
  }
  const std::size_t end = at + 1 + static_cast<std::size_t>(*number);
  auto inputs = inputs_or_reply(context, args.between(at + 1, end));
  if (!inputs) return std::nullopt;
  Request request{.combination = {.operation = operation, .inputs = std::move(*inputs)},
                  .outcome = outcome};
  if (!options_or_reply(context, args.from(end), request)) return std::nullopt;
  return request;
}

void answer(Context& context, const Arguments& args, Operation operation) {
  auto request = request_or_reply(context, args, 1, operation, Outcome::answered);
  if (!request) return;
  const auto made = make_sorted_set(context);
  combine(request->combination, *made);
  std::vector<ScoredMember> elements;
  elements.reserve(made->size());
  made->visit(0, state::Direction::up, [&elements](const ScoredMember& one) {
    elements.push_back(one);
    return true;
  });
  write_elements(context.reply, elements, request->scores);
}

void store(Context& context, const Arguments& args, Operation operation, std::string_view event) {
  auto request = request_or_reply(context, args, 2, operation, Outcome::stored);
  if (!request || !key_fits_or_reply(context, args[1])) return;
  auto made = make_sorted_set(context);
  combine(request->combination, *made);
  store_and_reply(context, args[1], std::move(made), event);
}

void zunion(Context& context, Arguments& args) {
  answer(context, args, Operation::unite);
}

void zinter(Context& context, Arguments& args) {
  answer(context, args, Operation::intersect);
}

void zdiff(Context& context, Arguments& args) {
  answer(context, args, Operation::subtract);
}

void zunionstore(Context& context, Arguments& args) {
  store(context, args, Operation::unite, "zunionstore");
}

void zinterstore(Context& context, Arguments& args) {
  store(context, args, Operation::intersect, "zinterstore");
}

void zdiffstore(Context& context, Arguments& args) {
  store(context, args, Operation::subtract, "zdiffstore");
}

void zintercard(Context& context, Arguments& args) {
  auto request = request_or_reply(context, args, 1, Operation::intersect, Outcome::counted);
  if (!request) return;
  const std::uint64_t count = count_common(request->combination, request->limit);
  context.reply.integer(static_cast<std::int64_t>(count));
}

constexpr Command kRows[] = {
    {.name = "ZUNION",
     .group = "sorted-set",
     .since = "6.2.0",
     .summary = "Answers what is in any of the sets, with the scores put together.",
     .syntax = "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>] "
               "[WITHSCORES]",
     .complexity = "O(n log n) for n members in all",
     .arity = at_least(3),
     .keys = {.count_at = 1},
     .effect = Effect::read,
     .flags = Flag::movable_keys,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zunion},
    {.name = "ZINTER",
     .group = "sorted-set",
     .since = "6.2.0",
     .summary = "Answers what is in all of the sets, with the scores put together.",
     .syntax = "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>] "
               "[WITHSCORES]",
     .complexity = "O(j n + k log k) for j sets, the smallest of n, and k in all of them",
     .arity = at_least(3),
     .keys = {.count_at = 1},
     .effect = Effect::read,
     .flags = Flag::movable_keys,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zinter},
    {.name = "ZDIFF",
     .group = "sorted-set",
     .since = "6.2.0",
     .summary = "Answers what is in the first of the sets alone.",
     .syntax = "numkeys key [key ...] [WITHSCORES]",
     .complexity = "O(j n + k log k) for j sets, the first of n, and k answered",
     .arity = at_least(3),
     .keys = {.count_at = 1},
     .effect = Effect::read,
     .flags = Flag::movable_keys,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zdiff},
    {.name = "ZUNIONSTORE",
     .group = "sorted-set",
     .since = "2.0.0",
     .summary = "Keeps what is in any of the sets, with the scores put together.",
     .syntax = "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | "
               "MIN | MAX>]",
     .complexity = "O(n log n) for n members in all",
     .arity = at_least(4),
     .keys = {.first = 1,
              .last = 1,
              .step = 1,
              .count_at = 2,
              .use = KeyUse::overwrite | KeyUse::update,
              .last_use = KeyUse::read_only | KeyUse::access},
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::movable_keys,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zunionstore},
    {.name = "ZINTERSTORE",
     .group = "sorted-set",
     .since = "2.0.0",
     .summary = "Keeps what is in all of the sets, with the scores put together.",
     .syntax = "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | "
               "MIN | MAX>]",
     .complexity = "O(j n + k log k) for j sets, the smallest of n, and k in all of them",
     .arity = at_least(4),
     .keys = {.first = 1,
              .last = 1,
              .step = 1,
              .count_at = 2,
              .use = KeyUse::overwrite | KeyUse::update,
              .last_use = KeyUse::read_only | KeyUse::access},
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::movable_keys,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zinterstore},
    {.name = "ZDIFFSTORE",
     .group = "sorted-set",
     .since = "6.2.0",
     .summary = "Keeps what is in the first of the sets alone.",
     .syntax = "destination numkeys key [key ...]",
     .complexity = "O(j n + k log k) for j sets, the first of n, and k kept",
     .arity = at_least(4),
     .keys = {.first = 1,
              .last = 1,
              .step = 1,
              .count_at = 2,
              .use = KeyUse::overwrite | KeyUse::update,
              .last_use = KeyUse::read_only | KeyUse::access},
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::movable_keys,
     .categories = Category::write | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zdiffstore},
    {.name = "ZINTERCARD",
     .group = "sorted-set",
     .since = "7.0.0",
     .summary = "Counts what is in all of the sets.",
     .syntax = "numkeys key [key ...] [LIMIT limit]",
     .complexity = "O(j n) for j sets, the smallest of n",
     .arity = at_least(3),
     .keys = {.count_at = 1},
     .effect = Effect::read,
     .flags = Flag::movable_keys,
     .categories = Category::read | Category::sorted_set | Category::slow,
     .compat = kSame,
     .run = zintercard},
};

}  // namespace

std::span<const Command> sorted_set_combine_commands() {
  return kRows;
}

}  // namespace fencepost::commands
