// Requests out of any bytes: the parser must hear the same whole and in pieces, within its limits.
//
//   input = settings cuts "|" bytes
// The first byte chooses the limits; each byte up to the first '|' is the size of one more piece.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "tests/resp/feed.h"

namespace fencepost::resp {
namespace {

RequestLimits limits_from(std::uint8_t choice) {
  RequestLimits limits;
  limits.logged_in = (choice & 1) == 0;
  if ((choice & 2) != 0)
    limits = {.max_arguments = 5, .max_bulk_bytes = 20, .max_inline_bytes = 30};
  return limits;
}

std::vector<std::size_t> cuts_from(std::string_view sizes, std::size_t end) {
  std::vector<std::size_t> cuts;
  std::size_t at = 0;
  for (const char size : sizes) {
    at += static_cast<unsigned char>(size);
    if (at >= end) break;
    cuts.push_back(at);
  }
  return cuts;
}

// A typed line may have as many words as its bytes allow, in words as long as itself.
void check_limits(const Heard& heard, const RequestLimits& limits) {
  const std::size_t most =
      std::max(static_cast<std::size_t>(limits.max_arguments), limits.max_inline_bytes / 2 + 1);
  const std::size_t longest =
      std::max(static_cast<std::size_t>(limits.max_bulk_bytes), limits.max_inline_bytes);
  for (const auto& request : heard.requests) {
    check(!request.empty() && request.size() <= most, "as many arguments as allowed");
    for (const auto& word : request) check(word.size() <= longest, "as long as allowed");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input{reinterpret_cast<const char*>(data) + 1, size - 1};
  const std::size_t bar = input.find('|');
  if (bar == std::string_view::npos) return 0;
  const std::string_view bytes = input.substr(bar + 1);
  const auto limits = limits_from(data[0]);

  const Heard whole = hear(bytes, {}, limits);
  check(hear(bytes, cuts_from(input.substr(0, bar), bytes.size()), limits) == whole,
        "cutting the bytes changes nothing");
  check_limits(whole, limits);
  return 0;
}

}  // namespace fencepost::resp
