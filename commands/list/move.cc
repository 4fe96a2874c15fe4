// LMOVE, RPOPLPUSH, and BLMOVE and BRPOPLPUSH which wait: an element goes from one list to another.
#include <optional>

#include "commands/arguments.h"
#include "commands/blocking.h"
#include "commands/events.h"
#include "commands/list/ends.h"
#include "commands/list/family.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

// From which end of which list to which end of which.
struct MoveAsk {
  std::string_view source;
  std::string_view target;
  End from = End::back;
  End to = End::front;
};

// False when there is nothing at the source, and nothing is answered.
bool move_element(Context& context, const MoveAsk& ask) {
  const auto source = change_as<state::List>(context, ask.source);
  if (!source) return true;
  if (source->absent()) return false;
  auto target = change_as<state::List>(context, ask.target);
  if (!target) return true;
  if (target->absent() && !key_fits_or_reply(context, ask.target)) return true;
  const state::Element element = source->value().pop(ask.from);
  target->value_or_make(context).push(ask.to, element.view());
  changed(context, *target);
  notify(context, EventClass::list, push_event(ask.to), ask.target);
  context.reply.bulk(element.view());
  taken(context, *source, ask.source, pop_event(ask.from));
  return true;
}

void move_or_null(Context& context, const MoveAsk& ask) {
  if (!move_element(context, ask)) context.reply.null();
}

void move_or_wait(Context& context, const Arguments& args, const MoveAsk& ask,
                  std::string_view timeout) {
  const auto deadline = timeout_or_reply(context, timeout);
  if (!deadline || move_element(context, ask)) return;
  if (!context.may_wait) return context.reply.null();
  park(context, args.all(),
       {.first_key = 1, .key_count = 1, .wanted = state::Type::list, .deadline = *deadline});
}

std::optional<MoveAsk> move_ask_or_reply(Context& context, const Arguments& args) {
  const auto from = end_or_reply(context, args[3]);
  if (!from) return std::nullopt;
  const auto to = end_or_reply(context, args[4]);
  if (!to) return std::nullopt;
  return MoveAsk{.source = args[1], .target = args[2], .from = *from, .to = *to};
}

void lmove(Context& context, Arguments& args) {
  const auto ask = move_ask_or_reply(context, args);
  if (ask) move_or_null(context, *ask);
}

void rpoplpush(Context& context, Arguments& args) {
  move_or_null(context, {.source = args[1], .target = args[2]});
}

void blmove(Context& context, Arguments& args) {
  const auto ask = move_ask_or_reply(context, args);
  if (ask) move_or_wait(context, args, *ask, args[5]);
}

void brpoplpush(Context& context, Arguments& args) {
  move_or_wait(context, args, {.source = args[1], .target = args[2]}, args[3]);
}

constexpr KeyPositions kFromTo = used(kTwoKeys, KeyUse::read_write | KeyUse::access | KeyUse::erase,
                                      KeyUse::read_write | KeyUse::insert);

constexpr Command kRows[] = {
    {.name = "LMOVE",
     .group = "list",
     .since = "6.2.0",
     .summary = "Takes an element from one list, puts it into another and answers it.",
     .syntax = "source destination <LEFT | RIGHT> <LEFT | RIGHT>",
     .complexity = "O(1)",
     .arity = exactly(5),
     .keys = kFromTo,
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::list | Category::slow,
     .compat = kSame,
     .run = lmove},
    {.name = "RPOPLPUSH",
     .group = "list",
     .since = "1.2.0",
     .summary = "Takes the last element of one list, puts it first into another and answers it.",
     .syntax = "source destination",
     .complexity = "O(1)",
     .arity = exactly(3),
     .keys = kFromTo,
     .effect = Effect::write,
     .flags = Flag::deny_oom,
     .categories = Category::write | Category::list | Category::slow,
     .compat = kSame,
     .run = rpoplpush},
    {.name = "BLMOVE",
     .group = "list",
     .since = "6.2.0",
     .summary = "As LMOVE, waiting for an element if there is none.",
     .syntax = "source destination <LEFT | RIGHT> <LEFT | RIGHT> timeout",
     .complexity = "O(1)",
     .arity = exactly(6),
     .keys = kFromTo,
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::no_script | Flag::blocking,
     .categories = Category::write | Category::list | Category::slow | Category::blocking,
     .compat = kSame,
     .run = blmove},
    {.name = "BRPOPLPUSH",
     .group = "list",
     .since = "2.2.0",
     .summary = "As RPOPLPUSH, waiting for an element if there is none.",
     .syntax = "source destination timeout",
     .complexity = "O(1)",
     .arity = exactly(4),
     .keys = kFromTo,
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::no_script | Flag::blocking,
     .categories = Category::write | Category::list | Category::slow | Category::blocking,
     .compat = kSame,
     .run = brpoplpush},
};

}  // namespace

std::span<const Command> list_move_commands() {
  return kRows;
}

}  // namespace fencepost::commands
