// `fencepost --repair DIR`: makes a damaged journal one that starts, from what is left of it.
#pragma once

#include <string>

#include "base/result.h"
#include "journal/disk.h"

namespace fencepost::server {

// Draws a new picture of what can be kept, with fences far above all that were drawn, and renames
// the files that there were to lost-<n>-<name>, so that not a byte of them is gone. A crash on the
// way leaves the journal as it was or as it will be. What comes back are lines for a person: what
// was lost, or that there was nothing to do. A file of another format is a failure. `boot_id` is
// that of the kernel that runs.
Result<std::string> repair_journal(journal::Disk& disk, const std::string& boot_id);
// The same for a folder, whose lock it takes.
Result<std::string> repair_journal(const std::string& folder);

}  // namespace fencepost::server
