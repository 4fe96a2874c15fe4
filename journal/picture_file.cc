// A picture while it is written.
#include "journal/picture_file.h"

#include <utility>

#include "journal/recovery.h"

namespace fencepost::journal {

Result<std::unique_ptr<PictureFile>> PictureFile::create(Disk& disk, std::uint64_t index,
                                                         const std::string& boot_id) {
  Result<std::unique_ptr<File>> file = disk.create(unfinished_name(index));
  if (!file) return tl::unexpected{file.error()};
  std::unique_ptr<PictureFile> picture{new PictureFile{disk, std::move(*file), index}};
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
  std::string bytes;
  append_frame(bytes, {.kind = kind, .index = pieces_, .payload = payload});
  if (Result<void> written = file_->append(bytes); !written) return tl::unexpected{written.error()};
  return bytes.size();
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
