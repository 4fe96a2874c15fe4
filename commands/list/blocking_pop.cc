// BLPOP, BRPOP and BLMPOP: elements are taken from one end, as soon as there are any.
#include "commands/arguments.h"
#include "commands/blocking.h"
#include "commands/list/ends.h"
#include "commands/list/family.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

// The keys begin at the word `first_key` of the request.
void pop_or_wait(Context& context, const Arguments& args, const PopAsk& ask, std::size_t first_key,
                 std::string_view timeout) {
  const auto deadline = timeout_or_reply(context, timeout);
  if (!deadline || pop_first(context, ask)) return;
  if (!context.may_wait) return context.reply.null_array();
  park(context, args.all(),
       {.first_key = first_key,
        .key_count = ask.keys.size(),
        .wanted = state::Type::list,
        .deadline = *deadline});
}

void pop_from(Context& context, const Arguments& args, End end) {
  const std::size_t last = args.size() - 1;
  const PopAsk ask{.keys = args.between(1, last), .end = end, .count = std::nullopt};
  pop_or_wait(context, args, ask, 1, args[last]);
}

void blpop(Context& context, Arguments& args) {
  pop_from(context, args, End::front);
}

void brpop(Context& context, Arguments& args) {
  pop_from(context, args, End::back);
}

void blmpop(Context& context, Arguments& args) {
  constexpr std::size_t kFirstKey = 3;
  const auto ask = pop_ask_or_reply(context, args.from(2));
  if (ask) pop_or_wait(context, args, *ask, kFirstKey, args[1]);
}

constexpr Command row(std::string_view name, std::string_view summary, Handler run) {
  return {.name = name,
          .group = "list",
          .since = "2.0.0",
          .summary = summary,
          .syntax = "key [key ...] timeout",
          .complexity = "O(k) for k keys",
          .arity = at_least(3),
          .keys = used({.first = 1, .last = -2, .step = 1},
                       KeyUse::read_write | KeyUse::access | KeyUse::erase),
          .effect = Effect::write,
          .flags = Flag::no_script | Flag::blocking,
          .categories = Category::write | Category::list | Category::slow | Category::blocking,
          .compat = kSame,
          .run = run};
}

constexpr Command kRows[] = {
    row("BLPOP", "Takes the first element of the first list, waiting for one if there is none.",
        blpop),
    row("BRPOP", "Takes the last element of the first list, waiting for one if there is none.",
        brpop),
    {.name = "BLMPOP",
     .group = "list",
     .since = "7.0.0",
     .summary = "Takes elements of the first list, waiting for one if there is none.",
     .syntax = "timeout numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
     .complexity = "O(k + n) for k keys and n elements that are taken",
     .arity = at_least(5),
     .keys = used({.count_at = 2}, KeyUse::read_write | KeyUse::access | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::blocking | Flag::movable_keys,
     .categories = Category::write | Category::list | Category::slow | Category::blocking,
     .compat = kSame,
     .run = blmpop},
};

}  // namespace

std::span<const Command> blocking_pop_commands() {
  return kRows;
}

}  // namespace fencepost::commands
