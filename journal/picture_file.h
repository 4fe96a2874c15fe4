// A picture while it is written: a file of its own that gets its name, and with it counts, at the
// end. One that is dropped before that leaves nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "journal/disk.h"
#include "journal/frame.h"
#include "journal/parts.h"

namespace fencepost::journal {

class PictureFile {
 public:
  // Of all batches up to `index`. The disk must outlive it.
  static Result<std::unique_ptr<PictureFile>> create(Disk& disk, std::uint64_t index,
                                                     const std::string& boot_id,
                                                     std::size_t part_bytes = kPartBytes);
  ~PictureFile();
  PictureFile(const PictureFile&) = delete;
  PictureFile& operator=(const PictureFile&) = delete;

  std::uint64_t index() const { return index_; }
  // How many bytes that were.
  Result<std::uint64_t> add(std::string_view piece);
  // All pieces are there: the file is to be synced next.
  Result<void> end();
  const std::shared_ptr<File>& file() const { return file_; }
  // After that.
  Result<void> install();

 private:
  PictureFile(Disk& disk, std::unique_ptr<File> file, std::uint64_t index, std::size_t part_bytes)
      : disk_{disk}, file_{std::move(file)}, index_{index}, part_bytes_{part_bytes} {}

  // How many bytes that were.
  Result<std::uint64_t> append(FrameKind kind, std::string_view payload);

  Disk& disk_;
  std::shared_ptr<File> file_;
  std::uint64_t index_;
  std::size_t part_bytes_;
  std::uint64_t pieces_ = 0;
  bool installed_ = false;
};

}  // namespace fencepost::journal
