// A picture while it is written.
#include "journal/picture_file.h"

#include <utility>

#include "journal/recovery.h"

namespace fencepost::journal {

Result<std::unique_ptr<PictureFile>> PictureFile::create(Disk& disk, std::uint64_t index,
                                                         const std::string& boot_id,
                                                         std::size_t part_bytes) {
  Result<std::unique_ptr<File>> file = disk.create(unfinished_name(index));
  if (!file) return tl::unexpected{file.error()};
  std::unique_ptr<PictureFile> picture{new PictureFile{disk, std::move(*file), index, part_bytes}};
  const std::string header =
      encode_header({.kind = FileKind::picture, .index = index, .boot_id = boot_id});
  if (Result<void> written = picture->file_->append(header); !written) {
    return tl::unexpected{written.error()};
  }
  return picture;
}

PictureFile::~PictureFile() {
  if (!installed_) static_cast<void>(disk_.remove(unfinished_name(index_)));
}

Result<std::uint64_t> PictureFile::append(FrameKind kind, std::string_view payload) {
  std::uint64_t bytes = 0;
  const auto write = [&](FrameKind part, std::string_view part_bytes) {
    std::string frame;
    append_frame(frame, {.kind = part, .index = pieces_, .payload = part_bytes});
    bytes += frame.size();
    return file_->append(frame);
  };
  if (Result<void> done = in_parts(kind, payload, part_bytes_, write); !done) {
    return tl::unexpected{done.error()};
  }
  return bytes;
}

Result<std::uint64_t> PictureFile::add(std::string_view piece) {
  Result<std::uint64_t> bytes = append(FrameKind::piece, piece);
  if (bytes) ++pieces_;
  return bytes;
}

Result<void> PictureFile::end() {
  if (Result<std::uint64_t> bytes = append(FrameKind::picture_end, {}); !bytes) {
    return tl::unexpected{bytes.error()};
  }
  return {};
}

Result<void> PictureFile::install() {
  Result<void> renamed = disk_.rename(unfinished_name(index_), picture_name(index_));
  if (!renamed) return renamed;
  installed_ = true;
  return disk_.sync_names();
}

}  // namespace fencepost::journal
