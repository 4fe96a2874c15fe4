// check(): a promise the code makes to itself, held in release builds too. Bytes from the wire can
// never break one.
#pragma once

#include <string_view>

namespace fencepost {

[[noreturn]] void check_failed(std::string_view what, const char* file, int line);

inline void check(bool holds, std::string_view what, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  if (!holds) [[unlikely]]
    check_failed(what, file, line);
}

}  // namespace fencepost
