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
  const Result<Recovered> recovered = recover(disk, options.boot_id, piece, batch);
  if (!recovered) return tl::unexpected{recovered.error()};
  return go_on(disk, std::move(options), *recovered);
}

Result<std::unique_ptr<BatchLog>> BatchLog::go_on(Disk& disk, Options options,
                                                  const Recovered& recovered) {
  std::unique_ptr<BatchLog> log{new BatchLog{disk, std::move(options)}};
  log->found_ = recovered.found;
  log->last_index_ = recovered.found.last_index;
  log->bytes_ = recovered.bytes;
  // From the back, so that a crash on the way leaves a log that is cut short, never one with a
  // hole.
  for (auto first = recovered.behind.rbegin(); first != recovered.behind.rend(); ++first) {
    if (Result<void> removed = disk.remove(segment_name(*first)); !removed) {
      return tl::unexpected{removed.error()};
    }
  }
  if (recovered.cut_segment && recovered.cut_at < kHeaderBytes) {
    if (Result<void> removed = disk.remove(segment_name(*recovered.cut_segment)); !removed) {
      return tl::unexpected{removed.error()};
    }
  } else if (recovered.cut_segment) {
    const std::string name = segment_name(*recovered.cut_segment);
    Result<std::unique_ptr<File>> file = disk.open(name);
    if (!file) return tl::unexpected{file.error()};
    if (Result<void> cut = (*file)->truncate(recovered.cut_at); !cut) {
      return tl::unexpected{cut.error()};
    }
    if (Result<void> synced = (*file)->sync(); !synced) return tl::unexpected{synced.error()};
  }
  if (Result<void> removed = log->remove_older(recovered.picture.value_or(0)); !removed) {
    return tl::unexpected{removed.error()};
  }
  if (Result<void> synced = log->sync_found(); !synced) return tl::unexpected{synced.error()};
  log->loss_untold_ = log->found_.power_lost;
  const std::string boot_id = log->loss_untold_ ? std::string{} : log->options_.boot_id;
  if (Result<void> begun = log->begin_segment(boot_id); !begun) {
    return tl::unexpected{begun.error()};
  }
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
// to the new one. It may be all that tells of a loss of power, so it goes once the new one is
// there.
Result<void> BatchLog::begin_segment(const std::string& boot_id) {
  const std::string name = segment_name(last_index_ + 1);
  const Result<Listing> listing = list_files(disk_);
  if (!listing) return tl::unexpected{listing.error()};
  const auto& there = listing->segments;
  const bool replaces = std::find(there.begin(), there.end(), last_index_ + 1) != there.end();
  const std::string made = replaces ? unfinished_segment_name(last_index_ + 1) : name;
  Result<std::unique_ptr<File>> file = disk_.create(made);
  if (!file) return tl::unexpected{file.error()};
  ++names_made_;
  const std::string header =
      encode_header({.kind = FileKind::segment, .index = last_index_ + 1, .boot_id = boot_id});
  Result<void> done = (*file)->append(header);
  if (done && replaces) done = (*file)->sync();
  if (done && replaces) done = disk_.rename(made, name);
  if (!done) {
    static_cast<void>(disk_.remove(made));
    return done;
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

// All of it or nothing.
Result<void> BatchLog::write(FrameKind kind, std::string_view payload) {
  const std::uint64_t parts = payload.size() / options_.part_bytes + 1;
  if (Result<void> room = make_room(payload.size() + parts * kFrameHeadBytes); !room) return room;
  const std::uint64_t start = segment_end_;
  Result<void> written =
      in_parts(kind, payload, options_.part_bytes,
               [this](FrameKind part, std::string_view bytes) { return write_frame(part, bytes); });
  if (!written && segment_end_ > start) {
    broken_ = broken_ || !segment_->truncate(start).has_value();
    bytes_ -= segment_end_ - start;
    segment_end_ = start;
    reserved_ = 0;
  }
  if (written) ++last_index_;
  return written;
}

Result<void> BatchLog::write_frame(FrameKind kind, std::string_view payload) {
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
  return {};
}

Result<std::uint64_t> BatchLog::append(std::string_view batch) {
  check(segment_ != nullptr, "nothing is appended to a log that was closed");
  if (segment_end_ >= options_.segment_bytes && last_index_ >= segment_first_) {
    if (Result<void> begun = begin_segment(options_.boot_id); !begun)
      return tl::unexpected{begun.error()};
  }
  if (Result<void> written = write(FrameKind::batch, batch); !written) {
    return tl::unexpected{written.error()};
  }
  return last_index_;
}

Result<void> BatchLog::append_safely(std::string_view batch) {
  if (Result<std::uint64_t> index = append(batch); !index) return tl::unexpected{index.error()};
  const SyncPoint point = sync_point();
  if (Result<void> done = point.sync(); !done) return done;
  synced(point);
  if (!std::exchange(loss_untold_, false)) return {};
  return begin_segment(options_.boot_id);
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
  Result<std::unique_ptr<PictureFile>> file =
      PictureFile::create(disk_, index, options_.boot_id, options_.part_bytes);
  if (!file) return tl::unexpected{file.error()};
  std::unique_ptr<PictureWriter> picture{new PictureWriter{*this, std::move(*file)}};
  // So that the segments before it can go as a whole.
  if (last_index_ >= segment_first_) {
    if (Result<void> begun = begin_segment(options_.boot_id); !begun)
      return tl::unexpected{begun.error()};
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
  // First what was appended, so that the end can say of all of it that it was safe: damage to it is
  // no torn tail then.
  const SyncPoint before = sync_point();
  if (Result<void> done = before.sync(); !done) return done;
  synced(before);
  if (Result<void> written = write(FrameKind::clean_end, {}); !written) return written;
  const SyncPoint point = sync_point();
  if (Result<void> done = point.sync(); !done) return done;
  synced(point);
  segment_ = nullptr;
  return {};
}

Result<void> PictureWriter::add(std::string_view piece) {
  const Result<std::uint64_t> bytes = file_->add(piece);
  if (!bytes) return tl::unexpected{bytes.error()};
  log_.bytes_ += *bytes;
  return {};
}

Result<SyncPoint> PictureWriter::end() {
  if (Result<void> ended = file_->end(); !ended) return tl::unexpected{ended.error()};
  // It may have seen the outcome of every batch appended so far: they must be as safe as it is, or
  // a power cut would leave some outcomes of a batch without the others.
  SyncPoint point = log_.sync_point();
  point.files.push_back(file_->file());
  return point;
}

Result<void> PictureWriter::install() {
  if (Result<void> installed = file_->install(); !installed) return installed;
  return log_.remove_older(file_->index());
}

}  // namespace fencepost::journal
