// Commands that wait for a key to have something for them.
#include "commands/blocking.h"

#include <cmath>

#include "base/number.h"

namespace fencepost::commands {

void park(Context& context, std::span<const std::string_view> request,
          std::span<const std::string_view> keys, state::Type wanted, Instant deadline) {
  context.parked = true;
  if (context.ready_key) return;
  context.state.parked().park({.client = context.session.id,
                               .database = context.database(),
                               .keys = {keys.begin(), keys.end()},
                               .wanted = wanted,
                               .request = {request.begin(), request.end()},
                               .deadline = deadline});
}

std::optional<Instant> timeout_or_reply(Context& context, std::string_view seconds) {
  const auto number = parse_real(seconds);
  if (!number) {
    context.reply.error("ERR timeout is not a float or out of range");
    return std::nullopt;
  }
  // Redis rounds up to whole milliseconds, and says "negative" of those that do not fit as well.
  constexpr long double kTooLong = 0x1p63L;
  const long double milliseconds = std::ceil(*number * 1000);
  if (milliseconds < 0 || milliseconds >= kTooLong) {
    context.reply.error("ERR timeout is negative");
    return std::nullopt;
  }
  if (milliseconds == 0) return kNever;
  return saturating_add(context.keys().present(),
                        Duration{static_cast<std::int64_t>(milliseconds)});
}

}  // namespace fencepost::commands
