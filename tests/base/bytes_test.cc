// Numbers and texts as bytes in a file, and back.
#include "base/bytes.h"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Bytes, ComeBackAsTheyWereWritten) {
  std::string bytes;
  ByteWriter writer{bytes};
  constexpr std::uint64_t kNumbers[] = {
      0, 1, 127, 128, 300, std::uint64_t{1} << 63, std::numeric_limits<std::uint64_t>::max()};
  constexpr std::int64_t kSigned[] = {0,
                                      -1,
                                      1,
                                      -64,
                                      64,
                                      std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max()};
  writer.u8(200);
  writer.u32(0xdeadbeef);
  writer.u64(0x0123456789abcdef);
  for (const std::uint64_t number : kNumbers) writer.number(number);
  for (const std::int64_t number : kSigned) writer.signed_number(number);
  writer.text(std::string_view{"a\0b", 3});
  writer.text("");

  ByteReader reader{bytes};
  EXPECT_EQ(reader.u8(), 200);
  EXPECT_EQ(reader.u32(), 0xdeadbeef);
  EXPECT_EQ(reader.u64(), 0x0123456789abcdefU);
  for (const std::uint64_t number : kNumbers) EXPECT_EQ(reader.number(), number);
  for (const std::int64_t number : kSigned) EXPECT_EQ(reader.signed_number(), number);
  EXPECT_EQ(reader.text(), (std::string_view{"a\0b", 3}));
  EXPECT_EQ(reader.text(), "");
  EXPECT_TRUE(reader.done());
}

TEST(Bytes, NothingIsReadPastTheEnd) {
  std::string bytes;
  ByteWriter{bytes}.text("four");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader reader{std::string_view{bytes}.substr(0, size)};
    EXPECT_EQ(reader.text(), "");
    EXPECT_TRUE(reader.failed());
    EXPECT_EQ(reader.number(), 0U);
    EXPECT_FALSE(reader.done());
  }
  ByteReader endless{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
  EXPECT_EQ(endless.number(), 0U);
  EXPECT_TRUE(endless.failed()) << "no number has more than 64 bits";
  ByteReader claims{"\xff\xff\xff\xff\xff\xff\xff\xff\x7f"};
  EXPECT_EQ(claims.text(), "");
  EXPECT_TRUE(claims.failed()) << "a claimed length is not believed";
}

}  // namespace
}  // namespace fencepost
