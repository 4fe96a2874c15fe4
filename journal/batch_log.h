// Batches on disk, in order: what was appended and made safe is there after any crash, and what was
// not is there as a beginning of it or not at all. Knows nothing of what batches and pictures mean.
//
//   batches   segment-<first index>: what happened, one frame a batch
//   picture   picture-<last index>: what it came to. Batches that a picture includes may go.
//
// A picture may be drawn while batches go on: it has to be such that the batches appended since it
// was begun, applied to it, lead to the present whether or not it has seen their outcome already.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "journal/disk.h"
#include "journal/frame.h"
#include "journal/parts.h"
#include "journal/picture_file.h"

namespace fencepost::journal {

// What a start found.
struct Found {
  std::uint64_t last_index = 0;  // of the last frame that was whole; 0: the folder was empty
  bool clean = true;             // the log ends as an orderly shutdown leaves it, or there was none
  // What was appended last may be gone, for the kernel has not run on since, or did not at an
  // earlier end of which no batch tells.
  bool power_lost = false;
  std::uint64_t cut_bytes = 0;  // a torn tail that was cut off
  std::string cut_from;         // the file that it was in
  std::uint64_t batches = 0;    // read from segments
};

// What is to be made safe; may be carried to another thread.
struct SyncPoint {
  std::uint64_t index = 0;  // everything up to here is safe once sync() has returned
  std::vector<std::shared_ptr<File>> files;
  std::uint64_t names = 0;  // how often files were made so far; 0: none since the last sync
  Disk* disk = nullptr;

  Result<void> sync() const;
};

class PictureWriter;
struct Recovered;  // journal/recovery.h

class BatchLog {
 public:
  struct Options {
    std::string boot_id;
    std::uint64_t segment_bytes = std::uint64_t{64} << 20;
    std::uint64_t reserve_bytes = std::uint64_t{1} << 20;
    std::size_t part_bytes = kPartBytes;
  };
  using Load = std::function<Result<void>(std::string_view payload)>;

  // Reads the newest picture and every batch behind it, cuts a torn tail off, and begins a new
  // segment. Damage that is not a torn tail, files of another format and gaps are failures that
  // name the file and the offset; then nothing was changed on disk.
  static Result<std::unique_ptr<BatchLog>> open(Disk& disk, Options options, const Load& piece,
                                                const Load& batch);

  // The same behind a Recovery that has reached its end, of the same disk and boot.
  static Result<std::unique_ptr<BatchLog>> go_on(Disk& disk, Options options,
                                                 const Recovered& recovered);

  const Found& found() const { return found_; }
  std::uint64_t last_index() const { return last_index_; }
  // Everything up to this index survives a power cut.
  std::uint64_t durable_index() const { return durable_index_; }
  // Of all segments and the picture, roughly.
  std::uint64_t bytes() const { return bytes_; }

  // Appends one batch, and gives back its index. A kill of the process does not lose it any more.
  // On failure (the disk is full, say) nothing has happened, and it may be tried again.
  Result<std::uint64_t> append(std::string_view batch);
  // The same, and it is safe once this returns. The first one after a loss of power was found tells
  // of that loss: until then every start finds it again.
  Result<void> append_safely(std::string_view batch);
  // Whether so many bytes could be appended now: asked before something is promised.
  Result<void> make_room(std::uint64_t bytes);

  // What was appended so far, to be synced by whoever may wait for it; then report it with
  // synced().
  SyncPoint sync_point();
  void synced(const SyncPoint& point);

  // Begins a picture that includes everything up to last_index(); one at a time.
  Result<std::unique_ptr<PictureWriter>> begin_picture();
  // Ends the log in order. Nothing is appended any more.
  Result<void> close();

 private:
  friend class PictureWriter;
  BatchLog(Disk& disk, Options options) : disk_{disk}, options_{std::move(options)} {}

  Result<void> sync_found();
  Result<void> begin_segment(const std::string& boot_id);
  Result<void> write(FrameKind kind, std::string_view payload);
  Result<void> write_frame(FrameKind kind, std::string_view payload);
  Result<void> remove_older(std::uint64_t picture_index);

  Disk& disk_;
  Options options_;
  Found found_;
  std::uint64_t last_index_ = 0;
  std::uint64_t durable_index_ = 0;
  std::uint64_t bytes_ = 0;
  std::shared_ptr<File> segment_;
  std::uint64_t segment_first_ = 0;
  std::uint64_t segment_end_ = 0;
  std::uint64_t reserved_ = 0;  // bytes behind segment_end_ that are ours already
  std::uint64_t names_made_ = 0;
  std::uint64_t names_safe_ = 0;
  bool loss_untold_ = false;  // power was lost, and no batch tells of it yet
  bool broken_ = false;       // a failed write left what could not be taken back
  struct Unsynced {
    std::shared_ptr<File> file;
    std::uint64_t last_index = 0;
  };
  std::vector<Unsynced> unsynced_;  // segments before this one
  std::string frame_;
};

// Draws a picture piece by piece, in as many turns as it likes. One that is dropped unfinished
// leaves nothing.
class PictureWriter {
 public:
  std::uint64_t index() const { return file_->index(); }
  Result<void> add(std::string_view piece);
  // All pieces are there: what is to be synced next, by whoever may wait for it.
  Result<SyncPoint> end();
  // After that was synced: the picture takes the place of what it includes.
  Result<void> install();

 private:
  friend class BatchLog;
  PictureWriter(BatchLog& log, std::unique_ptr<PictureFile> file)
      : log_{log}, file_{std::move(file)} {}

  BatchLog& log_;
  std::unique_ptr<PictureFile> file_;
};

}  // namespace fencepost::journal
