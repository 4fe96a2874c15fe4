// LOCK: one key for one owner, now or after a wait in line; the answer is the fence.
#include "commands/lock/family.h"
#include "commands/lock/terms.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void lock(Context& context, Arguments& arguments) {
  const std::string_view owner = arguments[2];
  if (!owner_fits_or_reply(context, owner)) return;
  const auto terms = lock_terms_or_reply(context, arguments.from(3), "lock", Sharing::allowed);
  if (terms) ask_for_lock(context, arguments.between(1, 2), owner, *terms, false);
}

}  // namespace

const Command& lock_command() {
  static constexpr Command kRow{
      .name = "LOCK",
      .group = "lock",
      .since = "0.1.0",
      .summary = "Takes a key for an owner, waiting in line if asked to, and answers the fence.",
      .syntax =
          "key owner [EX seconds | PX milliseconds] [WAIT milliseconds] "
          "[SHARED | LIMIT holders] [GRACE milliseconds] [BIND] [META text]",
      .complexity = "O(log n) for n waiters",
      .arity = at_least(3),
      .keys = used(kFirstKey, KeyUse::read_write | KeyUse::access | KeyUse::update),
      .effect = Effect::write,
      .flags = Flag::blocking | Flag::deny_oom | Flag::fast,
      .categories = Category::lock | Category::write | Category::fast | Category::blocking,
      .compat = {Compat::extension, ""},
      .run = lock};
  return kRow;
}

}  // namespace fencepost::commands
