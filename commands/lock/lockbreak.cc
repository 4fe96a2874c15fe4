// LOCKBREAK: an operator frees a key, and its old holder's fence is stale at once.
#include "commands/lock/family.h"
#include "commands/lock/terms.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void lockbreak(Context& context, Arguments& arguments) {
  if (!lockable_or_reply(context, arguments[1])) return;
  const bool broken = context.state.locks().break_hold(context.database(), arguments[1]);
  context.reply.integer(broken ? 1 : 0);
}

}  // namespace

const Command& lockbreak_command() {
  static constexpr Command kRow{
      .name = "LOCKBREAK",
      .group = "lock",
      .since = "0.1.0",
      .summary = "Frees a key whoever holds it, and makes the old holder's fence stale at once.",
      .syntax = "key",
      .complexity = "O(h + log n) for h holders and n leases",
      .arity = exactly(2),
      .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
      .effect = Effect::write,
      .flags = Flag::fast,
      .categories = Category::lock | Category::write | Category::fast | Category::dangerous,
      .compat = {Compat::extension, ""},
      .run = lockbreak};
  return kRow;
}

}  // namespace fencepost::commands
