// Hashes, lists, sets, sorted sets and streams as bytes, for image.h.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "state/collection.h"

namespace fencepost::state {

void write_collection(ByteWriter& writer, const Collection& collection);
// Null when the bytes make none. The seed is what hashes of the keyspace are made with.
std::unique_ptr<Collection> read_collection(ByteReader& reader, std::uint64_t hash_seed);
// Does again what the steps say, to the end. False when they make no sense for this collection, or
// leave a key without a value; it is left in between then.
bool read_collection_steps(ByteReader& reader, Collection& collection);

}  // namespace fencepost::state
