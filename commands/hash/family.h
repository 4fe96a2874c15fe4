// The files of the hash family: each one's rows.
#pragma once

#include <span>

#include "commands/command.h"
#include "commands/context.h"
#include "state/hash.h"

namespace fencepost::commands {

std::span<const Command> hash_read_commands();    // HGET and whatever else reads a hash
std::span<const Command> hash_write_commands();   // HSET, HMSET, HSETNX, HDEL
std::span<const Command> hash_number_commands();  // HINCRBY, HINCRBYFLOAT
std::span<const Command> hash_sample_commands();  // HRANDFIELD, HSCAN

// What the settings say of hashes that are kept as listpacks.
inline state::Hash::Compact compact_hash(const Context& context) {
  const auto& values = context.process.settings.values;
  return {.fields = static_cast<std::size_t>(values.hash_max_listpack_entries),
          .bytes = static_cast<std::size_t>(values.hash_max_listpack_value)};
}

}  // namespace fencepost::commands
