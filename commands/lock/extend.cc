// EXTEND: sets the lease of live holds anew; never revives one that lapsed.
#include "base/text.h"
#include "commands/errors.h"
#include "commands/lock/family.h"
#include "commands/lock/terms.h"

namespace fencepost::commands {

namespace {

void extend(Context& context, Arguments& arguments) {
  const std::size_t unit = arguments.size() - 2;
  const std::size_t owner = arguments.size() - 3;
  if (!same_word(arguments[unit], "EX") && !same_word(arguments[unit], "PX")) {
    context.reply.error(kSyntaxError);
    return;
  }
  if (!owner_fits_or_reply(context, arguments[owner])) return;
  const auto lease = lock_lease_or_reply(context, arguments[unit], arguments[unit + 1], "extend");
  if (!lease) return;
  context.reply.integer(context.state.locks().extend(
      context.database(), arguments.between(1, owner), arguments[owner], *lease));
}

}  // namespace

const Command& extend_command() {
  static constexpr Command kRow{
      .name = "EXTEND",
      .group = "lock",
      .since = "0.1.0",
      .summary = "Sets the lease of the keys that the owner holds anew and counts them.",
      .syntax = "key [key ...] owner <EX seconds | PX milliseconds>",
      .complexity = "O(k log n) for k keys and n leases",
      .arity = at_least(5),
      .keys = {.first = 1, .last = -4, .step = 1, .use = KeyUse::read_write | KeyUse::update},
      .effect = Effect::write,
      .flags = Flag::fast,
      .categories = Category::lock | Category::write | Category::fast,
      .compat = {Compat::extension, ""},
      .run = extend};
  return kRow;
}

}  // namespace fencepost::commands
