// SPOP, SRANDMEMBER and SSCAN: some of the members.
#include <string>
#include <vector>

#include "base/number.h"
#include "commands/arguments.h"
#include "commands/chance.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/rows.h"
#include "commands/scan_options.h"
#include "commands/set/family.h"

namespace fencepost::commands {

namespace {

using state::Set;

void random_member(Context& context, std::string_view key) {
  const auto set = read_as<Set>(context, key);
  if (!set) return;
  if (*set == nullptr) return context.reply.null();
  std::string digits;
  const auto at = static_cast<std::size_t>(context.random.below((*set)->size()));
  context.reply.bulk((*set)->at(at, digits));
}

void srandmember(Context& context, Arguments& args) {
  if (args.size() > 3) return context.reply.error(kSyntaxError);
  if (args.size() == 2) return random_member(context, args[1]);
  const auto count = random_count_or_reply(context, args[2]);
  if (!count) return;
  const auto set = read_as<Set>(context, args[1]);
  if (!set) return;
  if (*set == nullptr) return context.reply.array(0);
  context.reply.array(results_or_cut(context, (*set)->size(), *count));
  std::string digits;
  for_random_positions(context, (*set)->size(), *count, [&context, &set, &digits](std::size_t at) {
    context.reply.bulk((*set)->at(at, digits));
  });
}

void pop_one(Context& context, std::string_view key) {
  const auto held = change_as<Set>(context, key);
  if (!held) return;
  if (held->absent()) return context.reply.null();
  Set& set = held->value();
  notify(context, EventClass::set, "spop", key);
  std::string digits;
  const auto at = static_cast<std::size_t>(context.random.below(set.size()));
  context.reply.bulk(set.at(at, digits));
  set.erase_at({at});
  end_told_then_changed(context, *held, key);
}

// When little is left of many, Redis makes the set anew of what is left; it may be one of numbers
// then.
void make_anew(Context& context, Set& set) {
  Set made{context.keys().hash_seed()};
  std::string digits;
  for (std::size_t at = 0; at < set.size(); ++at)
    made.add(set.at(at, digits), most_numbers(context));
  set = std::move(made);
}

// Nothing is removed when the reply has no room for all that would be.
void pop_several(Context& context, std::string_view key, std::size_t count) {
  constexpr std::size_t kLittle = 5;
  const auto held = change_as<Set>(context, key);
  if (!held) return;
  if (held->absent() || count == 0) return context.reply.set(0);
  Set& set = held->value();
  const auto positions = choose(context.random, set.size(), std::min(count, set.size()));
  const std::size_t event_at = context.reply.size();
  context.reply.set(positions.size());
  std::string digits;
  for (const std::size_t at : positions) context.reply.bulk(set.at(at, digits));
  if (context.reply.was_cut()) return;
  context.state.happenings().event(EventClass::set, "spop", context.database(), key, event_at);
  set.erase_at(positions);
  if (set.size() * kLittle <= positions.size() && !set.is_numbers()) make_anew(context, set);
  end_told_then_changed(context, *held, key);
}

void spop(Context& context, Arguments& args) {
  if (args.size() > 3) return context.reply.error(kSyntaxError);
  if (args.size() == 2) return pop_one(context, args[1]);
  const auto count = parse_integer(args[2]);
  if (!count || *count < 0) return context.reply.error(kOutOfRange);
  pop_several(context, args[1], static_cast<std::size_t>(*count));
}

// A set of numbers is answered whole, as in Redis.
void reply_all_numbers(Context& context, const Set& set, const ScanOptions& options) {
  context.reply.array(2);
  context.reply.bulk("0");
  const std::size_t opened = context.reply.open();
  std::size_t count = 0;
  std::string digits;
  for (std::size_t at = 0; at < set.size(); ++at) {
    const std::string_view member = set.at(at, digits);
    if (!options.admits(member)) continue;
    context.reply.bulk(member);
    ++count;
  }
  context.reply.close_array(opened, count);
}

void sscan(Context& context, Arguments& args) {
  const auto cursor = cursor_or_reply(context, args[2]);
  if (!cursor) return;
  const auto set = read_as<Set>(context, args[1]);
  if (!set) return;
  if (*set == nullptr) return reply_empty_scan(context);
  const auto options = scan_options_or_reply(context, args, 3, ScanOf::elements);
  if (!options) return;
  if ((*set)->is_numbers()) return reply_all_numbers(context, **set, *options);
  std::vector<std::string_view> found;
  const std::uint64_t next =
      (*set)->scan(*cursor, options->count, [&options, &found](std::string_view member) {
        if (options->admits(member)) found.push_back(member);
      });
  context.reply.array(2);
  context.reply.bulk(std::to_string(next));
  context.reply.array(found.size());
  for (const std::string_view member : found) context.reply.bulk(member);
}

constexpr Command kRows[] = {
    {.name = "SPOP",
     .group = "set",
     .since = "1.0.0",
     .summary = "Removes members of a set by chance and answers them.",
     .syntax = "key [count]",
     .complexity = "O(n) for n members removed",
     .arity = at_least(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::set | Category::fast,
     .compat = kSame,
     .run = spop,
     .tips = "nondeterministic_output"},
    {.name = "SRANDMEMBER",
     .group = "set",
     .since = "1.0.0",
     .summary = "Answers members of a set by chance.",
     .syntax = "key [count]",
     .complexity = "O(n) for n members asked for",
     .arity = at_least(2),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::set | Category::slow,
     .compat = kSame,
     .run = srandmember,
     .tips = "nondeterministic_output"},
    {.name = "SSCAN",
     .group = "set",
     .since = "2.8.0",
     .summary = "Answers some of the members, and the cursor to go on with; 0 at the end.",
     .syntax = "key cursor [MATCH pattern] [COUNT count]",
     .complexity = "O(n) for a COUNT of n; O(n) for n members over a whole scan",
     .arity = at_least(3),
     .keys = kFirstKey,
     .effect = Effect::read,
     .categories = Category::read | Category::set | Category::slow,
     .compat = {Compat::same, "but for the cursors, and for the order in sets of texts"},
     .run = sscan,
     .tips = "nondeterministic_output"},
};

}  // namespace

std::span<const Command> set_sample_commands() {
  return kRows;
}

}  // namespace fencepost::commands
