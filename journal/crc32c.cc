// CRC-32C, eight bytes at a time (Kounavis and Berry, "A Systematic Approach to Building High
// Performance Software-Based CRC Generators", 2005).
#include "journal/crc32c.h"

#include <array>
#include <cstddef>

namespace fencepost::journal {

namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;
constexpr std::size_t kAtOnce = 8;
using Table = std::array<std::uint32_t, 256>;

// table[k][b]: what the byte b does to the checksum when k zero bytes follow it.
constexpr std::array<Table, kAtOnce> make_tables() {
  std::array<Table, kAtOnce> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = rest;
  }
  for (std::size_t k = 1; k < kAtOnce; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before >> 8 ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr std::array<Table, kAtOnce> kTables = make_tables();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t sum = ~std::uint32_t{0};
  while (bytes.size() >= kAtOnce) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      const std::uint32_t mixed =
          i < 4 ? byte_at(bytes, i) ^ (sum >> (8 * i) & 0xff) : byte_at(bytes, i);
      next ^= kTables[kAtOnce - 1 - i][mixed];
    }
    sum = next;
    bytes.remove_prefix(kAtOnce);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    sum = sum >> 8 ^ kTables[0][(sum ^ byte_at(bytes, i)) & 0xff];
  }
  return ~sum;
}

}  // namespace fencepost::journal
