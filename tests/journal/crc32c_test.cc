// CRC-32C against the values of RFC 3720, appendix B.4.
#include "journal/crc32c.h"

#include <string>

#include <gtest/gtest.h>

namespace fencepost::journal {
namespace {

TEST(Crc32c, IsThatOfTheStandard) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  std::string rising;
  for (int i = 0; i < 32; ++i) rising.push_back(static_cast<char>(i));
  EXPECT_EQ(crc32c(rising), 0x46dd794eU);
}

TEST(Crc32c, EveryChangedBitShows) {
  const std::string text = "whoever holds the lock draws a fence";
  const std::uint32_t right = crc32c(text);
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(crc32c(other), right) << bit;
  }
}

}  // namespace
}  // namespace fencepost::journal
