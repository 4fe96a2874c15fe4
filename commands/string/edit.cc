// APPEND and SETRANGE: strings changed in place.
#include <string>

#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/string/family.h"

namespace fencepost::commands {

namespace {

std::int64_t size_of(const state::Item* item) {
  return item == nullptr ? 0 : static_cast<std::int64_t>(item->text().size());
}

void append(Context& context, Arguments& args) {
  const state::Spot spot = look(context, args[1]);
  const std::string_view more = args[2];
  if (!string_or_reply(context, spot.item)) return;
  if (!spot) {
    if (!key_fits_or_reply(context, args[1])) return;
    context.keys().create_text(spot, more);
    notify(context, EventClass::string, "append", args[1]);
    return context.reply.integer(static_cast<std::int64_t>(more.size()));
  }
  if (!value_fits_or_reply(context, spot.item->text().size(), more.size())) return;
  context.keys().edit(*spot.item, [more](std::string& text) { text.append(more); });
  spot.item->form = state::Item::Form::raw;
  notify(context, EventClass::string, "append", args[1]);
  context.reply.integer(size_of(spot.item));
}

// Writes `patch` over the text from `offset` on; a gap before it is filled with zero bytes.
void overwrite(std::string& text, std::size_t offset, std::string_view patch) {
  if (text.size() < offset + patch.size()) text.resize(offset + patch.size(), '\0');
  text.replace(offset, patch.size(), patch);
}

void setrange(Context& context, Arguments& args) {
  const auto wanted = integer_or_reply(context, args[2]);
  if (!wanted) return;
  if (*wanted < 0) return context.reply.error("ERR offset is out of range");
  const auto offset = static_cast<std::size_t>(*wanted);
  const std::string_view patch = args[3];
  state::Spot spot = look(context, args[1]);
  if (!string_or_reply(context, spot.item)) return;
  if (patch.empty()) return context.reply.integer(size_of(spot.item));
  if (!value_fits_or_reply(context, offset, patch.size())) return;
  if (!spot) {
    if (!key_fits_or_reply(context, args[1])) return;
    std::string text;
    overwrite(text, offset, patch);
    spot.item = &context.keys().create(spot, std::move(text));
  } else {
    context.keys().edit(*spot.item,
                        [offset, patch](std::string& text) { overwrite(text, offset, patch); });
  }
  spot.item->form = state::Item::Form::raw;
  notify(context, EventClass::string, "setrange", args[1]);
  context.reply.integer(size_of(spot.item));
}

constexpr Command kRows[] = {
    {.name = "APPEND",
     .group = "string",
     .since = "2.0.0",
     .summary = "Adds bytes at the end of a key's value, making the key if need be.",
     .syntax = "key value",
     .complexity = "O(n) for n bytes added, on average",
     .arity = exactly(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::insert),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::string | Category::fast,
     .compat = kSame,
     .run = append},
    {.name = "SETRANGE",
     .group = "string",
     .since = "2.2.0",
     .summary = "Writes bytes over a part of a key's value, making it longer if need be.",
     .syntax = "key offset value",
     .complexity = "O(n) for n bytes written or filled in",
     .arity = exactly(4),
     .keys = kFirstKey,
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::string | Category::slow,
     .compat = kSame,
     .run = setrange},
};

}  // namespace

std::span<const Command> edit_commands() {
  return kRows;
}

}  // namespace fencepost::commands
