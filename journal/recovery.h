// Reading a folder back: which files count, where they end, and whether what is missing may be
// missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "journal/batch_log.h"
#include "journal/disk.h"

namespace fencepost::journal {

std::string segment_name(std::uint64_t first_index);
std::string picture_name(std::uint64_t last_index);
// A picture that is being drawn.
std::string unfinished_name(std::uint64_t last_index);

// The files of a folder, by what they are; foreign ones are left out.
struct Listing {
  std::vector<std::uint64_t> segments;  // in order
  std::vector<std::uint64_t> pictures;  // in order
  std::vector<std::string> unfinished;
};
Result<Listing> list_files(Disk& disk);

// Where the log ends, and what is behind that end.
struct Recovered {
  Found found;
  std::optional<std::uint64_t> picture;      // the one that was read
  std::optional<std::uint64_t> cut_segment;  // to be shortened to cut_at bytes
  std::uint64_t cut_at = 0;
  std::vector<std::uint64_t> behind;  // segments behind the cut, to be removed
  std::uint64_t bytes = 0;
};

// Only reads. `piece` and `batch` see payloads in order, those of a torn tail left out.
Result<Recovered> recover(Disk& disk, const std::string& boot_id, const BatchLog::Load& piece,
                          const BatchLog::Load& batch);

}  // namespace fencepost::journal
