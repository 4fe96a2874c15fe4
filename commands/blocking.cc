// Commands that wait for a key to have something for them.
#include "commands/blocking.h"

#include <cmath>
#include <utility>

#include "base/number.h"

namespace fencepost::commands {

namespace {

Instant end_of_wait(Context& context, std::int64_t milliseconds) {
  if (milliseconds == 0) return kNever;
  return saturating_add(context.keys().present(), Duration{milliseconds});
}

}  // namespace

void park(Context& context, std::span<const std::string_view> request, const Wait& wait) {
  if (context.ready_key) {
    context.parked = true;
    return;
  }
  state::ParkedClients& parked = context.state.parked();
  const std::size_t bytes =
      parked.bytes() + state::ParkedClients::bytes_of(request, wait.key_count);
  if (std::cmp_greater(bytes, context.process.settings.values.blocked_max_bytes)) {
    return context.reply.error(
        "ERR clients wait for more than blocked-clients-max-memory has room for");
  }
  context.parked = true;
  parked.park({.client = context.session.id,
               .database = context.database(),
               .wanted = wait.wanted,
               .request = {request.begin(), request.end()},
               .first_key = wait.first_key,
               .key_count = wait.key_count,
               .deadline = wait.deadline});
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
  return end_of_wait(context, static_cast<std::int64_t>(milliseconds));
}

std::optional<Instant> timeout_ms_or_reply(Context& context, std::string_view milliseconds) {
  const auto number = parse_integer(milliseconds);
  if (!number) {
    context.reply.error("ERR timeout is not an integer or out of range");
    return std::nullopt;
  }
  if (*number < 0) {
    context.reply.error("ERR timeout is negative");
    return std::nullopt;
  }
  return end_of_wait(context, *number);
}

}  // namespace fencepost::commands
