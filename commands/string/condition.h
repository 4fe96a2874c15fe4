// IFEQ, IFNE, IFDEQ and IFDNE: what a string must be for SET or DELEX to touch it.
// https://redis.io/docs/latest/commands/delex, https://valkey.io/commands/set
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "commands/context.h"

namespace fencepost::commands {

struct Condition {
  enum class Kind : std::uint8_t { equal, not_equal, digest_equal, digest_not_equal };
  Kind kind = Kind::equal;
  std::string_view operand;
};

// The kind that an option's word names, in any letter case.
std::optional<Condition::Kind> condition_word(std::string_view word);

// What a key that does not exist counts as: unequal to everything.
bool admits_absent(Condition::Kind kind);

// Whether the string meets the condition; null when the operand is no digest: then the command is
// answered.
std::optional<bool> met_or_reply(Context& context, const Condition& condition,
                                 std::string_view text);

// XXH3 in 16 hexadecimal digits, as DIGEST answers.
std::string digest_of(std::string_view text);

}  // namespace fencepost::commands
