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

// Whether what is missing may be missing because power was lost. Each segment is of one run of the
// server, or of a part of it. What a run had drawn and not synced is gone if the kernel did not
// live on until the next; that one leaps, and has noted so once it has a batch.
class Boots {
 public:
  // The next run, of that boot. None: it had found a loss, and no segment of a boot follows before
  // a batch that tells of the loss is safe. What it drew after that stands in such a segment, so if
  // none is there, that may be lost as well.
  void next(const std::string& boot_id) {
    if (boot_id.empty()) {
      power_lost_ = true;
      told_ = false;
    } else {
      power_lost_ = (power_lost_ && !told_) || (before_ && !clean_ && *before_ != boot_id);
    }
    before_.reset();
    if (!boot_id.empty()) before_ = boot_id;
    clean_ = false;
  }
  void saw(FrameKind kind) {
    clean_ = kind == FrameKind::clean_end;
    if (!ends_batch(kind)) return;
    told_ = true;
    if (before_) power_lost_ = false;
  }
  // Seen from a run in that boot.
  bool power_lost_before(const std::string& now) const {
    return power_lost_ || (before_ && !clean_ && *before_ != now);
  }

 private:
  std::optional<std::string> before_;
  bool clean_ = false;
  bool power_lost_ = false;
  bool told_ = false;  // by a batch behind the loss
};

}  // namespace

class Recovery::Segments {
 public:
  Segments(Disk& disk, const std::string& boot_id, const BatchLog::Load& batch,
           std::vector<std::uint64_t> segments, std::uint64_t last_index)
      : disk_{disk}, boot_id_{boot_id}, batch_{batch}, segments_{std::move(segments)} {
    found().last_index = last_index;
  }

  // Behind a picture that was drawn in that boot.
  void follow(const std::string& picture_boot_id) { boots_.next(picture_boot_id); }
  void nothing_to_read() {
    if (segments_.empty()) end();
  }

  // Reads one frame, or goes on to the next segment; false at the end.
  Result<bool> step() {
    if (at_ == segments_.size()) return false;
    if (!reader_) {
      const Result<bool> begun = begin();
      return begun && !*begun ? cut() : begun;
    }
    const Result<FrameReader::Step> step = reader_->next();
    if (!step) return tl::unexpected{step.error()};
    offset_ = reader_->offset();
    if (*step == FrameReader::Step::end) {
      if (parts_.begun()) return cut();
      end_segment();
      return at_ < segments_.size();
    }
    if (*step == FrameReader::Step::broken || reader_->frame().index != next_) {
      trouble_ = fmt::format("it is damaged at byte {}", offset_);
      return cut();
    }
    if (Result<void> taken = take(reader_->frame()); !taken) {
      return unreadable(name(), fmt::format("at byte {}: {}", offset_, taken.error().what));
    }
    return true;
  }

  Recovered& recovered() { return recovered_; }
  std::uint64_t offset() const { return reader_ ? offset_ : 0; }
  const std::vector<std::uint64_t>& all() const { return segments_; }

 private:
  std::string name() const { return segment_name(segments_[at_]); }

  // False when its header is torn, or it begins too late: then the log ends before it.
  Result<bool> begin() {
    const std::uint64_t first = segments_[at_];
    offset_ = 0;
    const Result<FileHeader> header = read_header(disk_, name());
    if (!header) return header_missing(name(), header.error().what);
    if (header->kind != FileKind::segment || header->index != first) {
      return unreadable(name(), "its name and its header disagree");
    }
    if (first > found().last_index + 1) {
      trouble_ = fmt::format("what came before it, from {} on, is missing", found().last_index + 1);
      return false;
    }
    boots_.next(header->boot_id);
    found().clean = false;
    reader_ = std::make_unique<FrameReader>(disk_, name());
    next_ = first;
    return true;
  }

  void end_segment() {
    recovered_.bytes += disk_.size(name()).value_or(0);
    reader_ = nullptr;
    ++at_;
    if (at_ == segments_.size()) end();
  }

  void end() { found().power_lost = boots_.power_lost_before(boot_id_); }

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
    if (!parts_.begun()) begun_at_ = offset_;
    const Parts::Step step = parts_.add(frame);
    if (step == Parts::Step::misplaced)
      return failure("the parts of a batch are not in their order");
    if (step == Parts::Step::more) return {};
    ++next_;
    return take_whole(frame);
  }

  // Of a batch in several frames it is the last one.
  Result<void> take_whole(const Frame& frame) {
    const bool known = frame.index <= found().last_index;  // a picture has it already
    found().clean = frame.kind == FrameKind::clean_end;
    boots_.saw(frame.kind);
    if (known) return {};
    found().last_index = frame.index;
    if (!ends_batch(frame.kind)) return {};
    ++found().batches;
    return batch_(parts_.payload());
  }

  // The log ends in this segment, at offset_, or where the batch began that goes no further.
  Result<bool> cut() {
    if (parts_.begun()) offset_ = begun_at_;
    parts_.drop();
    found().clean = false;
    for (std::size_t i = at_; i < segments_.size(); ++i) {
      const std::string other = segment_name(segments_[i]);
      const std::uint64_t from =
          i == at_ ? std::max<std::uint64_t>(offset_, kHeaderBytes) : kHeaderBytes;
      const Result<bool> promised = says_safe(other, from, found().last_index + 1);
      if (!promised) return tl::unexpected{promised.error()};
      if (*promised) {
        return unreadable(name(), trouble_ + ", and that was safe once: this is no torn tail");
      }
      const Result<std::uint64_t> size = disk_.size(other);
      if (!size) return tl::unexpected{size.error()};
      found().cut_bytes += *size - std::min(*size, i == at_ ? offset_ : 0);
      if (i > at_) recovered_.behind.push_back(segments_[i]);
    }
    found().cut_from = name();
    recovered_.cut_segment = segments_[at_];
    recovered_.cut_at = offset_;
    at_ = segments_.size();
    reader_ = nullptr;
    end();
    return false;
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
  std::vector<std::uint64_t> segments_;
  std::size_t at_ = 0;                   // which of them
  std::unique_ptr<FrameReader> reader_;  // of it
  std::uint64_t next_ = 0;               // the index that is wanted
  Recovered recovered_;
  Boots boots_;
  std::uint64_t offset_ = 0;
  Parts parts_;
  std::uint64_t begun_at_ = 0;                      // where the first of them is
  std::string trouble_ = "it ends within a batch";  // why what is at offset_ cannot be read
};

std::string segment_name(std::uint64_t first_index) {
  return fmt::format("{}{:016x}", kSegment, first_index);
}

std::string picture_name(std::uint64_t last_index) {
  return fmt::format("{}{:016x}", kPicture, last_index);
}

std::string unfinished_name(std::uint64_t last_index) {
  return picture_name(last_index).append(kUnfinished);
}

std::string unfinished_segment_name(std::uint64_t first_index) {
  return segment_name(first_index).append(kUnfinished);
}

Result<Listing> list_files(Disk& disk) {
  const Result<std::vector<std::string>> names = disk.list();
  if (!names) return tl::unexpected{names.error()};
  Listing listing;
  for (const std::string& name : *names) {
    if (const auto first = index_in(name, kSegment)) listing.segments.push_back(*first);
    if (const auto last = index_in(name, kPicture)) listing.pictures.push_back(*last);
    const bool ours = name.starts_with(kPicture) || name.starts_with(kSegment);
    if (ours && name.ends_with(kUnfinished)) listing.unfinished.push_back(name);
  }
  for (const auto& indexes : {listing.segments, listing.pictures}) {
    for (const std::uint64_t index : indexes) {
      if (index > kMaxIndex) return failure(fmt::format("no journal has a file {:016x}", index));
    }
  }
  std::sort(listing.segments.begin(), listing.segments.end());
  std::sort(listing.pictures.begin(), listing.pictures.end());
  return listing;
}

Recovery::Recovery(Disk& disk, std::string boot_id, BatchLog::Load piece, BatchLog::Load batch)
    : disk_{disk},
      boot_id_{std::move(boot_id)},
      piece_{std::move(piece)},
      batch_{std::move(batch)} {}

Recovery::~Recovery() = default;

Result<std::unique_ptr<Recovery>> Recovery::begin(Disk& disk, std::string boot_id,
                                                  BatchLog::Load piece, BatchLog::Load batch) {
  std::unique_ptr<Recovery> recovery{
      new Recovery{disk, std::move(boot_id), std::move(piece), std::move(batch)}};
  if (Result<void> looked = recovery->look(); !looked) return tl::unexpected{looked.error()};
  return recovery;
}

// The newest picture, and the segments that are not altogether part of it.
Result<void> Recovery::look() {
  const Result<Listing> listing = list_files(disk_);
  if (!listing) return tl::unexpected{listing.error()};
  std::uint64_t last_index = 0;
  if (!listing->pictures.empty()) {
    last_index = listing->pictures.back();
    picture_ = last_index;
    bytes_in_all_ += disk_.size(picture_name(last_index)).value_or(0);
  }
  std::vector<std::uint64_t> segments = listing->segments;
  while (segments.size() > 1 && segments[1] <= last_index + 1) segments.erase(segments.begin());
  for (const std::uint64_t first : segments) {
    bytes_in_all_ += disk_.size(segment_name(first)).value_or(0);
  }
  segments_ = std::make_unique<Segments>(disk_, boot_id_, batch_, std::move(segments), last_index);
  if (!picture_) {
    segments_->nothing_to_read();
    return {};
  }
  const std::string name = picture_name(*picture_);
  const Result<FileHeader> header = read_header(disk_, name);
  if (!header) return unreadable(name, header.error().what);
  if (header->kind != FileKind::picture || header->index != *picture_) {
    return unreadable(name, "its name and its header disagree");
  }
  segments_->follow(header->boot_id);
  reader_ = std::make_unique<FrameReader>(disk_, name);
  return {};
}

Result<bool> Recovery::step() {
  return reader_ ? step_in_picture() : segments_->step();
}

// A picture was whole, and safe, before it got its name: whatever is wrong with it is damage.
Result<bool> Recovery::step_in_picture() {
  const std::string name = picture_name(*picture_);
  const Result<FrameReader::Step> step = reader_->next();
  if (!step) return tl::unexpected{step.error()};
  if (*step != FrameReader::Step::frame || reader_->frame().index != pieces_) {
    return unreadable(name, fmt::format("it is damaged at byte {}", reader_->offset()));
  }
  if (reader_->frame().kind == FrameKind::picture_end && !parts_.begun()) {
    reader_ = nullptr;
    segments_->recovered().bytes += disk_.size(name).value_or(0);
    segments_->nothing_to_read();
    return !segments_->all().empty();
  }
  const Parts::Step part = parts_.add(reader_->frame());
  if (part == Parts::Step::misplaced) {
    return unreadable(name, fmt::format("it is damaged at byte {}", reader_->offset()));
  }
  if (part == Parts::Step::more) return true;
  ++pieces_;
  if (Result<void> loaded = piece_(parts_.payload()); !loaded) {
    return unreadable(name, loaded.error().what);
  }
  return true;
}

std::uint64_t Recovery::bytes_read() const {
  return segments_->recovered().bytes + (reader_ ? reader_->offset() : segments_->offset());
}

Recovered Recovery::take() {
  Recovered recovered = std::move(segments_->recovered());
  recovered.picture = picture_;
  // A picture alone: no segment tells of an orderly end.
  if (picture_ && segments_->all().empty()) recovered.found.clean = false;
  // Of a torn segment, what is left.
  recovered.bytes += recovered.cut_at;
  return recovered;
}

Result<Recovered> recover(Disk& disk, const std::string& boot_id, const BatchLog::Load& piece,
                          const BatchLog::Load& batch) {
  const Result<std::unique_ptr<Recovery>> recovery = Recovery::begin(disk, boot_id, piece, batch);
  if (!recovery) return tl::unexpected{recovery.error()};
  for (;;) {
    const Result<bool> more = (*recovery)->step();
    if (!more) return tl::unexpected{more.error()};
    if (!*more) return (*recovery)->take();
  }
}

}  // namespace fencepost::journal
