// How a command finds its keys, and what it answers when it cannot use them.
#include "commands/lookup.h"

#include <string>

#include "base/limits.h"
#include "base/number.h"
#include "commands/errors.h"

namespace fencepost::commands {

bool string_or_reply(Context& context, const state::Item* item) {
  if (item == nullptr || item->is_string()) return true;
  context.reply.error(kWrongType);
  return false;
}

bool single_or_reply(Context& context, const state::Item* item) {
  if (item == nullptr || !item->is_lock()) return true;
  context.reply.error(kWrongType);
  return false;
}

bool key_fits_or_reply(Context& context, std::string_view key) {
  if (key.size() <= kMaxKeyBytes) return true;
  context.reply.error("ERR key is longer than " + std::to_string(kMaxKeyBytes) + " bytes");
  return false;
}

bool pattern_fits_or_reply(Context& context, std::string_view pattern) {
  if (pattern.size() <= kMaxPatternBytes) return true;
  context.reply.error("ERR pattern is longer than " + std::to_string(kMaxPatternBytes) + " bytes");
  return false;
}

bool value_fits_or_reply(Context& context, std::size_t size, std::size_t more) {
  const auto limit = static_cast<std::size_t>(context.process.settings.values.max_bulk_bytes);
  if (size <= limit && more <= limit - size) return true;
  context.reply.error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  return false;
}

std::optional<std::int64_t> integer_or_reply(Context& context, std::string_view text) {
  const auto number = parse_integer(text);
  if (!number) context.reply.error(kNotAnInteger);
  return number;
}

Instant visible_deadline(const state::Item& item) {
  return item.is_lock() ? item.lock().latest_deadline() : item.deadline;
}

}  // namespace fencepost::commands
