// LOCKMANY: several keys for one owner at one instant, or none of them.
#include <set>
#include <string>

#include "base/limits.h"
#include "base/number.h"
#include "commands/lock/family.h"
#include "commands/lock/terms.h"

namespace fencepost::commands {

namespace {

// How many keys the request names; null when that cannot be: then it is answered.
std::optional<std::size_t> key_count_or_reply(Context& context, Arguments arguments) {
  const auto count = parse_integer(arguments[1]);
  if (!count || *count < 1) {
    context.reply.error("ERR numkeys should be greater than 0");
    return std::nullopt;
  }
  if (*count > static_cast<std::int64_t>(kMaxLockManyKeys)) {
    context.reply.error("ERR LOCKMANY takes at most " + std::to_string(kMaxLockManyKeys) + " keys");
    return std::nullopt;
  }
  // The command, the number, the keys, the owner.
  if (static_cast<std::size_t>(*count) + 3 > arguments.size()) {
    context.reply.error("ERR Number of keys can't be greater than number of args");
    return std::nullopt;
  }
  return static_cast<std::size_t>(*count);
}

bool distinct_or_reply(Context& context, std::span<const std::string_view> keys) {
  if (std::set<std::string_view>{keys.begin(), keys.end()}.size() == keys.size()) return true;
  context.reply.error("ERR the same key is named twice");
  return false;
}

void lockmany(Context& context, Arguments& arguments) {
  const auto count = key_count_or_reply(context, arguments);
  if (!count) return;
  const auto keys = arguments.between(2, 2 + *count);
  const std::string_view owner = arguments[2 + *count];
  if (!distinct_or_reply(context, keys) || !owner_fits_or_reply(context, owner)) return;
  const auto terms =
      lock_terms_or_reply(context, arguments.from(3 + *count), "lockmany", Sharing::not_here);
  if (terms) ask_for_lock(context, keys, owner, *terms, true);
}

}  // namespace

const Command& lockmany_command() {
  static constexpr Command kRow{
      .name = "LOCKMANY",
      .group = "lock",
      .since = "0.1.0",
      .summary =
          "Takes several keys for an owner at one instant, or none, and answers their fences.",
      .syntax =
          "numkeys key [key ...] owner [EX seconds | PX milliseconds] [WAIT milliseconds] "
          "[GRACE milliseconds] [BIND] [META text]",
      .complexity = "O(k log n) for k keys and n waiters",
      .arity = at_least(4),
      .keys = {.count_at = 1, .use = KeyUse::read_write | KeyUse::access | KeyUse::update},
      .effect = Effect::write,
      .flags = Flag::blocking | Flag::deny_oom | Flag::movable_keys,
      .categories = Category::lock | Category::write | Category::slow | Category::blocking,
      .compat = {Compat::extension, ""},
      .run = lockmany};
  return kRow;
}

}  // namespace fencepost::commands
