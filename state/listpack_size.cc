// How many bytes Redis's listpack takes.
#include "state/listpack_size.h"

#include "base/number.h"

namespace fencepost::state {

namespace {

// Behind each member stands how long it is, seven bits a byte.
std::size_t with_length_behind(std::size_t bytes) {
  if (bytes <= 127) return bytes + 1;
  if (bytes < 16383) return bytes + 2;
  if (bytes < 2097151) return bytes + 3;
  if (bytes < 268435455) return bytes + 4;
  return bytes + 5;
}

bool has_bits(std::int64_t number, int bits) {
  const std::int64_t end = std::int64_t{1} << (bits - 1);
  return number >= -end && number < end;
}

}  // namespace

std::size_t listpack_bytes(std::int64_t number) {
  if (number >= 0 && number <= 127) return with_length_behind(1);
  if (has_bits(number, 13)) return with_length_behind(2);
  if (has_bits(number, 16)) return with_length_behind(3);
  if (has_bits(number, 24)) return with_length_behind(4);
  if (has_bits(number, 32)) return with_length_behind(5);
  return with_length_behind(9);
}

std::size_t listpack_bytes(std::string_view text) {
  if (const auto number = parse_integer(text)) return listpack_bytes(*number);
  if (text.size() < 64) return with_length_behind(1 + text.size());
  if (text.size() < 4096) return with_length_behind(2 + text.size());
  return with_length_behind(5 + text.size());
}

}  // namespace fencepost::state
