// What the files of the journal are made of: a header, then frames. The grammar is in
// docs/files.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "journal/disk.h"

namespace fencepost::journal {

// What is written, and the oldest that is read: format 1 had no steps and no parts.
constexpr std::uint32_t kFormatVersion = 2;
constexpr std::uint32_t kOldestFormat = 1;
constexpr std::size_t kHeaderBytes = 96;
constexpr std::size_t kFrameHeadBytes = 29;
constexpr std::size_t kMaxBootIdBytes = 48;
// Of one frame; a greater length is not believed.
constexpr std::uint32_t kMaxPayloadBytes = std::uint32_t{1} << 30;
// Nor is a greater index, be it a frame's or a file's, so that those behind it can be counted.
constexpr std::uint64_t kMaxIndex = std::uint64_t{1} << 62;

enum class FileKind : std::uint8_t { segment = 's', picture = 'p' };

struct FileHeader {
  FileKind kind = FileKind::segment;
  // Of a segment: the index of its first frame. Of a picture: the last index that it includes.
  std::uint64_t index = 0;
  std::string boot_id;  // of the kernel that ran when the file was made
};

enum class FrameKind : std::uint8_t {
  batch = 'b',
  clean_end = 'c',    // the server was shut down in order; nothing is behind it
  piece = 'i',        // of a picture
  picture_end = 'e',  // the picture is whole
  // Of a batch or a piece that is too large for one frame: journal/parts.h.
  beginning = 'm',
  more = 'n',
  last = 'l',
};

struct Frame {
  FrameKind kind = FrameKind::batch;
  std::uint64_t index = 0;    // one more than the frame's before it, or the same in another part
  std::uint64_t durable = 0;  // everything up to this index was safe when the frame was written
  std::string_view payload;
};

std::string encode_header(const FileHeader& header);
// `bytes` are the first of a file. Says what it is instead, when it is no file of ours.
Result<FileHeader> decode_header(std::string_view bytes);
// The format that a whole header names, of whatever version; none when it is no header of ours.
std::optional<std::uint32_t> format_of(std::string_view bytes);
bool is_known_format(std::uint32_t version);

void append_frame(std::string& out, const Frame& frame);

// The frames of one file, in order, read in pieces. The disk must outlive it.
class FrameReader {
 public:
  // Starts behind the header.
  FrameReader(Disk& disk, std::string name, std::uint64_t offset = kHeaderBytes);

  enum class Step : std::uint8_t {
    frame,   // frame() is the next one, until the next call
    end,     // the file ends where a frame ends
    broken,  // what is at offset() is no frame
  };
  Result<Step> next();
  const Frame& frame() const { return frame_; }
  // Where the next frame begins, or what is broken.
  std::uint64_t offset() const { return offset_; }
  // After `broken`: looks for the next frame behind it, byte by byte. False when there is none.
  Result<bool> skip_to_frame();

 private:
  Result<bool> fill(std::size_t bytes);
  std::string_view rest() const { return std::string_view{buffer_}.substr(at_); }
  std::optional<std::uint32_t> length_of_next() const;
  void advance(std::size_t bytes);

  Disk& disk_;
  std::string name_;
  std::uint64_t offset_;
  std::string buffer_;  // the bytes from offset_ - at_ on
  std::size_t at_ = 0;
  std::size_t consume_ = 0;  // the frame that was handed out, dropped at the next call
  bool at_end_ = false;
  Frame frame_;
};

}  // namespace fencepost::journal
