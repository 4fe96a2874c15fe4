// What the files of the journal are made of.
//
//   file   = header frame*
//   header = "FENCEPST" version:u32 kind:u8 index:u64 boot-id:text zeros crc:u32      96 bytes
//   frame  = mark:u32 length:u32 crc:u32 index:u64 durable:u64 kind:u8 payload
//
// Numbers are little-endian. A frame's length is its payload's; its crc is of all that stands
// behind it. The mark lets a reader find the next frame behind a broken one.
#include "journal/frame.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"
#include "journal/crc32c.h"

namespace fencepost::journal {

namespace {

constexpr std::string_view kMagic = "FENCEPST";
constexpr std::uint32_t kMark = 0x57c59ef0;
constexpr std::size_t kCrcBytes = 4;
constexpr std::size_t kCheckedFrom = 12;  // mark, length and crc stand before it
constexpr std::uint64_t kReadAtOnce = std::uint64_t{1} << 20;

bool is_frame_kind(std::uint8_t kind) {
  switch (static_cast<FrameKind>(kind)) {
    case FrameKind::batch:
    case FrameKind::clean_end:
    case FrameKind::piece:
    case FrameKind::picture_end:
    case FrameKind::beginning:
    case FrameKind::more:
    case FrameKind::last:
      return true;
  }
  return false;
}

}  // namespace

std::string encode_header(const FileHeader& header) {
  check(header.boot_id.size() <= kMaxBootIdBytes, "a boot id is short");
  std::string bytes{kMagic};
  ByteWriter writer{bytes};
  writer.u32(kFormatVersion);
  writer.u8(static_cast<std::uint8_t>(header.kind));
  writer.u64(header.index);
  writer.text(header.boot_id);
  bytes.resize(kHeaderBytes - kCrcBytes, '\0');
  writer.u32(crc32c(bytes));
  return bytes;
}

Result<FileHeader> decode_header(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return failure("its header is cut short");
  if (!bytes.starts_with(kMagic)) return failure("it is no file of fencepost's");
  const std::optional<std::uint32_t> version = format_of(bytes);
  if (!version) return failure("its header is damaged");
  if (!is_known_format(*version)) {
    return failure(fmt::format("it has format {}, and this fencepost reads formats {} to {}",
                               *version, kOldestFormat, kFormatVersion));
  }
  ByteReader reader{bytes.substr(kMagic.size() + sizeof *version, kHeaderBytes)};
  FileHeader header;
  header.kind = static_cast<FileKind>(reader.u8());
  header.index = reader.u64();
  header.boot_id = reader.text();
  const bool known = header.kind == FileKind::segment || header.kind == FileKind::picture;
  if (reader.failed() || !known || header.index > kMaxIndex) {
    return failure("its header makes no sense");
  }
  return header;
}

bool is_known_format(std::uint32_t version) {
  return version >= kOldestFormat && version <= kFormatVersion;
}

std::optional<std::uint32_t> format_of(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kMagic)) return std::nullopt;
  ByteReader last{bytes.substr(kHeaderBytes - kCrcBytes, kCrcBytes)};
  if (last.u32() != crc32c(bytes.substr(0, kHeaderBytes - kCrcBytes))) return std::nullopt;
  return ByteReader{bytes.substr(kMagic.size())}.u32();
}

void append_frame(std::string& out, const Frame& frame) {
  check(frame.payload.size() <= kMaxPayloadBytes, "a frame is not larger than a reader believes");
  const std::size_t start = out.size();
  ByteWriter writer{out};
  writer.u32(kMark);
  writer.u32(static_cast<std::uint32_t>(frame.payload.size()));
  writer.u32(0);
  writer.u64(frame.index);
  writer.u64(frame.durable);
  writer.u8(static_cast<std::uint8_t>(frame.kind));
  out.append(frame.payload);
  std::string sum;
  ByteWriter{sum}.u32(crc32c(std::string_view{out}.substr(start + kCheckedFrom)));
  out.replace(start + kCheckedFrom - kCrcBytes, kCrcBytes, sum);
}

FrameReader::FrameReader(Disk& disk, std::string name, std::uint64_t offset)
    : disk_{disk}, name_{std::move(name)}, offset_{offset} {}

// Makes sure that so many bytes from offset_ on are in the buffer; false when the file has not so
// many.
Result<bool> FrameReader::fill(std::size_t bytes) {
  while (rest().size() < bytes && !at_end_) {
    buffer_.erase(0, std::exchange(at_, 0));
    const std::uint64_t want = std::max<std::uint64_t>(kReadAtOnce, bytes - buffer_.size());
    Result<std::string> more = disk_.read(name_, offset_ + buffer_.size(), want);
    if (!more) return tl::unexpected{more.error()};
    at_end_ = more->size() < want;
    buffer_ += *more;
  }
  return rest().size() >= bytes;
}

void FrameReader::advance(std::size_t bytes) {
  at_ += bytes;
  offset_ += bytes;
}

// The payload's length, when what comes next looks like the head of a frame.
std::optional<std::uint32_t> FrameReader::length_of_next() const {
  ByteReader reader{rest().substr(0, kFrameHeadBytes)};
  if (reader.u32() != kMark) return std::nullopt;
  const std::uint32_t length = reader.u32();
  return length <= kMaxPayloadBytes ? std::optional{length} : std::nullopt;
}

Result<FrameReader::Step> FrameReader::next() {
  advance(std::exchange(consume_, 0));
  const Result<bool> has_head = fill(kFrameHeadBytes);
  if (!has_head) return tl::unexpected{has_head.error()};
  if (rest().empty()) return Step::end;
  const std::optional<std::uint32_t> length = *has_head ? length_of_next() : std::nullopt;
  if (!length) return Step::broken;
  const Result<bool> has_all = fill(kFrameHeadBytes + *length);
  if (!has_all) return tl::unexpected{has_all.error()};
  if (!*has_all) return Step::broken;
  const std::string_view bytes = rest().substr(0, kFrameHeadBytes + *length);
  ByteReader reader{bytes.substr(kCheckedFrom - kCrcBytes)};
  if (reader.u32() != crc32c(bytes.substr(kCheckedFrom))) return Step::broken;
  frame_.index = reader.u64();
  frame_.durable = reader.u64();
  const std::uint8_t kind = reader.u8();
  if (!is_frame_kind(kind) || frame_.index > kMaxIndex) return Step::broken;
  frame_.kind = static_cast<FrameKind>(kind);
  frame_.payload = bytes.substr(kFrameHeadBytes);
  consume_ = bytes.size();
  return Step::frame;
}

Result<bool> FrameReader::skip_to_frame() {
  for (;;) {
    const Result<bool> more = fill(2);
    if (!more) return tl::unexpected{more.error()};
    if (!*more) return false;
    advance(1);
    // Without a first byte that fits there is nothing to try.
    const std::size_t candidate = rest().find(static_cast<char>(kMark & 0xff));
    if (candidate == std::string_view::npos) {
      advance(rest().size() - 1);
      continue;
    }
    advance(candidate);
    const Result<Step> step = next();
    if (!step) return tl::unexpected{step.error()};
    if (*step == Step::frame) return true;
  }
}

}  // namespace fencepost::journal
