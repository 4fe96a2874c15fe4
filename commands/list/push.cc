// LPUSH, RPUSH and their X forms: elements come to one end.
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/list/ends.h"
#include "commands/list/family.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

enum class IfAbsent : std::uint8_t { make, leave };

void push(Context& context, const Arguments& args, End end, IfAbsent if_absent) {
  const std::string_view key = args[1];
  auto list = change_as<state::List>(context, key);
  if (!list) return;
  if (list->absent()) {
    if (if_absent == IfAbsent::leave) return context.reply.integer(0);
    if (!key_fits_or_reply(context, key)) return;
  }
  state::List& elements = list->value_or_make(context);
  for (const std::string_view element : args.from(2)) elements.push(end, element);
  context.reply.integer(static_cast<std::int64_t>(elements.size()));
  changed(context, *list);
  notify(context, EventClass::list, push_event(end), key);
}

void lpush(Context& context, Arguments& args) {
  push(context, args, End::front, IfAbsent::make);
}

void rpush(Context& context, Arguments& args) {
  push(context, args, End::back, IfAbsent::make);
}

void lpushx(Context& context, Arguments& args) {
  push(context, args, End::front, IfAbsent::leave);
}

void rpushx(Context& context, Arguments& args) {
  push(context, args, End::back, IfAbsent::leave);
}

constexpr Command row(std::string_view name, std::string_view since, std::string_view summary,
                      Handler run) {
  return {.name = name,
          .group = "list",
          .since = since,
          .summary = summary,
          .syntax = "key element [element ...]",
          .complexity = "O(1) for every element",
          .arity = at_least(3),
          .keys = used(kFirstKey, KeyUse::read_write | KeyUse::insert),
          .effect = Effect::write,
          .flags = Flag::deny_oom | Flag::fast,
          .categories = Category::write | Category::list | Category::fast,
          .compat = kSame,
          .run = run};
}

constexpr Command kRows[] = {
    row("LPUSH", "1.0.0", "Puts elements before all others, one after the other.", lpush),
    row("RPUSH", "1.0.0", "Puts elements behind all others, one after the other.", rpush),
    row("LPUSHX", "2.2.0", "Puts elements before all others, if there is such a list.", lpushx),
    row("RPUSHX", "2.2.0", "Puts elements behind all others, if there is such a list.", rpushx),
};

}  // namespace

std::span<const Command> push_commands() {
  return kRows;
}

}  // namespace fencepost::commands
