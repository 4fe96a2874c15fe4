// Reading a folder back: which files count, where they end, and whether what is missing may be
// missing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "journal/batch_log.h"
#include "journal/disk.h"
#include "journal/frame.h"

namespace fencepost::journal {

std::string segment_name(std::uint64_t first_index);
std::string picture_name(std::uint64_t last_index);
// A picture that is being drawn, and a segment that is to take the place of an empty one.
std::string unfinished_name(std::uint64_t last_index);
std::string unfinished_segment_name(std::uint64_t first_index);

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

// Reads a folder back a frame at a time, so that others can be heard in between. Changes nothing.
class Recovery {
 public:
  // `piece` and `batch` see payloads in order, those of a torn tail left out. The disk must outlive
  // it.
  static Result<std::unique_ptr<Recovery>> begin(Disk& disk, std::string boot_id,
                                                 BatchLog::Load piece, BatchLog::Load batch);
  ~Recovery();

  // Reads one frame. False once the end was reached: then take().
  Result<bool> step();
  Recovered take();

  // How far it is.
  std::uint64_t bytes_in_all() const { return bytes_in_all_; }
  std::uint64_t bytes_read() const;

 private:
  class Segments;
  Recovery(Disk& disk, std::string boot_id, BatchLog::Load piece, BatchLog::Load batch);
  Result<void> look();
  Result<bool> step_in_picture();

  Disk& disk_;
  std::string boot_id_;
  BatchLog::Load piece_;
  BatchLog::Load batch_;
  std::uint64_t bytes_in_all_ = 0;
  std::optional<std::uint64_t> picture_;
  std::unique_ptr<FrameReader> reader_;  // of the picture
  std::uint64_t pieces_ = 0;
  Parts parts_;  // of a piece
  std::unique_ptr<Segments> segments_;
};

// All of it at once.
Result<Recovered> recover(Disk& disk, const std::string& boot_id, const BatchLog::Load& piece,
                          const BatchLog::Load& batch);

}  // namespace fencepost::journal
