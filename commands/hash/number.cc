// HINCRBY and HINCRBYFLOAT: fields that are numbers.
#include "base/number.h"

#include <cmath>
#include <optional>
#include <string>

#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/hash/family.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

using state::Hash;

const std::string* present_value(const Held<Hash>& held, std::string_view field) {
  return held.absent() ? nullptr : held.value().find(field);
}

void hincrby(Context& context, Arguments& args) {
  const auto step = integer_or_reply(context, args[3]);
  if (!step) return;
  auto held = change_as<Hash>(context, args[1]);
  if (!held) return;
  const std::string* present = present_value(*held, args[2]);
  const auto value = present == nullptr ? std::optional<std::int64_t>{0} : parse_integer(*present);
  if (!value) return context.reply.error("ERR hash value is not an integer");
  const auto sum = checked_add(*value, *step);
  if (!sum) return context.reply.error("ERR increment or decrement would overflow");
  if (!key_fits_or_reply(context, args[1])) return;
  held->value_or_make(context).set(args[2], std::to_string(*sum), compact_hash(context));
  context.reply.integer(*sum);
  changed(context, *held);
  notify(context, EventClass::hash, "hincrby", args[1]);
}

void hincrbyfloat(Context& context, Arguments& args) {
  const auto step = parse_real(args[3]);
  if (!step) return context.reply.error(kNotAFloat);
  if (!std::isfinite(*step)) return context.reply.error("ERR value is NaN or Infinity");
  auto held = change_as<Hash>(context, args[1]);
  if (!held) return;
  const std::string* present = present_value(*held, args[2]);
  const auto value = present == nullptr ? std::optional<long double>{0} : parse_real(*present);
  if (!value) return context.reply.error("ERR hash value is not a float");
  const long double sum = *value + *step;
  if (!std::isfinite(sum)) {
    return context.reply.error("ERR increment would produce NaN or Infinity");
  }
  if (!key_fits_or_reply(context, args[1])) return;
  const std::string text = format_real(sum);
  held->value_or_make(context).set(args[2], text, compact_hash(context));
  context.reply.bulk(text);
  changed(context, *held);
  notify(context, EventClass::hash, "hincrbyfloat", args[1]);
}

constexpr Command kRows[] = {
    {.name = "HINCRBY",
     .group = "hash",
     .since = "2.0.0",
     .summary = "Adds a whole number to the number in a field; a missing one counts as 0.",
     .syntax = "key field increment",
     .complexity = "O(1)",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::hash | Category::fast,
     .compat = kSame,
     .run = hincrby},
    {.name = "HINCRBYFLOAT",
     .group = "hash",
     .since = "2.6.0",
     .summary = "Adds a real number to the number in a field; a missing one counts as 0.",
     .syntax = "key field increment",
     .complexity = "O(1)",
     .arity = exactly(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::hash | Category::fast,
     .compat = kSame,
     .run = hincrbyfloat},
};

}  // namespace

std::span<const Command> hash_number_commands() {
  return kRows;
}

}  // namespace fencepost::commands
