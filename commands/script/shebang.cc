// The first line of a script that says what it will do.
//
//   line   = "#!lua" *( 1*SP option )
//   option = "flags=" [ flag *( "," flag ) ]
#include "commands/script/shebang.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace fencepost::commands {

namespace {

constexpr std::array<std::string_view, 5> kFlags{"no-writes", "allow-oom", "allow-stale",
                                                 "no-cluster", "allow-cross-slot-keys"};

// Takes the part up to `end` off the front of `rest`.
std::string_view take(std::string_view& rest, char end) {
  const std::size_t at = std::min(rest.find(end), rest.size());
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return part;
}

Result<void> read_flags(std::string_view flags, Shebang& shebang) {
  while (!flags.empty()) {
    const std::string_view flag = take(flags, ',');
    if (flag.empty()) continue;
    if (std::find(kFlags.begin(), kFlags.end(), flag) == kFlags.end()) {
      return failure(fmt::format("ERR Unexpected flag in script shebang: {}", flag));
    }
    if (flag == "no-writes") shebang.writes_nothing = true;
    if (flag == "no-writes" || flag == "allow-oom") shebang.may_exceed_memory = true;
  }
  return {};
}

}  // namespace

Result<Shebang> read_shebang(std::string_view text) {
  constexpr std::string_view kOption = "flags=";
  if (!text.starts_with("#!")) return Shebang{.code = text};
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return failure("ERR Invalid script shebang");
  std::string_view line = text.substr(0, end);
  const std::string_view engine = take(line, ' ');
  if (engine != "#!lua") {
    return failure(fmt::format("ERR Unexpected engine in script shebang: {}", engine));
  }
  Shebang shebang{.code = text.substr(end), .present = true};
  while (!line.empty()) {
    const std::string_view option = take(line, ' ');
    if (option.empty()) continue;
    if (!option.starts_with(kOption)) {
      return failure(fmt::format("ERR Unknown lua shebang option: {}", option));
    }
    if (auto read = read_flags(option.substr(kOption.size()), shebang); !read) {
      return failure(read.error().what);
    }
  }
  return shebang;
}

}  // namespace fencepost::commands
