// The words that the lock commands share: owner, lease, wait, grace and the rest, read and held to
// their limits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/time.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "state/lock_table.h"

namespace fencepost::commands {

// The options behind key and owner.
struct LockTerms {
  Duration lease{};
  Duration wait{};
  Duration grace{};
  state::Mode mode = state::Mode::exclusive;
  std::int64_t limit = 0;
  bool bind = false;
  std::string_view meta;
};

// SHARED and LIMIT: LOCK has them, LOCKMANY has not.
enum class Sharing : std::uint8_t { allowed, not_here };

// Reads `options`; null when something is wrong: then the request is answered. `command` is its
// name in lower case.
std::optional<LockTerms> lock_terms_or_reply(Context& context,
                                             std::span<const std::string_view> options,
                                             std::string_view command, Sharing sharing);

// EX or PX with its number, as a lease within 1 ms .. lock-max-ttl; null as above.
std::optional<Duration> lock_lease_or_reply(Context& context, std::string_view unit,
                                            std::string_view number, std::string_view command);

// 1 to 1024 bytes; false when it is not: then the request is answered.
bool owner_fits_or_reply(Context& context, std::string_view owner);

// True for a key that can be a lock, or is none yet; else the request is answered with WRONGTYPE.
bool lockable_or_reply(Context& context, std::string_view key);

// What LOCK and LOCKMANY do once the words are read.
void ask_for_lock(Context& context, std::span<const std::string_view> keys, std::string_view owner,
                  const LockTerms& terms, bool many);

}  // namespace fencepost::commands
