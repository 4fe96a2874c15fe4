// The command line, in Redis's way: an optional config file, then parameters as `--name value ...`.
#pragma once

#include <cstdint>
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
  enum class Wish { serve, help, version, check, repair };
  Wish wish = Wish::serve;
  std::string folder;       // of --check and --repair
  std::string config_file;  // empty: none; "-": standard input
  std::vector<Parameter> parameters;
  // --raise-floor: fences are to go on above this number; 0: above what they are, by a million.
  std::optional<std::uint64_t> raise_floor;
};

//   command line   [config-file] {"--"name {word} | "--raise-floor" [number]} | "-h" | "--help" |
//   "-v" | "--version"
//                  | ("--check" | "--repair") folder
//
// A parameter's value is all words up to the next that begins with "--". `words` are without the
// program's own name.
Result<CommandLine> read_command_line(std::span<const std::string_view> words);

// What --help prints.
std::string help_text();

}  // namespace fencepost::server
