// Numbers from the wire: one strict reader and one checked arithmetic for all of them.
#include "base/number.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "base/check.h"

namespace fencepost {

namespace {

// Redis refuses what from_chars alone would take: "-0", "007" and the empty text.
bool is_canonical(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view digits = negative ? text.substr(1) : text;
  if (digits.empty()) return false;
  if (digits.front() == '0') return digits.size() == 1 && !negative;
  return digits.front() >= '1' && digits.front() <= '9';
}

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  if (!is_canonical(text)) return std::nullopt;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <typename Number>
std::optional<Number> parse_floating(std::string_view text,
                                     Number (*convert)(const char*, char**)) {
  if (text.empty()) return std::nullopt;
  const unsigned char first = static_cast<unsigned char>(text.front());
  if (first == ' ' || (first >= '\t' && first <= '\r')) return std::nullopt;
  const std::string terminated{text};
  char* end = nullptr;
  errno = 0;
  const Number value = convert(terminated.c_str(), &end);
  if (end != terminated.c_str() + terminated.size() || std::isnan(value)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || value == 0)) return std::nullopt;
  return value;
}

template <typename Number>
void append_whole(std::string& out, Number value) {
  char digits[24];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  static_cast<void>(error);  // 24 characters hold any 64-bit number
  out.append(digits, end);
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}

std::optional<long double> parse_real(std::string_view text) {
  constexpr std::size_t kLongest = 5 * 1024;  // as Redis's own buffer
  if (text.size() >= kLongest) return std::nullopt;
  return parse_floating<long double>(text, std::strtold);
}

std::optional<double> parse_double(std::string_view text) {
  // Most are plain digits. What else strtod takes (hex, inf, a plus) is left to it.
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(value))
    return value;
  return parse_floating<double>(text, std::strtod);
}

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

void append_integer(std::string& out, std::int64_t value) {
  append_whole(out, value);
}

void append_unsigned(std::string& out, std::uint64_t value) {
  append_whole(out, value);
}

std::string_view print_double(double value, std::span<char> into) {
  if (std::isnan(value)) return "nan";
  const auto [end, error] =
      std::to_chars(into.data(), into.data() + into.size(), value, std::chars_format::general, 17);
  check(error == std::errc{}, "17 digits, a point and an exponent fit");
  return {into.data(), static_cast<std::size_t>(end - into.data())};
}

std::string format_real(long double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[5 * 1024];  // the greatest long double has 4933 digits before its point
  const auto [end, error] =
      std::to_chars(std::begin(text), std::end(text), value, std::chars_format::fixed, 17);
  static_cast<void>(error);
  std::string_view digits{text, static_cast<std::size_t>(end - text)};
  digits = digits.substr(0, digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.remove_suffix(1);
  return digits == "-0" ? "0" : std::string{digits};
}

}  // namespace fencepost
