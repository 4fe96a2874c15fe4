// UNLOCK: gives back what the owner holds, or its place in line; right in every `finally`.
#include "commands/lock/family.h"
#include "commands/lock/terms.h"

namespace fencepost::commands {

namespace {

void unlock(Context& context, Arguments& arguments) {
  const std::size_t last = arguments.size() - 1;
  if (!owner_fits_or_reply(context, arguments[last])) return;
  context.reply.integer(context.state.locks().release(context.database(),
                                                      arguments.between(1, last), arguments[last]));
}

}  // namespace

const Command& unlock_command() {
  static constexpr Command kRow{
      .name = "UNLOCK",
      .group = "lock",
      .since = "0.1.0",
      .summary =
          "Frees the keys that the owner holds, gives up its places in line, and counts them.",
      .syntax = "key [key ...] owner",
      .complexity = "O(k log n) for k keys and n waiters",
      .arity = at_least(3),
      .keys = {.first = 1, .last = -2, .step = 1, .use = KeyUse::read_write | KeyUse::erase},
      .effect = Effect::write,
      .flags = Flag::fast,
      .categories = Category::lock | Category::write | Category::fast,
      .compat = {Compat::extension, ""},
      .run = unlock};
  return kRow;
}

}  // namespace fencepost::commands
