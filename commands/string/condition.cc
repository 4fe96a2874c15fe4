// IFEQ, IFNE, IFDEQ and IFDNE: what a string must be for SET or DELEX to touch it.
#include "commands/string/condition.h"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/text.h"

namespace fencepost::commands {

namespace {

constexpr std::size_t kDigestDigits = 16;

bool is_digest(std::string_view text) {
  return text.size() == kDigestDigits && std::all_of(text.begin(), text.end(), [](char c) {
           const char letter = to_lower(c);
           return (c >= '0' && c <= '9') || (letter >= 'a' && letter <= 'f');
         });
}

}  // namespace

std::optional<Condition::Kind> condition_word(std::string_view word) {
  if (same_word(word, "IFEQ")) return Condition::Kind::equal;
  if (same_word(word, "IFNE")) return Condition::Kind::not_equal;
  if (same_word(word, "IFDEQ")) return Condition::Kind::digest_equal;
  if (same_word(word, "IFDNE")) return Condition::Kind::digest_not_equal;
  return std::nullopt;
}

bool admits_absent(Condition::Kind kind) {
  return kind == Condition::Kind::not_equal || kind == Condition::Kind::digest_not_equal;
}

std::optional<bool> met_or_reply(Context& context, const Condition& condition,
                                 std::string_view text) {
  switch (condition.kind) {
    case Condition::Kind::equal:
      return text == condition.operand;
    case Condition::Kind::not_equal:
      return text != condition.operand;
    case Condition::Kind::digest_equal:
    case Condition::Kind::digest_not_equal:
      break;
  }
  if (!is_digest(condition.operand)) {
    context.reply.error("ERR must be exactly 16 hexadecimal characters");
    return std::nullopt;
  }
  const bool equal = same_word(digest_of(text), condition.operand);
  return equal == (condition.kind == Condition::Kind::digest_equal);
}

std::string digest_of(std::string_view text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace fencepost::commands
