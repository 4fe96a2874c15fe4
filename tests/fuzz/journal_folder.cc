// A folder of journal files as one input of a fuzzer.
#include "tests/fuzz/journal_folder.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.h"
#include "journal/crc32c.h"
#include "journal/recovery.h"

namespace fencepost::fuzz {

namespace {

using Kind = FolderFile::Kind;

constexpr std::size_t kFileHead = 5;
constexpr std::size_t kMostBytes = 0xffff;
constexpr std::uint16_t kLastIndexes = 0xfff0;
// In a frame: its mark, its length, its sum; the sum is of what stands behind it.
constexpr std::size_t kLengthAt = 4;
constexpr std::size_t kSumAt = 8;
constexpr std::size_t kSummedFrom = 12;
constexpr std::size_t kSumBytes = 4;
constexpr std::size_t kFloorBytes = 24;

std::size_t u16_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])) |
         static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + 1])) << 8;
}

void append_u16(std::string& out, std::size_t value) {
  out += static_cast<char>(value & 0xff);
  out += static_cast<char>(value >> 8 & 0xff);
}

void set_sum(std::string& bytes, std::size_t at, std::string_view summed) {
  std::string sum;
  ByteWriter{sum}.u32(journal::crc32c(summed));
  bytes.replace(at, sum.size(), sum);
}

std::uint64_t index_of(const FolderFile& file) {
  if (file.index < kLastIndexes) return file.index;
  return UINT64_MAX - (0xffffU - file.index);
}

std::string name_of(const FolderFile& file) {
  const std::uint64_t index = index_of(file);
  switch (file.kind) {
    case Kind::segment:
      return journal::segment_name(index);
    case Kind::picture:
      return journal::picture_name(index);
    case Kind::unfinished_segment:
      return journal::unfinished_segment_name(index);
    case Kind::unfinished_picture:
      return journal::unfinished_name(index);
    case Kind::fence_floor:
      return "fence-floor";
    case Kind::set_aside:
      return "lost-1-" + journal::segment_name(index);
    case Kind::foreign:
      return "notes";
  }
  return "notes";
}

// --- a file in its parts

struct FramePart {
  journal::FrameKind kind = journal::FrameKind::batch;
  std::uint64_t index = 0;
  std::uint64_t durable = 0;
  std::string payload;
};

struct Parts {
  std::string header;
  std::vector<FramePart> frames;
  std::string rest;  // what is no frame any more
};

std::string_view mark() {
  static const std::string kBytes = [] {
    std::string frame;
    journal::append_frame(frame, {});
    return frame.substr(0, kLengthAt);
  }();
  return kBytes;
}

// The length of the frame that begins `bytes`, all of it; none when none does.
std::optional<std::size_t> frame_at(std::string_view bytes) {
  if (bytes.size() < journal::kFrameHeadBytes || !bytes.starts_with(mark())) return std::nullopt;
  const std::uint32_t payload = ByteReader{bytes.substr(kLengthAt)}.u32();
  if (payload > bytes.size() - journal::kFrameHeadBytes) return std::nullopt;
  return journal::kFrameHeadBytes + payload;
}

Parts parts_of(std::string_view bytes) {
  Parts parts;
  parts.header = bytes.substr(0, journal::kHeaderBytes);
  bytes.remove_prefix(parts.header.size());
  for (auto size = frame_at(bytes); size; size = frame_at(bytes)) {
    ByteReader reader{bytes.substr(kSummedFrom)};
    FramePart frame;
    frame.index = reader.u64();
    frame.durable = reader.u64();
    frame.kind = static_cast<journal::FrameKind>(reader.u8());
    frame.payload = bytes.substr(journal::kFrameHeadBytes, *size - journal::kFrameHeadBytes);
    parts.frames.push_back(std::move(frame));
    bytes.remove_prefix(*size);
  }
  parts.rest = bytes;
  return parts;
}

std::string joined(const Parts& parts) {
  std::string bytes = parts.header;
  for (const FramePart& frame : parts.frames) {
    journal::append_frame(bytes, {.kind = frame.kind,
                                  .index = frame.index,
                                  .durable = frame.durable,
                                  .payload = frame.payload});
  }
  return bytes + parts.rest;
}

// --- what a change puts in

std::uint64_t any_number(Random& random) {
  static constexpr std::array<std::uint64_t, 12> kKnown = {0,
                                                           1,
                                                           2,
                                                           127,
                                                           128,
                                                           1'700'000'000'000,
                                                           (std::uint64_t{1} << 53) - 1,
                                                           (std::uint64_t{1} << 53),
                                                           INT64_MAX,
                                                           std::uint64_t{1} << 63,
                                                           UINT64_MAX - 1,
                                                           UINT64_MAX};
  if (random.below(3) == 0) return random.next() >> random.below(64);
  return kKnown[random.below(kKnown.size())];
}

std::string any_text(Random& random) {
  static constexpr std::array<std::string_view, 12> kTexts = {
      "", "a", "b", "alice", "0", "-1", "12", "3.5", "nan", "-inf", "5-1", "0-0"};
  if (random.below(40) == 0) return {std::string(random.below(3000), 'x')};
  return std::string{kTexts[random.below(kTexts.size())]};
}

void append_head(std::string& batch, Random& random) {
  ByteWriter writer{batch};
  const bool usual = random.below(4) != 0;
  writer.signed_number(usual ? 1'700'000'000'000 : static_cast<std::int64_t>(any_number(random)));
  for (int i = 0; i < 3; ++i) writer.number(usual ? random.below(9) : any_number(random));
}

void append_terms(ByteWriter& writer, Random& random) {
  const bool some = random.below(2) == 0;
  writer.u8(some);
  if (!some) return;
  writer.signed_number(random.below(2) == 0 ? 1000 : static_cast<std::int64_t>(any_number(random)));
  writer.u8(random.below(2) == 0);
  writer.text(any_text(random));
}

void append_holds(ByteWriter& writer, Random& random) {
  const std::uint64_t holds = random.below(4);
  writer.number(holds);
  for (std::uint64_t i = 0; i < holds; ++i) {
    writer.text(any_text(random));
    writer.number(random.below(3) != 0 ? i + 1 : any_number(random));
    writer.signed_number(static_cast<std::int64_t>(any_number(random)));
    writer.signed_number(static_cast<std::int64_t>(any_number(random)));
    writer.u8(random.below(3) == 0);
    append_terms(writer, random);
  }
}

void append_lock(ByteWriter& writer, Random& random) {
  writer.u8(static_cast<std::uint8_t>(random.below(4)));
  writer.signed_number(random.below(2) == 0 ? 2 : static_cast<std::int64_t>(any_number(random)));
  const std::uint64_t released = random.below(3);
  writer.number(released);
  for (std::uint64_t i = 0; i < released; ++i) writer.u64(any_number(random));
  append_holds(writer, random);
}

void append_parts(ByteWriter& writer, Random& random) {
  const std::uint64_t parts = random.below(4);
  writer.number(parts);
  for (std::uint64_t part = 0; part < parts; ++part) writer.text(any_text(random));
}

void append_collection(ByteWriter& writer, Random& random) {
  writer.u8(static_cast<std::uint8_t>(random.below(8)));
  writer.u8(random.below(2) == 0);
  const std::uint64_t count = random.below(5);
  writer.number(random.below(8) == 0 ? any_number(random) : count);
  for (std::uint64_t i = 0; i < count; ++i) {
    append_parts(writer, random);
  }
}

// Of an element, or of a lock, whatever the key is.
void append_steps(ByteWriter& writer, Random& random) {
  std::string steps;
  ByteWriter apart{steps};
  if (random.below(4) == 0) {
    apart.u8(random.below(2) == 0);
    for (int none = 0; none < 2; ++none) apart.number(0);
    append_holds(apart, random);
    return writer.text(steps);
  }
  constexpr std::string_view kCodes = "sdofbFBpiarRtlgn";
  for (std::uint64_t left = random.below(4); left > 0; --left) {
    apart.u8(static_cast<std::uint8_t>(kCodes[random.below(kCodes.size())]));
    append_parts(apart, random);
  }
  writer.text(steps);
}

// As state/image.h has it, with anything in it.
void append_image(std::string& batch, Random& random) {
  ByteWriter writer{batch};
  writer.u8(static_cast<std::uint8_t>(random.below(random.below(4) == 0 ? 20 : 2)));
  writer.text(any_text(random));
  constexpr std::string_view kKinds = "gslcd";
  const char kind = kKinds[random.below(kKinds.size())];
  writer.u8(static_cast<std::uint8_t>(kind));
  if (kind == 'g') {
    const bool counted = random.below(2) == 0;
    writer.u8(counted);
    if (!counted) return;
    writer.number(any_number(random));
    writer.number(1);
    return writer.u64(any_number(random));
  }
  writer.number(random.below(2) == 0 ? random.below(9) : any_number(random));
  for (int i = 0; i < 3; ++i) {
    writer.signed_number(static_cast<std::int64_t>(any_number(random)));
  }
  writer.u8(static_cast<std::uint8_t>(random.below(4)));
  if (kind == 'l') return append_lock(writer, random);
  if (kind == 'c') return append_collection(writer, random);
  if (kind == 'd') return append_steps(writer, random);
  writer.text(any_text(random));
  append_terms(writer, random);
}

// --- the changes

void change_frame(FramePart& frame, Random& random, Mutate mutate) {
  static constexpr std::array kFrameKinds = {
      journal::FrameKind::batch,    journal::FrameKind::clean_end,   journal::FrameKind::piece,
      journal::FrameKind::last,     journal::FrameKind::picture_end, journal::FrameKind::more,
      journal::FrameKind::beginning};
  switch (random.below(8)) {
    case 0:
      frame.index = random.below(2) == 0 ? frame.index + random.below(3) - 1 : any_number(random);
      return;
    case 1:
      frame.durable = random.below(2) == 0 ? random.below(9) : any_number(random);
      return;
    case 2:
      frame.kind = kFrameKinds[random.below(kFrameKinds.size())];
      return;
    case 3:
      frame.payload.clear();
      append_head(frame.payload, random);
      return;
    case 4:
    case 5:
      append_image(frame.payload, random);
      return;
    default:
      frame.payload = mutate(frame.payload, frame.payload.size() + 64);
  }
}

void change_header(std::string& header, Random& random) {
  if (random.below(4) == 0 && !header.empty()) {
    header.resize(random.below(header.size()));
    return;
  }
  const auto kind = random.below(2) == 0 ? journal::FileKind::segment : journal::FileKind::picture;
  header = journal::encode_header(
      {.kind = kind,
       .index = random.below(2) == 0 ? random.below(20) : any_number(random),
       .boot_id = random.below(3) == 0 ? "" : "boot " + std::to_string(random.below(3))});
}

void change_frames(std::vector<FramePart>& frames, Random& random, Mutate mutate) {
  if (frames.empty() || random.below(10) == 0) {
    FramePart made;
    made.index = frames.empty() ? random.below(9) : frames.back().index + 1;
    append_head(made.payload, random);
    append_image(made.payload, random);
    frames.push_back(std::move(made));
    return;
  }
  const auto at = static_cast<std::ptrdiff_t>(random.below(frames.size()));
  switch (random.below(10)) {
    case 0:
      frames.erase(frames.begin() + at);
      return;
    case 1:
      frames.insert(frames.begin() + at, FramePart{frames[static_cast<std::size_t>(at)]});
      return;
    case 2:
      return std::swap(frames[static_cast<std::size_t>(at)], frames[random.below(frames.size())]);
    default:
      return change_frame(frames[static_cast<std::size_t>(at)], random, mutate);
  }
}

void change_file(FolderFile& file, Random& random, Mutate mutate) {
  if (file.kind == Kind::fence_floor || random.below(20) == 0) {
    file.bytes = mutate(file.bytes, file.bytes.size() + 32);
    return;
  }
  if (random.below(20) == 0) {
    file.bytes.resize(random.below(file.bytes.size() + 1));
    return;
  }
  Parts parts = parts_of(file.bytes);
  if (random.below(20) == 0) {
    change_header(parts.header, random);
  } else {
    change_frames(parts.frames, random, mutate);
  }
  file.bytes = joined(parts);
}

// Its header goes with its name, mostly.
void rename(FolderFile& file, Random& random) {
  if (random.below(4) == 0) {
    file.kind = static_cast<Kind>(random.below(FolderFile::kKinds));
  } else {
    file.index = static_cast<std::uint16_t>(random.below(3) == 0 ? kLastIndexes + random.below(16)
                                                                 : random.below(24));
  }
  if (random.below(4) == 0 || file.bytes.size() < journal::kHeaderBytes) return;
  const bool picture = file.kind == Kind::picture || file.kind == Kind::unfinished_picture;
  file.bytes.replace(0, journal::kHeaderBytes,
                     journal::encode_header(
                         {.kind = picture ? journal::FileKind::picture : journal::FileKind::segment,
                          .index = index_of(file),
                          .boot_id = "boot 1"}));
}

}  // namespace

Folder unpack(std::string_view input) {
  Folder folder;
  if (input.empty()) return folder;
  folder.settings = static_cast<std::uint8_t>(input.front());
  input.remove_prefix(1);
  while (input.size() >= kFileHead) {
    FolderFile file;
    file.kind = static_cast<Kind>(static_cast<unsigned char>(input[0]) % FolderFile::kKinds);
    file.index = static_cast<std::uint16_t>(u16_at(input, 1));
    const std::size_t size = u16_at(input, 3);
    file.bytes = input.substr(kFileHead, size);
    input.remove_prefix(std::min(input.size(), kFileHead + size));
    folder.files.push_back(std::move(file));
  }
  return folder;
}

std::string pack(const Folder& folder) {
  std::string input(1, static_cast<char>(folder.settings));
  for (const FolderFile& file : folder.files) {
    const std::string_view bytes = std::string_view{file.bytes}.substr(0, kMostBytes);
    input += static_cast<char>(file.kind);
    append_u16(input, file.index);
    append_u16(input, bytes.size());
    input += bytes;
  }
  return input;
}

std::map<std::string, std::string> named_files(const Folder& folder) {
  std::map<std::string, std::string> files;
  for (const FolderFile& file : folder.files) files[name_of(file)] = file.bytes;
  return files;
}

void mend_sums(FolderFile& file) {
  std::string& bytes = file.bytes;
  const bool is_floor = file.kind == Kind::fence_floor;
  const std::size_t head = is_floor ? kFloorBytes : journal::kHeaderBytes;
  if (bytes.size() < head) return;
  set_sum(bytes, head - kSumBytes, std::string_view{bytes}.substr(0, head - kSumBytes));
  std::size_t at = is_floor ? bytes.size() : head;
  while ((at = bytes.find(mark(), at)) != std::string::npos) {
    const std::optional<std::size_t> size = frame_at(std::string_view{bytes}.substr(at));
    if (size) {
      set_sum(bytes, at + kSumAt,
              std::string_view{bytes}.substr(at + kSummedFrom, *size - kSummedFrom));
    }
    at += size.value_or(1);
  }
}

void change(Folder& folder, Random& random, Mutate mutate) {
  if (folder.files.empty()) {
    folder.files.push_back({.kind = Kind::segment,
                            .index = 1,
                            .bytes = journal::encode_header({.index = 1, .boot_id = "boot 1"})});
  }
  const std::size_t at = random.below(folder.files.size());
  FolderFile& file = folder.files[at];
  switch (random.below(16)) {
    case 0:
      folder.settings = static_cast<std::uint8_t>(random.next());
      return;
    case 1:
      return rename(file, random);
    case 2:
      folder.files.emplace_back(file);
      return rename(folder.files.back(), random);
    case 3:
      folder.files.erase(folder.files.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    default:
      return change_file(file, random, mutate);
  }
}

}  // namespace fencepost::fuzz
