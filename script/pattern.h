// Lua's patterns (%a, [set], *, +, -, ?, %b, %f, captures), matched with a bound on depth and time.
// Source: Lua 5.1 reference manual, section 5.4.1.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "script/lua.h"

namespace fencepost::script {

// Lua 5.1's own matcher recurses without a limit and cannot be ended; this one raises an error for
// a pattern that nests too deeply, and spends the script's time step by step. Positions are offsets
// into the text.
class Matcher {
 public:
  static constexpr int kMostCaptures = 32;

  Matcher(lua_State* lua, std::string_view text, std::string_view pattern)
      : lua_{lua}, text_{text}, pattern_{pattern} {}

  // Where a match that begins at `from` ends.
  std::optional<std::size_t> match_at(std::size_t from);

  int capture_count() const { return level_; }
  // Pushes a capture; without captures in the pattern, number 0 is the whole match.
  void push_capture(int number, std::size_t begin, std::size_t end);
  // Pushes all of them, or the whole match when there are none; how many.
  int push_captures(std::size_t begin, std::size_t end);

 private:
  using End = std::optional<std::size_t>;
  enum class Kind { open, closed, position };
  struct Capture {
    std::size_t begin = 0;
    std::size_t size = 0;
    Kind kind = Kind::open;
  };

  End match(std::size_t at, std::size_t item);
  End match_single(std::size_t at, std::size_t item, std::size_t behind, bool& loops);
  End match_most(std::size_t at, std::size_t item, std::size_t behind);
  End match_fewest(std::size_t at, std::size_t item, std::size_t behind);
  End match_balanced(std::size_t at, std::size_t item);
  End open_capture(std::size_t at, std::size_t item, Kind kind);
  End close_capture(std::size_t at, std::size_t item);
  End match_back_reference(std::size_t at, char digit);

  bool one_matches(std::size_t at, std::size_t item, std::size_t behind);
  bool set_matches(char c, std::size_t item, std::size_t last) const;
  std::size_t end_of_item(std::size_t item);
  std::size_t capture_index(char digit);

  lua_State* lua_;
  std::string_view text_;
  std::string_view pattern_;
  int level_ = 0;
  int depth_ = 0;
  std::array<Capture, kMostCaptures> captures_{};
};

}  // namespace fencepost::script
