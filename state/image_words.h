// The words that images of keys are made of: moments, and hashes of owners.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/time.h"

namespace fencepost::state {

// What a file may say beyond its sums being right: with anything greater nobody could count on.
// The year 2248, and a thousand fences before the last.
constexpr Instant kLatestMoment{Duration{std::int64_t{1} << 43}};
constexpr std::uint64_t kGreatestFence = kMaxFence - 1000;

// A signed number of milliseconds.
inline void write_moment(ByteWriter& writer, Instant moment) {
  writer.signed_number(moment.time_since_epoch().count());
}

inline Instant read_moment(ByteReader& reader) {
  return Instant{Duration{reader.signed_number()}};
}

inline bool is_moment(Instant at) {
  return at >= Instant{} && at <= kLatestMoment;
}

// Never, or as far off as somebody wished.
inline bool is_deadline(Instant at) {
  return at >= Instant{};
}

void write_hashes(ByteWriter& writer, std::span<const std::uint64_t> hashes);
std::vector<std::uint64_t> read_hashes(ByteReader& reader);

}  // namespace fencepost::state
