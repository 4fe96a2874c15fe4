// Numbers from the wire: what is one, what is none, and how they are printed.
#include "base/number.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

using namespace std::string_view_literals;

TEST(Number, IsAWholeNumberOnlyInItsOneForm) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-1"), -1);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const auto text :
       {""sv, "-"sv, "+1"sv, "01"sv, "-0"sv, "-01"sv, "00"sv, " 1"sv, "1 "sv, "1\n"sv, "1\0"sv,
        "1.0"sv, "1e3"sv, "0x10"sv, "a"sv, "--1"sv, "9223372036854775808"sv,
        "-9223372036854775809"sv, "99999999999999999999999"sv})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

TEST(Number, HasAnUnsignedFormForCursors) {
  EXPECT_EQ(parse_unsigned("0"), 0U);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), UINT64_MAX);
  for (const auto text : {""sv, "-1"sv, "+1"sv, "01"sv, "1x"sv, "18446744073709551616"sv})
    EXPECT_EQ(parse_unsigned(text), std::nullopt) << text;
}

// As INCRBYFLOAT of redis-server 7.0.15 takes them.
TEST(Number, MayBeReal) {
  EXPECT_EQ(parse_real("3.0e3"), 3000.0L);
  EXPECT_EQ(parse_real("-.5"), -0.5L);
  EXPECT_EQ(parse_real("+1"), 1.0L);
  EXPECT_EQ(parse_real("0x10"), 16.0L);
  EXPECT_EQ(parse_real("inf"), std::numeric_limits<long double>::infinity());
  EXPECT_EQ(parse_real("-Infinity"), -std::numeric_limits<long double>::infinity());
  for (const auto text : {""sv, " 1"sv, "\v1"sv, "1 "sv, "1\0"sv, "abc"sv, "1.2.3"sv, "nan"sv,
                          "-nan"sv, "1e5000"sv, "-1e5000"sv, "1e-5000"sv, "e5"sv, "."sv})
    EXPECT_EQ(parse_real(text), std::nullopt) << text;
  EXPECT_TRUE(parse_real("1" + std::string(254, '0')));
  EXPECT_FALSE(parse_real("1" + std::string(5119, '0')));
}

TEST(Number, IsAddedAndMultipliedWithinItsRangeOrNotAtAll) {
  EXPECT_EQ(checked_add(2, -3), -1);
  EXPECT_EQ(checked_add(INT64_MAX, 0), INT64_MAX);
  EXPECT_EQ(checked_add(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checked_add(INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(checked_multiply(-4, 5), -20);
  EXPECT_EQ(checked_multiply(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(checked_multiply(INT64_MAX / 1000 + 1, 1000), std::nullopt);
  EXPECT_EQ(checked_multiply(INT64_MIN, -1), std::nullopt);
}

TEST(Number, IsAppendedInDecimal) {
  std::string out = "n=";
  append_integer(out, INT64_MIN);
  out += ' ';
  append_integer(out, 0);
  out += ' ';
  append_unsigned(out, UINT64_MAX);
  EXPECT_EQ(out, "n=-9223372036854775808 0 18446744073709551615");
}

TEST(Number, ReadsBackWhatItAppended) {
  for (std::int64_t value = 1; value < INT64_MAX / 7; value *= 7) {
    for (const std::int64_t each : {value, -value, value - 1}) {
      std::string text;
      append_integer(text, each);
      EXPECT_EQ(parse_integer(text), each);
    }
  }
}

// As INCRBYFLOAT of redis-server 7.0.15 prints them.
TEST(Number, IsPrintedForPeopleWhenItIsReal) {
  EXPECT_EQ(format_real(0.1L), "0.1");
  EXPECT_EQ(format_real(0.1L + 0.2L), "0.3");
  EXPECT_EQ(format_real(3000.0L), "3000");
  EXPECT_EQ(format_real(-10.5L), "-10.5");
  EXPECT_EQ(format_real(1e-17L), "0.00000000000000001");
  EXPECT_EQ(format_real(1e-18L), "0");
  EXPECT_EQ(format_real(-1e-20L), "0");
  EXPECT_EQ(format_real(-0.0L), "0");
  EXPECT_EQ(format_real(100.0L), "100");
  EXPECT_EQ(format_real(std::numeric_limits<long double>::infinity()), "inf");
  EXPECT_EQ(format_real(-std::numeric_limits<long double>::infinity()), "-inf");
  EXPECT_EQ(format_real(std::numeric_limits<long double>::max()).size(), 4933U);
}

TEST(Number, ReadsADoubleAsScoresAreWritten) {
  EXPECT_EQ(parse_double("1"), 1.0);
  EXPECT_EQ(parse_double("-2.5e3"), -2500.0);
  EXPECT_EQ(parse_double("+3"), 3.0);
  EXPECT_EQ(parse_double("0x1p3"), 8.0);
  EXPECT_EQ(parse_double(".5"), 0.5);
  EXPECT_EQ(parse_double("5."), 5.0);
  EXPECT_EQ(parse_double("5e-324"), 5e-324);
  EXPECT_EQ(parse_double("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_double("inf"), std::numeric_limits<double>::infinity());
  // Rounded once: by way of a longer number the last bit would be another one.
  EXPECT_EQ(parse_double("9007199254740993.00000000000000000001"), 9007199254740994.0);
  for (const std::string_view text :
       {"", " 1", "1 ", "nan", "-nan", "1e400", "1e-400", "e", "0x", "1,5", "1x"}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_double(std::string_view{"1\0", 2}), std::nullopt);
}

TEST(Number, PrintsADoubleInSeventeenDigits) {
  char digits[32];
  EXPECT_EQ(print_double(3, digits), "3");
  EXPECT_EQ(print_double(0.1, digits), "0.10000000000000001");
  EXPECT_EQ(print_double(-0.0, digits), "-0");
  EXPECT_EQ(print_double(1e17, digits), "1e+17");
  EXPECT_EQ(print_double(-1.7976931348623157e308, digits), "-1.7976931348623157e+308");
  EXPECT_EQ(print_double(std::numeric_limits<double>::infinity(), digits), "inf");
  EXPECT_EQ(print_double(-std::numeric_limits<double>::quiet_NaN(), digits), "nan");
}

}  // namespace
}  // namespace fencepost
