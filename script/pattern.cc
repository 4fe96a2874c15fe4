// Lua's patterns, matched with a bound on depth and time.
#include "script/pattern.h"

#include <cctype>

#include "script/machine.h"

namespace fencepost::script {

namespace {

constexpr int kDeepest = 200;
constexpr char kEscape = '%';

unsigned char byte_of(char c) {
  return static_cast<unsigned char>(c);
}

// %a and its like; a letter that names no class stands for itself.
bool class_matches(char c, char name) {
  const int byte = byte_of(c);
  bool matches = false;
  switch (std::tolower(byte_of(name))) {
    case 'a':
      matches = std::isalpha(byte) != 0;
      break;
    case 'c':
      matches = std::iscntrl(byte) != 0;
      break;
    case 'd':
      matches = std::isdigit(byte) != 0;
      break;
    case 'l':
      matches = std::islower(byte) != 0;
      break;
    case 'p':
      matches = std::ispunct(byte) != 0;
      break;
    case 's':
      matches = std::isspace(byte) != 0;
      break;
    case 'u':
      matches = std::isupper(byte) != 0;
      break;
    case 'w':
      matches = std::isalnum(byte) != 0;
      break;
    case 'x':
      matches = std::isxdigit(byte) != 0;
      break;
    case 'z':
      matches = byte == 0;
      break;
    default:
      return name == c;
  }
  return std::isupper(byte_of(name)) != 0 ? !matches : matches;
}

}  // namespace

std::optional<std::size_t> Matcher::match_at(std::size_t from) {
  level_ = 0;
  depth_ = 0;
  return match(from, 0);
}

Matcher::End Matcher::match(std::size_t at, std::size_t item) {
  if (++depth_ > kDeepest) raise_here(lua_, "pattern too complex");
  End end;
  bool loops = true;
  while (loops) {
    spend(lua_);
    loops = false;
    if (item == pattern_.size()) {
      end = at;
      break;
    }
    const char c = pattern_[item];
    const char next = item + 1 < pattern_.size() ? pattern_[item + 1] : '\0';
    if (c == '(') {
      end = next == ')' ? open_capture(at, item + 2, Kind::position)
                        : open_capture(at, item + 1, Kind::open);
    } else if (c == ')') {
      end = close_capture(at, item + 1);
    } else if (c == '$' && item + 1 == pattern_.size()) {
      if (at == text_.size()) end = at;
    } else if (c == kEscape && next == 'b') {
      if (const End behind = match_balanced(at, item + 2)) {
        at = *behind;
        item += 4;
        loops = true;
      }
    } else if (c == kEscape && next == 'f') {
      item += 2;
      if (item >= pattern_.size() || pattern_[item] != '[') {
        raise_here(lua_, "missing '[' after '%f' in pattern");
      }
      const std::size_t behind = end_of_item(item);
      const char before = at == 0 ? '\0' : text_[at - 1];
      const char here = at < text_.size() ? text_[at] : '\0';
      if (!set_matches(before, item, behind - 1) && set_matches(here, item, behind - 1)) {
        item = behind;
        loops = true;
      }
    } else if (c == kEscape && std::isdigit(byte_of(next)) != 0) {
      if (const End behind = match_back_reference(at, next)) {
        at = *behind;
        item += 2;
        loops = true;
      }
    } else {
      const std::size_t behind = end_of_item(item);
      end = match_single(at, item, behind, loops);
      if (loops) {
        ++at;
        item = behind;
      }
    }
  }
  --depth_;
  return end;
}

// One item and what says how often; `loops` when it matched once and the next item is to follow.
Matcher::End Matcher::match_single(std::size_t at, std::size_t item, std::size_t behind,
                                   bool& loops) {
  const char how_often = behind < pattern_.size() ? pattern_[behind] : '\0';
  switch (how_often) {
    case '?':
      if (one_matches(at, item, behind)) {
        if (const End end = match(at + 1, behind + 1)) return end;
      }
      return match(at, behind + 1);
    case '*':
      return match_most(at, item, behind);
    case '+':
      return one_matches(at, item, behind) ? match_most(at + 1, item, behind) : End{};
    case '-':
      return match_fewest(at, item, behind);
    default:
      loops = one_matches(at, item, behind);
      return {};
  }
}

Matcher::End Matcher::match_most(std::size_t at, std::size_t item, std::size_t behind) {
  std::size_t count = 0;
  while (one_matches(at + count, item, behind)) {
    spend(lua_);
    ++count;
  }
  while (true) {
    if (const End end = match(at + count, behind + 1)) return end;
    if (count == 0) return {};
    --count;
  }
}

Matcher::End Matcher::match_fewest(std::size_t at, std::size_t item, std::size_t behind) {
  while (true) {
    if (const End end = match(at, behind + 1)) return end;
    if (!one_matches(at, item, behind)) return {};
    ++at;
  }
}

// %bxy: from an x to the y that balances it.
Matcher::End Matcher::match_balanced(std::size_t at, std::size_t item) {
  if (item + 1 >= pattern_.size()) raise_here(lua_, "unbalanced pattern");
  if (at >= text_.size() || text_[at] != pattern_[item]) return {};
  int open = 1;
  for (std::size_t next = at + 1; next < text_.size(); ++next) {
    spend(lua_);
    if (text_[next] == pattern_[item + 1]) {
      if (--open == 0) return next + 1;
    } else if (text_[next] == pattern_[item]) {
      ++open;
    }
  }
  return {};
}

Matcher::End Matcher::open_capture(std::size_t at, std::size_t item, Kind kind) {
  if (level_ >= kMostCaptures) raise_here(lua_, "too many captures");
  captures_[static_cast<std::size_t>(level_)] = {.begin = at, .size = 0, .kind = kind};
  ++level_;
  const End end = match(at, item);
  if (!end) --level_;
  return end;
}

Matcher::End Matcher::close_capture(std::size_t at, std::size_t item) {
  int open = level_ - 1;
  while (open >= 0 && captures_[static_cast<std::size_t>(open)].kind != Kind::open) --open;
  if (open < 0) raise_here(lua_, "invalid pattern capture");
  Capture& capture = captures_[static_cast<std::size_t>(open)];
  capture.size = at - capture.begin;
  capture.kind = Kind::closed;
  const End end = match(at, item);
  if (!end) capture.kind = Kind::open;
  return end;
}

Matcher::End Matcher::match_back_reference(std::size_t at, char digit) {
  const Capture& capture = captures_[capture_index(digit)];
  const std::string_view wanted = text_.substr(capture.begin, capture.size);
  spend(lua_, capture.size);
  if (text_.substr(at, wanted.size()) != wanted) return {};
  return at + wanted.size();
}

std::size_t Matcher::capture_index(char digit) {
  const int index = digit - '1';
  if (index < 0 || index >= level_ ||
      captures_[static_cast<std::size_t>(index)].kind != Kind::closed) {
    raise_here(lua_, "invalid capture index");
  }
  return static_cast<std::size_t>(index);
}

bool Matcher::one_matches(std::size_t at, std::size_t item, std::size_t behind) {
  if (at >= text_.size()) return false;
  const char c = text_[at];
  switch (pattern_[item]) {
    case '.':
      return true;
    case kEscape:
      return class_matches(c, pattern_[item + 1]);
    case '[':
      return set_matches(c, item, behind - 1);
    default:
      return pattern_[item] == c;
  }
}

// The set from its '[' at `item` to its ']' at `last`.
bool Matcher::set_matches(char c, std::size_t item, std::size_t last) const {
  bool found_means = true;
  if (pattern_[item + 1] == '^') {
    found_means = false;
    ++item;
  }
  while (++item < last) {
    if (pattern_[item] == kEscape) {
      ++item;
      if (class_matches(c, pattern_[item])) return found_means;
    } else if (pattern_[item + 1] == '-' && item + 2 < last) {
      item += 2;
      if (byte_of(pattern_[item - 2]) <= byte_of(c) && byte_of(c) <= byte_of(pattern_[item])) {
        return found_means;
      }
    } else if (pattern_[item] == c) {
      return found_means;
    }
  }
  return !found_means;
}

std::size_t Matcher::end_of_item(std::size_t item) {
  const char c = pattern_[item++];
  if (c == kEscape) {
    if (item >= pattern_.size()) raise_here(lua_, "malformed pattern (ends with '%')");
    return item + 1;
  }
  if (c != '[') return item;
  if (item < pattern_.size() && pattern_[item] == '^') ++item;
  do {  // a ']' that comes first is a member
    if (item >= pattern_.size()) raise_here(lua_, "malformed pattern (missing ']')");
    if (pattern_[item++] == kEscape) ++item;
  } while (item >= pattern_.size() || pattern_[item] != ']');
  return item + 1;
}

void Matcher::push_capture(int number, std::size_t begin, std::size_t end) {
  if (number >= level_) {
    if (number != 0) raise_here(lua_, "invalid capture index");
    return push_text(lua_, text_.substr(begin, end - begin));
  }
  const Capture& capture = captures_[static_cast<std::size_t>(number)];
  switch (capture.kind) {
    case Kind::open:
      raise_here(lua_, "unfinished capture");
    case Kind::position:
      return lua_pushinteger(lua_, static_cast<lua_Integer>(capture.begin + 1));
    case Kind::closed:
      return push_text(lua_, text_.substr(capture.begin, capture.size));
  }
}

int Matcher::push_captures(std::size_t begin, std::size_t end) {
  const int count = level_ == 0 ? 1 : level_;
  luaL_checkstack(lua_, count, "too many captures");
  for (int number = 0; number < count; ++number) push_capture(number, begin, end);
  return count;
}

}  // namespace fencepost::script
