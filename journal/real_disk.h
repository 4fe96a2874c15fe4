// A folder of the machine's, held by one process at a time.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "journal/disk.h"

namespace fencepost::journal {

// Makes the folder when it is missing (not those above it), and takes the lock on it, which ends
// with the process, however that ends. A folder that another process holds is a failure.
Result<std::unique_ptr<Disk>> open_real_disk(const std::string& folder);

// For reading alone: nothing is made or changed. While nobody else holds the folder, no server can
// take it until the disk goes.
struct DiskToRead {
  std::unique_ptr<Disk> disk;
  bool in_use = false;  // by a server: what it writes meanwhile may be seen in part
};
Result<DiskToRead> open_real_disk_to_read(const std::string& folder);

}  // namespace fencepost::journal
