// The first line of a script that says what it will do: #!lua flags=no-writes,allow-oom
#pragma once

#include <string_view>

#include "base/result.h"

namespace fencepost::commands {

struct Shebang {
  std::string_view
      code;  // what is to be compiled: from the end of the first line on, so that line numbers stay
  bool present = false;
  bool writes_nothing = false;
  bool may_exceed_memory = false;  // flag allow-oom, or it writes nothing
};

// The failure is the whole error text. A script without such a line is all code.
Result<Shebang> read_shebang(std::string_view text);

}  // namespace fencepost::commands
