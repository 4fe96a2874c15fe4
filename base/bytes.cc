// Numbers and texts as bytes in a file, and back.
#include "base/bytes.h"

namespace fencepost {

namespace {

constexpr std::uint8_t kMore = 0x80;
constexpr unsigned kBitsEach = 7;

void append_little_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    out.push_back(static_cast<char>(value & 0xff));
    value >>= 8;
  }
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

}  // namespace

void ByteWriter::u32(std::uint32_t value) {
  append_little_endian(out_, value, 4);
}

void ByteWriter::u64(std::uint64_t value) {
  append_little_endian(out_, value, 8);
}

void ByteWriter::number(std::uint64_t value) {
  while (value >= kMore) {
    u8(static_cast<std::uint8_t>(value | kMore));
    value >>= kBitsEach;
  }
  u8(static_cast<std::uint8_t>(value));
}

void ByteWriter::signed_number(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  number(value < 0 ? ~(bits << 1) : bits << 1);
}

void ByteWriter::text(std::string_view value) {
  number(value.size());
  out_.append(value);
}

std::string_view ByteReader::take(std::size_t size) {
  if (failed_ || size > rest_.size()) {
    failed_ = true;
    return {};
  }
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint8_t ByteReader::u8() {
  return static_cast<std::uint8_t>(little_endian(take(1)));
}

std::uint32_t ByteReader::u32() {
  return static_cast<std::uint32_t>(little_endian(take(4)));
}

std::uint64_t ByteReader::u64() {
  return little_endian(take(8));
}

std::uint64_t ByteReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += kBitsEach) {
    const std::uint8_t byte = u8();
    if (failed_) return 0;
    const std::uint64_t bits = byte & (kMore - 1);
    if (shift == 63 && bits > 1) break;  // more than 64 bits
    value |= bits << shift;
    if (byte < kMore) return value;
  }
  failed_ = true;
  return 0;
}

std::int64_t ByteReader::signed_number() {
  const std::uint64_t bits = number();
  const std::uint64_t value = bits >> 1;
  return static_cast<std::int64_t>((bits & 1) != 0 ? ~value : value);
}

std::string_view ByteReader::text() {
  const std::uint64_t size = number();
  return take(size > rest_.size() ? rest_.size() + 1 : static_cast<std::size_t>(size));
}

}  // namespace fencepost
