// What can still be read of a damaged folder.
#include "journal/salvage.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "journal/parts.h"
#include "journal/recovery.h"

namespace fencepost::journal {

namespace {

class Salvager {
 public:
  Salvager(Disk& disk, const BatchLog::Load& piece, const BatchLog::Load& batch,
           const BatchLog::Load& lost)
      : disk_{disk}, piece_{piece}, batch_{batch}, lost_{lost} {}

  Result<Salvaged> run() {
    const Result<Listing> listing = list_files(disk_);
    if (!listing) return tl::unexpected{listing.error()};
    for (const std::uint64_t picture : listing->pictures) note_file(picture_name(picture), picture);
    for (const std::uint64_t first : listing->segments) {
      note_file(segment_name(first), first == 0 ? 0 : first - 1);
    }
    for (const std::string& name : salvaged_.files) {
      if (Result<void> ours = expect_our_format(name); !ours) return tl::unexpected{ours.error()};
    }
    if (!listing->pictures.empty()) {
      next_ = listing->pictures.back() + 1;
      if (Result<void> read = read_picture(picture_name(next_ - 1)); !read) {
        return tl::unexpected{read.error()};
      }
    }
    for (const std::uint64_t first : listing->segments) {
      if (Result<void> read = read_segment(first); !read) return tl::unexpected{read.error()};
    }
    return std::move(salvaged_);
  }

 private:
  void note_file(std::string name, std::uint64_t index) {
    salvaged_.files.push_back(std::move(name));
    salvaged_.highest_index = std::max(salvaged_.highest_index, index);
  }

  Result<void> expect_our_format(const std::string& name) {
    const Result<std::string> header = disk_.read(name, 0, kHeaderBytes);
    if (!header) return tl::unexpected{header.error()};
    const std::optional<std::uint32_t> format = format_of(*header);
    if (!format || is_known_format(*format)) return {};
    return failure(fmt::format("{} is not damaged: {}", name, decode_header(*header).error().what));
  }

  Result<void> read_picture(const std::string& name) {
    FrameReader reader{disk_, name};
    bool whole = false;
    for (;;) {
      const Result<FrameReader::Step> step = reader.next();
      if (!step) return tl::unexpected{step.error()};
      if (*step == FrameReader::Step::broken) {
        parts_.drop();
        const Result<bool> found = skip(reader, name);
        if (!found) return tl::unexpected{found.error()};
        if (!*found) break;
      } else if (*step == FrameReader::Step::end) {
        break;
      }
      whole = reader.frame().kind == FrameKind::picture_end;
      if (whole) continue;
      const Parts::Step part = parts_.add(reader.frame());
      if (part == Parts::Step::more) continue;
      if (part == Parts::Step::misplaced) {
        lose(name, reader.offset(), reader.frame().payload.size(), "what it goes on with is lost");
        continue;
      }
      const std::string_view payload = parts_.payload();
      if (const Result<void> taken = piece_(payload); !taken) {
        lose(name, reader.offset(), payload.size(), taken.error().what);
      }
    }
    parts_.drop();
    if (!whole) lose(name, reader.offset(), 0, "its end is missing");
    return {};
  }

  // From the first damage on, whatever comes is lost; frames say themselves where they belong, so a
  // damaged header alone loses nothing.
  Result<void> read_segment(std::uint64_t first) {
    const std::string name = segment_name(first);
    if (!lost_from_here_ && first > next_) {
      lose_from_here();
      lose(name, 0, 0, fmt::format("the batches from {} on are missing before it", next_));
    }
    FrameReader reader{disk_, name};
    for (;;) {
      const Result<FrameReader::Step> step = reader.next();
      if (!step) return tl::unexpected{step.error()};
      if (*step == FrameReader::Step::end) return {};
      if (*step == FrameReader::Step::broken) {
        lose_from_here();
        const Result<bool> found = skip(reader, name);
        if (!found) return tl::unexpected{found.error()};
        if (!*found) return {};
      }
      take(name, reader.offset(), reader.frame());
    }
  }

  void take(const std::string& name, std::uint64_t offset, const Frame& frame) {
    salvaged_.highest_index = std::max(salvaged_.highest_index, frame.index);
    if (frame.index < next_) return;  // the picture has it already
    if (!lost_from_here_ && frame.index > next_) {
      lose_from_here();
      lose(name, offset, 0, fmt::format("the batches from {} on are missing before it", next_));
    }
    if (!lost_from_here_) {
      const Result<bool> taken = take_part(frame);
      if (taken && !*taken) return;
      if (taken) {
        ++next_;
        salvaged_.kept_batches += ends_batch(frame.kind);
        return;
      }
      lose_from_here();
      lose(name, offset, 0, taken.error().what);
    }
    salvaged_.lost_bytes += kFrameHeadBytes + frame.payload.size();
    const bool begins = frame.kind == FrameKind::batch || frame.kind == FrameKind::beginning;
    if (!begins) return;
    ++salvaged_.lost_batches;
    static_cast<void>(lost_(frame.payload));
  }

  // False when more of it is to come.
  Result<bool> take_part(const Frame& frame) {
    const Parts::Step part = parts_.add(frame);
    if (part == Parts::Step::misplaced)
      return failure("the parts of a batch are not in their order");
    if (part == Parts::Step::more) return false;
    if (!ends_batch(frame.kind)) return true;
    const Result<void> taken = batch_(parts_.payload());
    if (!taken) return tl::unexpected{taken.error()};
    return true;
  }

  // With what was begun of a batch.
  void lose_from_here() {
    lost_from_here_ = true;
    if (!parts_.begun()) return;
    salvaged_.lost_bytes += parts_.bytes();
    ++salvaged_.lost_batches;
    parts_.drop();
  }

  // Over what is no frame; false when nothing is behind it.
  Result<bool> skip(FrameReader& reader, const std::string& name) {
    const std::uint64_t from = reader.offset();
    Result<bool> found = reader.skip_to_frame();
    if (!found) return found;
    const Result<std::uint64_t> size = disk_.size(name);
    if (!size) return tl::unexpected{size.error()};
    const std::uint64_t until = *found ? reader.offset() : *size;
    lose(name, from, until - std::min(from, until), "no frame can be read there");
    return found;
  }

  void lose(const std::string& name, std::uint64_t offset, std::uint64_t bytes,
            std::string_view why) {
    salvaged_.lost_bytes += bytes;
    const std::string size = bytes > 0 ? fmt::format(", {} bytes", bytes) : std::string{};
    salvaged_.losses.push_back(fmt::format("{}, from byte {}{}: {}", name, offset, size, why));
  }

  Disk& disk_;
  const BatchLog::Load& piece_;
  const BatchLog::Load& batch_;
  const BatchLog::Load& lost_;
  Salvaged salvaged_;
  std::uint64_t next_ = 1;  // the index of the batch that is wanted
  bool lost_from_here_ = false;
  Parts parts_;
};

}  // namespace

Result<Salvaged> salvage(Disk& disk, const BatchLog::Load& piece, const BatchLog::Load& batch,
                         const BatchLog::Load& lost) {
  return Salvager{disk, piece, batch, lost}.run();
}

}  // namespace fencepost::journal
