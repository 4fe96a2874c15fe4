// EX, PX, EXAT and PXAT: from the words of a request to a point of log time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "commands/context.h"

namespace fencepost::commands {

enum class ExpiryForm : std::uint8_t { ex, px, exat, pxat };

constexpr bool in_seconds(ExpiryForm form) {
  return form == ExpiryForm::ex || form == ExpiryForm::exat;
}
constexpr bool is_absolute(ExpiryForm form) {
  return form == ExpiryForm::exat || form == ExpiryForm::pxat;
}

// The form that an option's word names, in any letter case.
std::optional<ExpiryForm> expiry_word(std::string_view word);

// A lease as SET, SETEX and GETEX take it: above 0. Null when it is none: then `command` (its name
// in lower case) is answered with the error. A moment that has passed already is a moment like any
// other.
std::optional<Instant> lease_or_reply(Context& context, ExpiryForm form, std::string_view text,
                                      std::string_view command);

// A moment as the EXPIRE family takes it: any number, the past too. Else as above.
std::optional<Instant> moment_or_reply(Context& context, ExpiryForm form, std::string_view text,
                                       std::string_view command);

}  // namespace fencepost::commands
