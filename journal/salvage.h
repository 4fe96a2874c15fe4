// What can still be read of a damaged folder, for a repair that somebody asked for.
//
// Of batches that is the beginning, up to the first that is damaged or missing: what came behind it
// would be a state that never was. Of a picture it is every piece that is whole, for the batches
// behind it make the state of any of them; keys of which only a damaged piece told are lost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "journal/batch_log.h"
#include "journal/disk.h"

namespace fencepost::journal {

struct Salvaged {
  std::uint64_t kept_batches = 0;
  std::uint64_t lost_batches = 0;   // that could still be read, behind the damage
  std::uint64_t lost_bytes = 0;     // of all that is not kept
  std::uint64_t highest_index = 0;  // that any file tells of
  std::vector<std::string> losses;  // in words, with file and place
  std::vector<std::string> files;   // all that belong to the journal
};

// Only reads. `piece` and `batch` see what is kept, in order, and take all of it in or nothing: a
// failure counts as damage. `lost` sees how batches behind the damage begin. A file of another
// format is a failure, for it is not damaged.
Result<Salvaged> salvage(Disk& disk, const BatchLog::Load& piece, const BatchLog::Load& batch,
                         const BatchLog::Load& lost);

}  // namespace fencepost::journal
