// The lines of INFO: headings, fields, numbers as Redis prints them.
#include "commands/server/info_text.h"

#include <array>
#include <charconv>

namespace fencepost::commands {

std::string fixed_point(double value, int digits) {
  std::array<char, 400> room{};
  const auto [end, error] = std::to_chars(room.data(), room.data() + room.size(), value,
                                          std::chars_format::fixed, digits);
  return error == std::errc{} ? std::string{room.data(), end} : std::string{};
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "KMGTPE";
  if (bytes < 1024) return std::to_string(bytes) + "B";
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fixed_point(value, 2) + kUnits[unit];
}

void InfoText::heading(std::string_view name) {
  if (!text_.empty()) text_ += "\r\n";
  text_.append("# ").append(name).append("\r\n");
}

void InfoText::field(std::string_view name, std::string_view value) {
  text_.append(name).append(":").append(value).append("\r\n");
}

void InfoText::field(std::string_view name, std::int64_t value) {
  field(name, std::to_string(value));
}
void InfoText::field(std::string_view name, std::uint64_t value) {
  field(name, std::to_string(value));
}

void InfoText::bytes(std::string_view name, std::uint64_t value) {
  field(name, value);
  field(std::string{name} + "_human", human_bytes(value));
}

}  // namespace fencepost::commands
