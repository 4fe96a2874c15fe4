// check(): a promise the code makes to itself, held in release builds too.
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace fencepost {

void check_failed(std::string_view what, const char* file, int line) {
  std::fprintf(stderr, "fencepost: broken promise at %s:%d: %.*s\n", file, line,
               static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace fencepost
