// Numbers and texts as bytes in a file, and back: little-endian, with lengths in front.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fencepost {

// Appends to a text. Small numbers take one byte (LEB128), so a record costs little more than what
// it says.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_{out} {}

  void u8(std::uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void u32(std::uint32_t value);
  void u64(std::uint64_t value);
  // 1 to 10 bytes.
  void number(std::uint64_t value);
  // The same for one that may be negative (zigzag).
  void signed_number(std::int64_t value);
  // Its length as a number, then the bytes.
  void text(std::string_view value);

 private:
  std::string& out_;
};

// Reads what a ByteWriter wrote. Whatever the bytes are, nothing is read past their end: what is
// not there reads as 0 or "", and failed() is true from then on.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_{bytes} {}

  std::uint8_t u8();
  std::uint32_t u32();
  std::uint64_t u64();
  std::uint64_t number();
  std::int64_t signed_number();
  // A view into the bytes.
  std::string_view text();

  bool failed() const { return failed_; }
  // All was read, and all of it was there.
  bool done() const { return !failed_ && rest_.empty(); }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view take(std::size_t size);

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace fencepost
