// Reading a folder back.
//
// A tail may be torn: what was appended last and never made safe can be missing in whole or in
// part, and the parts of it that are there need not be the first ones, for the kernel writes pages
// in whatever order it likes. So the log ends at the first frame that is damaged or missing, unless
// some frame behind it says that the damaged one was safe: then the disk has lost what it promised,
// and that is for a person to decide.
#include "journal/recovery.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/check.h"

namespace fencepost::journal {

namespace {

constexpr std::string_view kSegment = "segment-";
constexpr std::string_view kPicture = "picture-";
constexpr std::string_view kUnfinished = ".unfinished";
constexpr std::size_t kIndexDigits = 16;

std::optional<std::uint64_t> index_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() != prefix.size() + kIndexDigits) return std::nullopt;
  std::uint64_t index = 0;
  const auto [end, error] =
      std::from_chars(name.data() + prefix.size(), name.data() + name.size(), index, 16);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return index;
}

tl::unexpected<Failure> unreadable(const std::string& name, std::string_view why) {
  return failure(fmt::format("the journal's file {} cannot be used: {}", name, why));
}

Result<FileHeader> read_header(Disk& disk, const std::string& name) {
  const Result<std::string> bytes = disk.read(name, 0, kHeaderBytes);
  if (!bytes) return tl::unexpected{bytes.error()};
  return decode_header(*bytes);
}

// A picture was whole, and safe, before it got its name: whatever is wrong with it is damage. Gives
// back the boot id under which it was drawn.
Result<std::string> read_picture(Disk& disk, std::uint64_t index, const BatchLog::Load& piece) {
  const std::string name = picture_name(index);
  const Result<FileHeader> header = read_header(disk, name);
  if (!header) return unreadable(name, header.error().what);
  if (header->kind != FileKind::picture || header->index != index) {
    return unreadable(name, "its name and its header disagree");
  }
  FrameReader reader{disk, name};
  for (std::uint64_t pieces = 0;; ++pieces) {
    const Result<FrameReader::Step> step = reader.next();
    if (!step) return tl::unexpected{step.error()};
    if (*step != FrameReader::Step::frame || reader.frame().index != pieces) {
      return unreadable(name, fmt::format("it is damaged at byte {}", reader.offset()));
    }
    if (reader.frame().kind == FrameKind::picture_end) return header->boot_id;
    if (Result<void> loaded = piece(reader.frame().payload); !loaded) {
      return unreadable(name, loaded.error().what);
    }
  }
}

class SegmentsReader {
 public:
  SegmentsReader(Disk& disk, const std::string& boot_id, std::uint64_t last_index,
                 const BatchLog::Load& batch)
      : disk_{disk}, boot_id_{boot_id}, batch_{batch} {
    recovered_.found.last_index = last_index;
  }

  // Nothing may be left of what came after the picture: then its own header has to tell.
  void begin_behind_picture(const std::string& boot_id) {
    found().clean = false;
    found().same_boot = boot_id == boot_id_;
  }

  Result<Recovered> read(const std::vector<std::uint64_t>& segments) {
    if (!segments.empty() && found().last_index == 0) found().same_boot = false;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (Result<bool> whole = read_one(segments[i]); !whole) {
        return tl::unexpected{whole.error()};
      } else if (!*whole) {
        return cut(segments, i);
      }
    }
    return std::move(recovered_);
  }

 private:
  // False when it is torn, or begins too late: then offset_ is where it ends.
  Result<bool> read_one(std::uint64_t first) {
    const std::string name = segment_name(first);
    offset_ = 0;
    const Result<FileHeader> header = read_header(disk_, name);
    if (!header) return header_missing(name, header.error().what);
    if (header->kind != FileKind::segment || header->index != first) {
      return unreadable(name, "its name and its header disagree");
    }
    // A server has run since whatever mark came before; all that it wrote may be lost.
    found().clean = false;
    if (found().last_index == 0) found().same_boot = header->boot_id == boot_id_;
    if (first > found().last_index + 1) {
      trouble_ = fmt::format("what came before it, from {} on, is missing", found().last_index + 1);
      return false;
    }
    FrameReader reader{disk_, name};
    std::uint64_t next = first;
    for (;; ++next) {
      const Result<FrameReader::Step> step = reader.next();
      if (!step) return tl::unexpected{step.error()};
      offset_ = reader.offset();
      if (*step == FrameReader::Step::end) return true;
      if (*step == FrameReader::Step::broken || reader.frame().index != next) {
        trouble_ = fmt::format("it is damaged at byte {}", offset_);
        return false;
      }
      // A segment without a frame tells nothing: a start may have failed before it made up for what
      // was lost.
      found().same_boot = header->boot_id == boot_id_;
      if (Result<void> taken = take(reader.frame()); !taken) {
        return unreadable(name, fmt::format("at byte {}: {}", offset_, taken.error().what));
      }
    }
  }

  // A file whose header never reached the disk is a torn tail too. One of another format is not.
  Result<bool> header_missing(const std::string& name, const std::string& why) {
    const Result<std::string> bytes = disk_.read(name, 0, kHeaderBytes);
    if (!bytes) return tl::unexpected{bytes.error()};
    const bool never_written =
        bytes->size() < kHeaderBytes ||
        std::all_of(bytes->begin(), bytes->end(), [](char c) { return c == '\0'; });
    if (!never_written) return unreadable(name, why);
    trouble_ = why;
    return false;
  }

  Result<void> take(const Frame& frame) {
    const bool known = frame.index <= found().last_index;  // a picture has it already
    found().clean = frame.kind == FrameKind::clean_end;
    if (known) return {};
    found().last_index = frame.index;
    if (frame.kind != FrameKind::batch) return {};
    ++found().batches;
    return batch_(frame.payload);
  }

  // The log ends in segments[at], at offset_.
  Result<Recovered> cut(const std::vector<std::uint64_t>& segments, std::size_t at) {
    found().clean = false;
    const std::string name = segment_name(segments[at]);
    for (std::size_t i = at; i < segments.size(); ++i) {
      const std::string other = segment_name(segments[i]);
      const std::uint64_t from =
          i == at ? std::max<std::uint64_t>(offset_, kHeaderBytes) : kHeaderBytes;
      const Result<bool> promised = says_safe(other, from, found().last_index + 1);
      if (!promised) return tl::unexpected{promised.error()};
      if (*promised) {
        return unreadable(name, trouble_ + ", and that was safe once: this is no torn tail");
      }
      const Result<std::uint64_t> size = disk_.size(other);
      if (!size) return tl::unexpected{size.error()};
      found().cut_bytes += *size - std::min(*size, i == at ? offset_ : 0);
      if (i > at) recovered_.behind.push_back(segments[i]);
    }
    found().cut_from = name;
    recovered_.cut_segment = segments[at];
    recovered_.cut_at = offset_;
    return std::move(recovered_);
  }

  // Whether a frame in that file says that `index` had been made safe.
  Result<bool> says_safe(const std::string& name, std::uint64_t from, std::uint64_t index) {
    FrameReader reader{disk_, name, from};
    for (;;) {
      Result<FrameReader::Step> step = reader.next();
      if (!step) return tl::unexpected{step.error()};
      if (*step == FrameReader::Step::end) return false;
      if (*step == FrameReader::Step::broken) {
        const Result<bool> more = reader.skip_to_frame();
        if (!more) return tl::unexpected{more.error()};
        if (!*more) return false;
      }
      if (reader.frame().durable >= index) return true;
    }
  }

  Found& found() { return recovered_.found; }

  Disk& disk_;
  const std::string& boot_id_;
  const BatchLog::Load& batch_;
  Recovered recovered_;
  std::uint64_t offset_ = 0;
  std::string trouble_;  // why what is at offset_ cannot be read
};

}  // namespace

std::string segment_name(std::uint64_t first_index) {
  return fmt::format("{}{:016x}", kSegment, first_index);
}

std::string picture_name(std::uint64_t last_index) {
  return fmt::format("{}{:016x}", kPicture, last_index);
}

std::string unfinished_name(std::uint64_t last_index) {
  return picture_name(last_index).append(kUnfinished);
}

Result<Listing> list_files(Disk& disk) {
  const Result<std::vector<std::string>> names = disk.list();
  if (!names) return tl::unexpected{names.error()};
  Listing listing;
  for (const std::string& name : *names) {
    if (const auto first = index_in(name, kSegment)) listing.segments.push_back(*first);
    if (const auto last = index_in(name, kPicture)) listing.pictures.push_back(*last);
    if (name.starts_with(kPicture) && name.ends_with(kUnfinished)) {
      listing.unfinished.push_back(name);
    }
  }
  std::sort(listing.segments.begin(), listing.segments.end());
  std::sort(listing.pictures.begin(), listing.pictures.end());
  return listing;
}

Result<Recovered> recover(Disk& disk, const std::string& boot_id, const BatchLog::Load& piece,
                          const BatchLog::Load& batch) {
  const Result<Listing> listing = list_files(disk);
  if (!listing) return tl::unexpected{listing.error()};
  std::uint64_t last_index = 0;
  std::string picture_boot_id;
  if (!listing->pictures.empty()) {
    last_index = listing->pictures.back();
    Result<std::string> read = read_picture(disk, last_index, piece);
    if (!read) return tl::unexpected{read.error()};
    picture_boot_id = std::move(*read);
  }
  // Segments that the picture includes altogether may be left over.
  std::vector<std::uint64_t> segments = listing->segments;
  while (segments.size() > 1 && segments[1] <= last_index + 1) segments.erase(segments.begin());
  SegmentsReader reader{disk, boot_id, last_index, batch};
  if (!listing->pictures.empty()) reader.begin_behind_picture(picture_boot_id);
  Result<Recovered> recovered = reader.read(segments);
  if (!recovered) return recovered;
  if (!listing->pictures.empty()) recovered->picture = listing->pictures.back();
  for (const std::uint64_t first : segments) {
    recovered->bytes += disk.size(segment_name(first)).value_or(0);
  }
  if (recovered->picture) recovered->bytes += disk.size(picture_name(last_index)).value_or(0);
  return recovered;
}

}  // namespace fencepost::journal
