// The lines of INFO: headings, fields, numbers as Redis prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fencepost::commands {

// `value` with so many digits behind the point.
std::string fixed_point(double value, int digits);
// a / b; 0 when b is 0.
double ratio(std::uint64_t a, std::uint64_t b);
// 943B, 943.10K, 11.69M, 23.54G.
std::string human_bytes(std::uint64_t bytes);

class InfoText {
 public:
  // "# Server"; an empty line in front of all but the first.
  void heading(std::string_view name);
  void field(std::string_view name, std::string_view value);
  void field(std::string_view name, std::int64_t value);
  void field(std::string_view name, std::uint64_t value);
  void field(std::string_view name, int value) { field(name, std::int64_t{value}); }
  // The field, and `name`_human with it.
  void bytes(std::string_view name, std::uint64_t value);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace fencepost::commands
