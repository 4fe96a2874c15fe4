// SHA-1 as hex digits: the name a script goes by (EVALSHA). It names things; it guards nothing.
#pragma once

#include <string>
#include <string_view>

namespace fencepost {

// 40 lower-case hex digits.  Source: RFC 3174.
std::string sha1_hex(std::string_view bytes);

}  // namespace fencepost
