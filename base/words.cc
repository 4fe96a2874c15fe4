// Lines of text into words, with quotes.
#include "base/words.h"

#include <optional>
#include <utility>

namespace fencepost {

namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// What ends a bare word; the two rarer spaces (\v, \f) do not.
bool ends_word(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Undoes the escape whose backslash is at line[at] and whose next character exists; leaves `at`
// behind it.
char unescape(std::string_view line, std::size_t& at) {
  const char c = line[at + 1];
  if (c == 'x' && at + 3 < line.size()) {
    const int high = hex_digit(line[at + 2]);
    const int low = hex_digit(line[at + 3]);
    if (high >= 0 && low >= 0) {
      at += 4;
      return static_cast<char>(high * 16 + low);
    }
  }
  at += 2;
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return c;
  }
}

// Reads the rest of a quoted part, whose opening quote is at line[at], onto `word`; leaves `at`
// behind the closing quote. False when it does not close, or when more than space follows.
bool read_quoted(std::string_view line, std::size_t& at, std::string& word) {
  const char quote = line[at++];
  while (at < line.size() && line[at] != quote) {
    const bool has_next = at + 1 < line.size();
    if (line[at] == '\\' && has_next && quote == '"') {
      word += unescape(line, at);
    } else if (line[at] == '\\' && has_next && line[at + 1] == quote) {
      word += quote;
      at += 2;
    } else {
      word += line[at++];
    }
  }
  if (at == line.size()) return false;
  ++at;
  return at == line.size() || is_space(line[at]);
}

// One word from the front of line.substr(at), which begins with no space. Nothing when its quotes
// do not balance.
std::optional<std::string> read_word(std::string_view line, std::size_t& at) {
  std::string word;
  while (at < line.size() && !ends_word(line[at])) {
    if (line[at] == '"' || line[at] == '\'') {
      if (!read_quoted(line, at, word)) return std::nullopt;
      break;
    }
    word += line[at++];
  }
  return word;
}

}  // namespace

bool split_words(std::string_view line, std::vector<std::string>& words) {
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_space(line[at])) ++at;
    if (at == line.size()) return true;
    std::optional<std::string> word = read_word(line, at);
    if (!word) return false;
    words.push_back(std::move(*word));
  }
}

}  // namespace fencepost
