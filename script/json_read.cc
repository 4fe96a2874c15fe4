// cjson.decode: JSON as values, as lua-cjson 2.1 reads it with its default settings.
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "script/json.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

enum class Token {
  object,
  object_end,
  array,
  array_end,
  string,
  number,
  boolean,
  null,
  colon,
  comma,
  end,
  error
};

std::string_view name_of(Token token) {
  switch (token) {
    case Token::object:
      return "T_OBJ_BEGIN";
    case Token::object_end:
      return "T_OBJ_END";
    case Token::array:
      return "T_ARR_BEGIN";
    case Token::array_end:
      return "T_ARR_END";
    case Token::string:
      return "T_STRING";
    case Token::number:
      return "T_NUMBER";
    case Token::boolean:
      return "T_BOOLEAN";
    case Token::null:
      return "T_NULL";
    case Token::colon:
      return "T_COLON";
    case Token::comma:
      return "T_COMMA";
    case Token::end:
      return "T_END";
    case Token::error:
      return "T_ERROR";
  }
  return "T_UNKNOWN";
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      add(0xE0 | (code >> 12));
    } else {
      add(0xF0 | (code >> 18));
      add(0x80 | ((code >> 12) & 0x3F));
    }
    add(0x80 | ((code >> 6) & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

class Decoder {
 public:
  Decoder(lua_State* lua, std::string_view text)
      : lua_{lua}, settings_{machine_of(lua).json}, text_{text} {}

  // Pushes the value that the whole text is.
  void push_all() {
    next();
    push_value(0);
    next();
    if (token_ != Token::end) refuse("the end");
  }

 private:
  [[noreturn]] void refuse(std::string_view expected) {
    const std::string_view found = token_ == Token::error ? fault_ : name_of(token_);
    raise_here(
        lua_, fmt::format("Expected {} but found {} at character {}", expected, found, begin_ + 1));
  }

  void fail(std::string_view why) {
    token_ = Token::error;
    fault_ = why;
  }

  // Reads the next token.
  void next() {
    spend(lua_);
    while (at_ < text_.size() &&
           std::string_view{" \t\n\r"}.find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
    begin_ = at_;
    if (at_ == text_.size()) {
      token_ = Token::end;
      return;
    }
    const char c = text_[at_];
    constexpr std::string_view kSigns = "{}[]:,";
    constexpr Token kTokens[] = {Token::object,    Token::object_end, Token::array,
                                 Token::array_end, Token::colon,      Token::comma};
    if (const std::size_t sign = kSigns.find(c); sign != std::string_view::npos) {
      ++at_;
      token_ = kTokens[sign];
    } else if (c == '"') {
      ++at_;
      read_string();
    } else if (read_word("true") || read_word("false")) {
      token_ = Token::boolean;
      truth_ = c == 't';
    } else if (read_word("null")) {
      token_ = Token::null;
    } else {
      read_number();
    }
  }

  bool read_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  // As strtod does, which takes inf, nan and hexadecimal numbers too, once it looks like a number.
  void read_number() {
    const std::string digits{text_.substr(at_, 64)};
    const char first = digits[0];
    const bool looks_like_one = first == '-' || first == '+' || (first >= '0' && first <= '9') ||
                                first == 'i' || first == 'I' || first == 'n' || first == 'N';
    if (settings_.decode_invalid == 0 && looks_like_one && is_invalid(digits)) {
      return fail(first == 'i' || first == 'I' || first == 'n' || first == 'N' ? "invalid token"
                                                                               : "invalid number");
    }
    char* behind = nullptr;
    const double number = looks_like_one ? std::strtod(digits.c_str(), &behind) : 0;
    if (behind == nullptr) return fail("invalid token");
    if (behind == digits.c_str()) {
      return fail(first == '-' || first == '+' ? "invalid number" : "invalid token");
    }
    at_ += static_cast<std::size_t>(behind - digits.c_str());
    token_ = Token::number;
    number_ = number;
  }

  // What strtod takes and JSON has not: a plus, hexadecimal digits, a zero in front, inf and nan.
  static bool is_invalid(std::string_view digits) {
    if (digits.starts_with('+')) return true;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!digits.starts_with('0')) return digits.empty() || !is_digit(digits[0]);
    const char second = digits.size() > 1 ? digits[1] : ' ';
    return is_digit(second) || second == 'x' || second == 'X';
  }

  void read_string() {
    string_.clear();
    token_ = Token::string;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\0') {
      const char c = text_[at_];
      if (c != '\\') {
        string_ += c;
        ++at_;
      } else if (!read_escape()) {
        return;
      }
    }
    if (at_ == text_.size() || text_[at_] == '\0') {
      begin_ = at_;
      return fail("unexpected end of string");
    }
    spend(lua_, string_.size() / 16);
    ++at_;
  }

  bool read_escape() {
    constexpr std::string_view kLetters = "\"\\/btnfr";
    constexpr std::string_view kMeant = "\"\\/\b\t\n\f\r";
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (letter == 'u') return read_unicode();
    const std::size_t which = kLetters.find(letter);
    if (letter == '\0' || which == std::string_view::npos) {
      begin_ = at_;
      fail("invalid escape code");
      return false;
    }
    string_ += kMeant[which];
    at_ += 2;
    return true;
  }

  // \uXXXX, or two of them for one character beyond the first plane.
  bool read_unicode() {
    const int first = hex_at(at_ + 2);
    int code = first;
    std::size_t size = 6;
    if (first >= 0xD800 && first < 0xE000) {
      const int second = text_.substr(at_ + 6, 2) == "\\u" ? hex_at(at_ + 8) : -1;
      code = first < 0xDC00 && second >= 0xDC00 && second < 0xE000
                 ? 0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF)
                 : -1;
      size = 12;
    }
    if (code < 0) {
      begin_ = at_;
      fail("invalid unicode escape code");
      return false;
    }
    append_utf8(string_, static_cast<std::uint32_t>(code));
    at_ += size;
    return true;
  }

  int hex_at(std::size_t at) const {
    int value = 0;
    for (std::size_t digit = at; digit < at + 4; ++digit) {
      const char c = digit < text_.size() ? text_[digit] : 'x';
      if (c >= '0' && c <= '9') {
        value = value * 16 + (c - '0');
      } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
        value = value * 16 + ((c | 0x20) - 'a' + 10);
      } else {
        return -1;
      }
    }
    return value;
  }

  // The token that was read begins a value.
  void push_value(int depth) {
    switch (token_) {
      case Token::string:
        return push_text(lua_, string_);
      case Token::number:
        return lua_pushnumber(lua_, number_);
      case Token::boolean:
        return lua_pushboolean(lua_, truth_ ? 1 : 0);
      case Token::null:
        return lua_pushlightuserdata(lua_, nullptr);
      case Token::object:
        return push_object(deeper(depth));
      case Token::array:
        return push_array(deeper(depth));
      case Token::object_end:
      case Token::array_end:
      case Token::colon:
      case Token::comma:
      case Token::end:
      case Token::error:
        refuse("value");
    }
  }

  int deeper(int depth) {
    if (depth < settings_.decode_depth && lua_checkstack(lua_, 4) != 0) return depth + 1;
    raise_here(lua_, fmt::format("Found too many nested data structures ({}) at character {}",
                                 depth + 1, at_));
  }

  void push_object(int depth) {
    lua_newtable(lua_);
    next();
    if (token_ == Token::object_end) return;
    while (true) {
      if (token_ != Token::string) refuse("object key string");
      push_text(lua_, string_);
      next();
      if (token_ != Token::colon) refuse("colon");
      next();
      push_value(depth);
      lua_rawset(lua_, -3);
      next();
      if (token_ == Token::object_end) return;
      if (token_ != Token::comma) refuse("comma or object end");
      next();
    }
  }

  void push_array(int depth) {
    lua_newtable(lua_);
    next();
    if (token_ == Token::array_end) return;
    for (int at = 1;; ++at) {
      push_value(depth);
      lua_rawseti(lua_, -2, at);
      next();
      if (token_ == Token::array_end) return;
      if (token_ != Token::comma) refuse("comma or array end");
      next();
    }
  }

  lua_State* lua_;
  const JsonSettings& settings_;
  std::string_view text_;
  std::size_t at_ = 0;
  // the token that was read last
  Token token_ = Token::end;
  std::size_t begin_ = 0;
  std::string string_;
  double number_ = 0;
  bool truth_ = false;
  std::string_view fault_;
};

}  // namespace

int decode_json(lua_State* lua) {
  luaL_argcheck(lua, lua_gettop(lua) == 1, 1, "expected 1 argument");
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  Decoder{lua, {text, size}}.push_all();
  return 1;
}

}  // namespace fencepost::script
