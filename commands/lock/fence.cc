// FENCE: the newest number drawn for a key, or whether a given one is still good.
#include <string>

#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/lock/family.h"
#include "commands/lookup.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

std::string ahead_text(std::string_view fence, std::uint64_t newest) {
  return "FENCEAHEAD " + std::string{fence} + " was never drawn for this key, its newest is " +
         std::to_string(newest) + ": this is another server, or its state was lost";
}

void judge(Context& context, std::string_view key, std::string_view text) {
  const auto fence = integer_or_reply(context, text);
  if (!fence) return;
  if (*fence < 0) {
    context.reply.error(kOutOfRange);
    return;
  }
  state::LockTable& locks = context.state.locks();
  switch (locks.judge(context.database(), key, static_cast<std::uint64_t>(*fence))) {
    case state::FenceVerdict::good:
      context.reply.integer(1);
      return;
    case state::FenceVerdict::stale:
      context.reply.integer(0);
      return;
    case state::FenceVerdict::ahead:
      context.reply.error(ahead_text(text, locks.newest_fence(context.database(), key)));
      return;
  }
}

void fence(Context& context, Arguments& arguments) {
  if (arguments.size() > 3) {
    context.reply.error(kSyntaxError);
    return;
  }
  if (arguments.size() == 3) {
    judge(context, arguments[1], arguments[2]);
    return;
  }
  const auto newest = context.state.locks().newest_fence(context.database(), arguments[1]);
  context.reply.integer(static_cast<std::int64_t>(newest));
}

}  // namespace

const Command& fence_command() {
  static constexpr Command kRow{
      .name = "FENCE",
      .group = "lock",
      .since = "0.1.0",
      .summary = "Answers the newest fence of a key, or whether a given fence is still good.",
      .syntax = "key [fence]",
      .complexity = "O(1); O(n) for a fence of one of n holders that share the key",
      .arity = at_least(2),
      .keys = used(kFirstKey, KeyUse::read_only | KeyUse::access),
      .effect = Effect::read,
      .flags = Flag::fast,
      .categories = Category::lock | Category::read | Category::fast,
      .compat = {Compat::extension, ""},
      .run = fence};
  return kRow;
}

}  // namespace fencepost::commands
