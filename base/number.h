// Numbers from the wire: one strict reader and one checked arithmetic for all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fencepost {

// A whole number exactly as Redis takes it: optional '-', no '+', no leading zeros, no spaces, in
// range of int64.
std::optional<std::int64_t> parse_integer(std::string_view text);
// The same for uint64 (scan cursors).
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
// A floating-point number as Redis takes it: the whole text, finite or inf, not nan, no surrounding
// space.
std::optional<long double> parse_real(std::string_view text);
// The same as a double: what a score is.
std::optional<double> parse_double(std::string_view text);

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b);

// Appends the decimal form. No locale, no allocation beyond the string's own growth.
void append_integer(std::string& out, std::int64_t value);
void append_unsigned(std::string& out, std::uint64_t value);

// As printf's %.17g prints it, whatever the locale; a nan has no sign. Needs room for 32
// characters.
std::string_view print_double(double value, std::span<char> into);

// How Redis prints the result of INCRBYFLOAT: up to 17 digits after the point, trailing zeros cut.
std::string format_real(long double value);

}  // namespace fencepost
