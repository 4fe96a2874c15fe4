// The printed parts of redis-compat.md: every row and every parameter without effect, in Markdown.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fencepost::commands {

// A heading a group, a table under each: the command with its arguments, what it is to Redis's, the
// note.
std::string commands_in_markdown();
// The parameters that are accepted and do nothing, with the value that stands for "not set".
std::string parameters_in_markdown();

// The document with both parts printed anew. Each stands between two lines:
//   <!-- printed by ./dev docs: commands -->  ...  <!-- end -->
//   <!-- printed by ./dev docs: parameters -->  ...  <!-- end -->
Result<std::string> printed_anew(std::string_view document);

}  // namespace fencepost::commands
