// Batches on disk, in order.
#include "journal/batch_log.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "journal/recovery.h"

namespace fencepost::journal {

Result<void> SyncPoint::sync() const {
  for (const std::shared_ptr<File>& file : files) {
    if (Result<void> synced = file->sync(); !synced) return synced;
  }
  return names > 0 ? disk->sync_names() : Result<void>{};
}

Result<std::unique_ptr<BatchLog>> BatchLog::open(Disk& disk, Options options, const Load& piece,
                                                 const Load& batch) {
  std::unique_ptr<BatchLog> log{new BatchLog{disk, std::move(options)}};
  Result<Recovered> recovered = recover(disk, log->options_.boot_id, piece, batch);
  if (!recovered) return tl::unexpected{recovered.error()};
  log->found_ = recovered->found;
  log->last_index_ = recovered->found.last_index;
  log->bytes_ = recovered->bytes;
  // From the back, so that a crash on the way leaves a log that is cut short, never one with a
  // hole.
  std::reverse(recovered->behind.begin(), recovered->behind.end());
  for (const std::uint64_t first : recovered->behind) {
    if (Result<void> removed = disk.remove(segment_name(first)); !removed) {
      return tl::unexpected{removed.error()};
    }
  }
  if (recovered->cut_segment && recovered->cut_at < kHeaderBytes) {
    if (Result<void> removed = disk.remove(segment_name(*recovered->cut_segment)); !removed) {
      return tl::unexpected{removed.error()};
    }
  } else if (recovered->cut_segment) {
    const std::string name = segment_name(*recovered->cut_segment);
    Result<std::unique_ptr<File>> file = disk.open(name);
    if (!file) return tl::unexpected{file.error()};
    if (Result<void> cut = (*file)->truncate(recovered->cut_at); !cut) {
      return tl::unexpected{cut.error()};
    }
    if (Result<void> synced = (*file)->sync(); !synced) return tl::unexpected{synced.error()};
  }
  if (Result<void> removed = log->remove_older(recovered->picture.value_or(0)); !removed) {
    return tl::unexpected{removed.error()};
  }
  if (Result<void> synced = log->sync_found(); !synced) return tl::unexpected{synced.error()};
  if (Result<void> begun = log->begin_segment(); !begun) return tl::unexpected{begun.error()};
  const SyncPoint point = log->sync_point();
  if (Result<void> synced = point.sync(); !synced) return tl::unexpected{synced.error()};
  log->synced(point);
  return log;
}

// What was read is promised from now on, and whoever wrote it may have been killed before it was
// synced. Pictures were synced before they got their names.
Result<void> BatchLog::sync_found() {
  const Result<Listing> listing = list_files(disk_);
  if (!listing) return tl::unexpected{listing.error()};
  for (const std::uint64_t first : listing->segments) {
    Result<std::unique_ptr<File>> file = disk_.open(segment_name(first));
    if (!file) return tl::unexpected{file.error()};
    if (Result<void> synced = (*file)->sync(); !synced) return synced;
  }
  return {};
}

// A segment without a frame, as a start without a write or a torn header leaves it, gives its name
// to the new one.
Result<void> BatchLog::begin_segment() {
  const std::string name = segment_name(last_index_ + 1);
  const Result<Listing> listing = list_files(disk_);
  if (!listing) return tl::unexpected{listing.error()};
  const auto& there = listing->segments;
  if (std::find(there.begin(), there.end(), last_index_ + 1) != there.end()) {
    if (Result<void> removed = disk_.remove(name); !removed) return removed;
  }
  Result<std::unique_ptr<File>> file = disk_.create(name);
  if (!file) return tl::unexpected{file.error()};
  ++names_made_;
  const std::string header = encode_header(
      {.kind = FileKind::segment, .index = last_index_ + 1, .boot_id = options_.boot_id});
  if (Result<void> written = (*file)->append(header); !written) {
    static_cast<void>(disk_.remove(name));
    return written;
  }
  if (segment_) unsynced_.push_back({std::move(segment_), last_index_});
  segment_ = std::move(*file);
  segment_first_ = last_index_ + 1;
  segment_end_ = header.size();
  reserved_ = 0;
  bytes_ += header.size();
  return {};
}

Result<void> BatchLog::make_room(std::uint64_t bytes) {
  if (broken_) return failure("an earlier failure left the journal in a state that is not known");
  if (reserved_ >= bytes) return {};
  const std::uint64_t more = std::max(bytes, options_.reserve_bytes);
  if (Result<void> reserved = segment_->reserve(more); !reserved) return reserved;
  reserved_ = more;
  return {};
}

Result<void> BatchLog::write(FrameKind kind, std::string_view payload) {
  frame_.clear();
  append_frame(
      frame_,
      {.kind = kind, .index = last_index_ + 1, .durable = durable_index_, .payload = payload});
  if (Result<void> room = make_room(frame_.size()); !room) return room;
  if (Result<void> written = segment_->append(frame_); !written) {
    broken_ = !segment_->truncate(segment_end_).has_value();
    reserved_ = 0;
    return written;
  }
  segment_end_ += frame_.size();
  reserved_ -= frame_.size();
  bytes_ += frame_.size();
  ++last_index_;
  return {};
}

Result<std::uint64_t> BatchLog::append(std::string_view batch) {
  check(segment_ != nullptr, "nothing is appended to a log that was closed");
  if (segment_end_ >= options_.segment_bytes && last_index_ >= segment_first_) {
    if (Result<void> begun = begin_segment(); !begun) return tl::unexpected{begun.error()};
  }
  if (Result<void> written = write(FrameKind::batch, batch); !written) {
    return tl::unexpected{written.error()};
  }
  return last_index_;
}

SyncPoint BatchLog::sync_point() {
  SyncPoint point;
  point.index = last_index_;
  point.disk = &disk_;
  for (const Unsynced& segment : unsynced_) point.files.push_back(segment.file);
  point.files.push_back(segment_);
  if (names_made_ > names_safe_) point.names = names_made_;
  return point;
}

void BatchLog::synced(const SyncPoint& point) {
  durable_index_ = std::max(durable_index_, point.index);
  names_safe_ = std::max(names_safe_, point.names);
  std::erase_if(unsynced_,
                [&point](const Unsynced& segment) { return segment.last_index <= point.index; });
}

Result<std::unique_ptr<PictureWriter>> BatchLog::begin_picture() {
  check(segment_ != nullptr, "a log that was closed is not drawn");
  const std::uint64_t index = last_index_;
  const std::string name = unfinished_name(index);
  Result<std::unique_ptr<File>> file = disk_.create(name);
  if (!file) return tl::unexpected{file.error()};
  std::unique_ptr<PictureWriter> picture{new PictureWriter{*this, std::move(*file), index}};
  const std::string header =
      encode_header({.kind = FileKind::picture, .index = index, .boot_id = options_.boot_id});
  if (Result<void> written = picture->file_->append(header); !written) {
    return tl::unexpected{written.error()};
  }
  // So that the segments before it can go as a whole.
  if (last_index_ >= segment_first_) {
    if (Result<void> begun = begin_segment(); !begun) return tl::unexpected{begun.error()};
  }
  return picture;
}

// Pictures before this one, segments that it includes altogether, and pictures that were never
// finished.
Result<void> BatchLog::remove_older(std::uint64_t picture_index) {
  const Result<Listing> listing = list_files(disk_);
  if (!listing) return tl::unexpected{listing.error()};
  std::vector<std::string> old = listing->unfinished;
  for (const std::uint64_t picture : listing->pictures) {
    if (picture < picture_index) old.push_back(picture_name(picture));
  }
  const auto& segments = listing->segments;
  for (std::size_t i = 0; i + 1 < segments.size() && segments[i + 1] <= picture_index + 1; ++i) {
    old.push_back(segment_name(segments[i]));
  }
  for (const std::string& name : old) {
    const std::uint64_t size = disk_.size(name).value_or(0);
    if (Result<void> removed = disk_.remove(name); !removed) return removed;
    bytes_ -= std::min(bytes_, size);
  }
  return {};
}

Result<void> BatchLog::close() {
  check(segment_ != nullptr, "a log is closed once");
  if (Result<void> written = write(FrameKind::clean_end, {}); !written) return written;
  const SyncPoint point = sync_point();
  if (Result<void> done = point.sync(); !done) return done;
  synced(point);
  segment_ = nullptr;
  return {};
}

PictureWriter::PictureWriter(BatchLog& log, std::unique_ptr<File> file, std::uint64_t index)
    : log_{log}, file_{std::move(file)}, index_{index} {}

PictureWriter::~PictureWriter() {
  if (!installed_) static_cast<void>(log_.disk_.remove(unfinished_name(index_)));
}

Result<void> PictureWriter::add(std::string_view piece) {
  std::string bytes;
  append_frame(bytes, {.kind = FrameKind::piece, .index = pieces_, .payload = piece});
  if (Result<void> written = file_->append(bytes); !written) return written;
  ++pieces_;
  log_.bytes_ += bytes.size();
  return {};
}

Result<SyncPoint> PictureWriter::end() {
  std::string bytes;
  append_frame(bytes, {.kind = FrameKind::picture_end, .index = pieces_, .payload = {}});
  if (Result<void> written = file_->append(bytes); !written) return tl::unexpected{written.error()};
  // It may have seen the outcome of every batch appended so far: they must be as safe as it is, or
  // a power cut would leave some outcomes of a batch without the others.
  SyncPoint point = log_.sync_point();
  point.files.push_back(file_);
  return point;
}

Result<void> PictureWriter::install() {
  Disk& disk = log_.disk_;
  if (Result<void> renamed = disk.rename(unfinished_name(index_), picture_name(index_)); !renamed) {
    return renamed;
  }
  installed_ = true;
  if (Result<void> synced = disk.sync_names(); !synced) return synced;
  return log_.remove_older(index_);
}

}  // namespace fencepost::journal
