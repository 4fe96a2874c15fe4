// INCR and its kin: strings that are numbers.
#include "base/number.h"

#include <cmath>
#include <optional>
#include <string>

#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/string/family.h"

namespace fencepost::commands {

namespace {

// Writes the number's text into the key, in place if it exists: lease and fence stay.
void store(Context& context, const state::Spot& spot, const std::string& text,
           state::Item::Form form) {
  state::Item& item = spot ? *spot.item : context.keys().create_text(spot, text);
  if (spot) context.keys().edit(item, [&text](std::string& value) { value = text; });
  item.form = form;
}

void add(Context& context, std::string_view key, std::int64_t step) {
  const state::Spot spot = look(context, key);
  if (!string_or_reply(context, spot.item)) return;
  std::int64_t value = 0;
  if (spot) {
    const auto present = integer_or_reply(context, spot.item->text());
    if (!present) return;
    value = *present;
  }
  const auto sum = checked_add(value, step);
  if (!sum) return context.reply.error("ERR increment or decrement would overflow");
  if (!key_fits_or_reply(context, key)) return;
  store(context, spot, std::to_string(*sum), state::Item::Form::plain);
  notify(context, EventClass::string, "incrby", key);
  context.reply.integer(*sum);
}

void incr(Context& context, Arguments& args) {
  add(context, args[1], 1);
}

void decr(Context& context, Arguments& args) {
  add(context, args[1], -1);
}

void incrby(Context& context, Arguments& args) {
  const auto step = integer_or_reply(context, args[2]);
  if (step) add(context, args[1], *step);
}

void decrby(Context& context, Arguments& args) {
  const auto step = integer_or_reply(context, args[2]);
  if (!step) return;
  if (*step == INT64_MIN) return context.reply.error("ERR decrement would overflow");
  add(context, args[1], -*step);
}

std::optional<long double> real_or_reply(Context& context, std::string_view text) {
  const auto number = parse_real(text);
  if (!number) context.reply.error(kNotAFloat);
  return number;
}

void incrbyfloat(Context& context, Arguments& args) {
  const state::Spot spot = look(context, args[1]);
  if (!string_or_reply(context, spot.item)) return;
  const auto value =
      spot ? real_or_reply(context, spot.item->text()) : std::optional<long double>{0};
  if (!value) return;
  const auto step = real_or_reply(context, args[2]);
  if (!step) return;
  const long double sum = *value + *step;
  if (!std::isfinite(sum)) {
    return context.reply.error("ERR increment would produce NaN or Infinity");
  }
  if (!key_fits_or_reply(context, args[1])) return;
  const std::string text = format_real(sum);
  store(context, spot, text, state::Item::Form::text);
  notify(context, EventClass::string, "incrbyfloat", args[1]);
  context.reply.bulk(text);
}

constexpr Command kRows[] = {
    {.name = "INCR",
     .group = "string",
     .since = "1.0.0",
     .summary = "Adds one to the number in a key; a missing key counts as 0.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = incr},
    {.name = "DECR",
     .group = "string",
     .since = "1.0.0",
     .summary = "Takes one from the number in a key; a missing key counts as 0.",
     .syntax = "key",
     .complexity = "O(1)",
     .arity = exactly(2),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = decr},
    {.name = "INCRBY",
     .group = "string",
     .since = "1.0.0",
     .summary = "Adds a whole number to the number in a key; a missing key counts as 0.",
     .syntax = "key increment",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = incrby},
    {.name = "DECRBY",
     .group = "string",
     .since = "1.0.0",
     .summary = "Takes a whole number from the number in a key; a missing key counts as 0.",
     .syntax = "key decrement",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = decrby},
    {.name = "INCRBYFLOAT",
     .group = "string",
     .since = "2.6.0",
     .summary = "Adds a real number to the number in a key; a missing key counts as 0.",
     .syntax = "key increment",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = incrbyfloat},
};

}  // namespace

std::span<const Command> number_commands() {
  return kRows;
}

}  // namespace fencepost::commands
