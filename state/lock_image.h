// Locks held by several as bytes, and what changed about them, for image.h.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "state/shared_lock.h"

namespace fencepost::state {

void write_terms(ByteWriter& writer, const HoldTerms* terms);
// False when they make no sense. Null into it for none.
bool read_terms(ByteReader& reader, std::unique_ptr<HoldTerms>& into);

void write_lock(ByteWriter& writer, const SharedLock& lock);
// Null when it makes no sense. `greatest` is the newest fence of the key.
std::unique_ptr<SharedLock> read_lock(ByteReader& reader, std::uint64_t greatest);

// The holds that the lock's steps name, as they are now.
void write_lock_steps(ByteWriter& writer, SharedLock& lock);
// False when they make no sense for this lock, which is left in between then.
bool read_lock_steps(ByteReader& reader, SharedLock& lock, std::uint64_t greatest);

}  // namespace fencepost::state
