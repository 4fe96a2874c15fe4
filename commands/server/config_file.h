// Config files in Redis's format: a line a parameter, `name word [word ...]`; words may be quoted;
// # begins a comment line. As text in and text out: reading and writing the file is for whoever
// owns the disk.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "commands/server/settings.h"

namespace fencepost::commands {

// Sets everything the text names. The failure says in which line: "line 3: unknown parameter
// 'portt'".
Result<void> apply_config(std::string_view text, Settings& settings);

// The text with the settings of now, for CONFIG REWRITE: comments, order and lines that still say
// the truth stay as they are; a parameter that says something else is changed where it stands; what
// is not the default and not named yet is added at the end. Applied to fresh settings, the result
// gives these settings.
std::string rewritten_config(std::string_view text, const Settings& settings);

}  // namespace fencepost::commands
