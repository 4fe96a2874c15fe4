// Every limit that locks.md section 5 and resp/ name, in one place, with its unit. Those that the
// config can change are the defaults of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace fencepost {

constexpr std::size_t kMaxOwnerBytes = 1024;
constexpr std::size_t kMaxMetaBytes = 1024;
constexpr std::size_t kMaxLockManyKeys = 128;
constexpr std::size_t kMaxKeyBytes = 64 * 1024;
constexpr std::size_t kMaxClientNameBytes = 1024;
// Of a glob for keys: matching takes pattern x key steps, and keys may be long.
constexpr std::size_t kMaxPatternBytes = 1024;
// A channel may be that of the longest key's events.
constexpr std::size_t kMaxChannelBytes = kMaxKeyBytes + 64;
// What one client listens to: channels, patterns and shard channels together, and their names.
constexpr std::size_t kMaxSubscriptions = 100'000;
constexpr std::size_t kMaxSubscriptionBytes = 64 * 1024 * 1024;
// CLIENT TRACKING BCAST, of one client.
constexpr std::size_t kMaxTrackingPrefixes = 1'000;
// The reply to one request. One MGET can name a value a million times.
constexpr std::size_t kMaxReplyBytes = 256 * 1024 * 1024;
constexpr std::int64_t kMaxSemaphoreHolders = 1'000'000;
constexpr Duration kMaxGrace{60'000};
// Fences stay below 2^53, the greatest run of whole numbers that JavaScript, Lua and JSON hold
// exactly.
constexpr std::uint64_t kMaxFence = (std::uint64_t{1} << 53) - 1;
// So far fences leap where numbers may have been drawn that nothing on disk tells of, and so many
// are reserved ahead without a journal.
constexpr std::uint64_t kFencesLeap = std::uint64_t{1} << 20;

// What may be set at run time, with its default.
struct LockLimits {
  Duration default_ttl{30'000};
  Duration max_ttl{24 * 3600 * 1000};
  Duration max_wait{3600 * 1000};
  Duration queue_hold{2'000};
  std::size_t max_waiters_per_key = 10'000;
  std::size_t max_waiters = 100'000;
  std::size_t max_waiters_bytes = 256 * 1024 * 1024;  // of memory, kept places included
  std::size_t fence_idle_keys = 1'000'000;
};

}  // namespace fencepost
