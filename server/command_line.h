// The command line, in Redis's way: an optional config file, then parameters as `--name value ...`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fencepost::server {

// As a line of the config file.
struct Parameter {
  std::string name;
  std::vector<std::string> words;
};

struct CommandLine {
  enum class Wish { serve, help, version };
  Wish wish = Wish::serve;
  std::string config_file;  // empty: none; "-": standard input
  std::vector<Parameter> parameters;
};

//   command line   [config-file] {"--"name {word}} | "-h" | "--help" | "-v" | "--version"
//
// A parameter's value is all words up to the next that begins with "--". `words` are without the
// program's own name.
Result<CommandLine> read_command_line(std::span<const std::string_view> words);

// What --help prints.
std::string help_text();

}  // namespace fencepost::server
