// Words and patterns: letter case, one-line error texts, glob patterns.
#include "base/text.h"

#include <algorithm>

namespace fencepost {

namespace {

bool same_letter(char a, char b, LetterCase letters) {
  return letters == LetterCase::ignored ? to_lower(a) == to_lower(b) : a == b;
}

bool between(char low, char c, char high, LetterCase letters) {
  if (letters == LetterCase::ignored) {
    low = to_lower(low);
    high = to_lower(high);
    c = to_lower(c);
  }
  const auto order = [](char x) { return static_cast<unsigned char>(x); };
  if (order(low) > order(high)) std::swap(low, high);
  return order(low) <= order(c) && order(c) <= order(high);
}

// Reads the class that begins behind '[' at pattern[at]; leaves `at` behind its ']' (or at the end,
// where Redis lets an unclosed class end).
bool class_matches(std::string_view pattern, std::size_t& at, char c, LetterCase letters) {
  const bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) ++at;
  bool found = false;
  for (; at < pattern.size() && pattern[at] != ']'; ++at) {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      ++at;
      found = found || pattern[at] == c;
    } else if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
      found = found || between(pattern[at], c, pattern[at + 2], letters);
      at += 2;
    } else {
      found = found || same_letter(pattern[at], c, letters);
    }
  }
  if (at < pattern.size()) ++at;
  return found != negated;
}

}  // namespace

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

std::string to_lower(std::string_view text) {
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return to_lower(c); });
  return lower;
}

std::string to_upper(std::string_view text) {
  std::string upper{text};
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return to_upper(c); });
  return upper;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return to_lower(x) == to_lower(y);
         });
}

std::string one_line(std::string_view text) {
  std::string line{text};
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  return line;
}

// One star is remembered at a time: when the rest fails, the latest star takes one byte more. That
// is enough for globs, and it keeps the work at pattern x text instead of exponential
// (CVE-2022-36021, CVE-2024-31228).
bool glob_matches(std::string_view pattern, std::string_view text, LetterCase letters) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    bool matched = false;
    std::size_t next = p;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    if (p < pattern.size()) {
      next = p + 1;
      if (pattern[p] == '?') {
        matched = true;
      } else if (pattern[p] == '[') {
        matched = class_matches(pattern, next, text[t], letters);
      } else {
        if (pattern[p] == '\\' && next < pattern.size()) ++next;
        matched = same_letter(pattern[next - 1], text[t], letters);
      }
    }
    if (matched) {
      p = next;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string quoted(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : bytes) {
    switch (c) {
      case '\\':
        text += "\\\\";
        break;
      case '"':
        text += "\\\"";
        break;
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      case '\a':
        text += "\\a";
        break;
      case '\b':
        text += "\\b";
        break;
      default:
        if (c >= ' ' && c <= '~') {
          text += c;
        } else {
          const auto byte = static_cast<unsigned char>(c);
          text += "\\x";
          text += kHex[byte >> 4];
          text += kHex[byte & 15];
        }
    }
  }
  return text += '"';
}

}  // namespace fencepost
