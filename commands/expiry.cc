// EX, PX, EXAT and PXAT: from the words of a request to a point of log time.
#include "commands/expiry.h"

#include <algorithm>
#include <string>

#include "base/number.h"
#include "base/text.h"
#include "commands/errors.h"
#include "commands/lookup.h"

namespace fencepost::commands {

namespace {

void refuse_expiry(Context& context, std::string_view command) {
  context.reply.error("ERR invalid expire time in '" + std::string{command} + "' command");
}

// The greatest moment that is not kNever: what stands for everything beyond.
constexpr Instant kLatest = kNever - Duration{1};

// Sums are checked in Unix time, so that the same requests are refused as by Redis, whatever the
// two clocks' distance.
std::optional<Instant> to_moment(Context& context, ExpiryForm form, std::int64_t number) {
  const auto ms = in_seconds(form) ? checked_multiply(number, 1000) : std::optional{number};
  if (!ms) return std::nullopt;
  const Instant clock = context.keys().clock();
  if (is_absolute(form)) {
    return std::min(to_log_time(WallTime{Duration{*ms}}, context.now), kLatest);
  }
  if (!checked_add(*ms, to_unix_ms(clock, context.now))) return std::nullopt;
  return std::min(saturating_add(clock, Duration{*ms}), kLatest);
}

}  // namespace

std::optional<ExpiryForm> expiry_word(std::string_view word) {
  if (same_word(word, "EX")) return ExpiryForm::ex;
  if (same_word(word, "PX")) return ExpiryForm::px;
  if (same_word(word, "EXAT")) return ExpiryForm::exat;
  if (same_word(word, "PXAT")) return ExpiryForm::pxat;
  return std::nullopt;
}

std::optional<Instant> lease_or_reply(Context& context, ExpiryForm form, std::string_view text,
                                      std::string_view command) {
  const auto number = integer_or_reply(context, text);
  if (!number) return std::nullopt;
  const auto moment = *number > 0 ? to_moment(context, form, *number) : std::nullopt;
  if (!moment) refuse_expiry(context, command);
  return moment;
}

std::optional<Instant> moment_or_reply(Context& context, ExpiryForm form, std::string_view text,
                                       std::string_view command) {
  const auto number = integer_or_reply(context, text);
  if (!number) return std::nullopt;
  const auto moment = to_moment(context, form, *number);
  if (!moment) refuse_expiry(context, command);
  return moment;
}

}  // namespace fencepost::commands
