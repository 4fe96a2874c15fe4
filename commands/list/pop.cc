// LPOP, RPOP and LMPOP: elements are taken from one end.
#include "base/number.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/list/ends.h"
#include "commands/list/family.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void pop_counted(Context& context, const Arguments& args, End end) {
  const auto count = parse_integer(args[2]);
  if (!count || *count < 0) return context.reply.error(kOutOfRange);
  const auto list = change_as<state::List>(context, args[1]);
  if (!list) return;
  if (list->absent()) return context.reply.null_array();
  if (*count == 0) return context.reply.array(0);
  pop_several(context, *list, args[1], end, static_cast<std::uint64_t>(*count));
}

void pop(Context& context, const Arguments& args, End end, std::string_view command) {
  if (args.size() > 3) {
    return context.reply.error("ERR wrong number of arguments for '" + std::string{command} +
                               "' command");
  }
  if (args.size() == 3) return pop_counted(context, args, end);
  const auto list = change_as<state::List>(context, args[1]);
  if (!list) return;
  if (list->absent()) return context.reply.null();
  context.reply.bulk(list->value().pop(end).view());
  taken(context, *list, args[1], pop_event(end));
}

void lpop(Context& context, Arguments& args) {
  pop(context, args, End::front, "lpop");
}

void rpop(Context& context, Arguments& args) {
  pop(context, args, End::back, "rpop");
}

void lmpop(Context& context, Arguments& args) {
  const auto ask = pop_ask_or_reply(context, args.from(1));
  if (ask && !pop_first(context, *ask)) context.reply.null_array();
}

constexpr Command row(std::string_view name, std::string_view summary, Handler run) {
  return {.name = name,
          .group = "list",
          .since = "1.0.0",
          .summary = summary,
          .syntax = "key [count]",
          .complexity = "O(n) for n elements that are taken",
          .arity = at_least(2),
          .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::erase),
          .effect = Effect::write,
          .flags = Flag::fast,
          .categories = Category::write | Category::list | Category::fast,
          .compat = kSame,
          .run = run};
}

constexpr Command kRows[] = {
    row("LPOP", "Takes the first elements of a list and answers them.", lpop),
    row("RPOP", "Takes the last elements of a list and answers them.", rpop),
    {.name = "LMPOP",
     .group = "list",
     .since = "7.0.0",
     .summary = "Takes elements from the first of the keys that has a list.",
     .syntax = "numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
     .complexity = "O(k + n) for k keys and n elements that are taken",
     .arity = at_least(4),
     .keys = used({.count_at = 1}, KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::movable_keys,
     .categories = Category::write | Category::list | Category::slow,
     .compat = kSame,
     .run = lmpop},
};

}  // namespace

std::span<const Command> pop_commands() {
  return kRows;
}

}  // namespace fencepost::commands
