// cjson.encode: values as JSON, as lua-cjson 2.1 writes them with its default settings.
#include <cmath>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "script/json.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

class Encoder {
 public:
  explicit Encoder(lua_State* lua) : lua_{lua}, settings_{machine_of(lua).json} {}

  const std::string& text() const { return out_; }

  // Writes the value on top, and leaves it there.
  void write_top(int depth) {
    spend(lua_);
    refuse_beyond_memory(lua_, out_.size());
    luaL_checkstack(lua_, 6, "too many nested tables");
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        return write_string(text_at(lua_, -1));
      case LUA_TNUMBER:
        return write_number(lua_tonumber(lua_, -1));
      case LUA_TBOOLEAN:
        out_ += lua_toboolean(lua_, -1) != 0 ? "true" : "false";
        return;
      case LUA_TNIL:
        out_ += "null";
        return;
      case LUA_TLIGHTUSERDATA:
        out_ += "null";
        return;
      case LUA_TTABLE:
        return write_table(depth + 1);
      default:
        refuse("type not supported");
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view why) {
    raise_here(lua_, fmt::format("Cannot serialise {}: {}", luaL_typename(lua_, -1), why));
  }

  void write_string(std::string_view text) {
    spend(lua_, text.size() / 16);
    refuse_beyond_memory(lua_, out_.size() + text.size());
    out_ += '"';
    for (const char c : text) write_char(c);
    out_ += '"';
  }

  void write_char(char c) {
    constexpr std::string_view kPlain = "\"\\/\b\t\n\f\r";
    constexpr std::string_view kEscaped = "\"\\/btnfr";
    const std::size_t at = kPlain.find(c);
    const auto byte = static_cast<unsigned char>(c);
    if (at != std::string_view::npos) {
      out_ += '\\';
      out_ += kEscaped[at];
    } else if (byte < 0x20 || byte == 0x7F) {
      out_ += fmt::format("\\u{:04x}", byte);
    } else {
      out_ += c;
    }
  }

  void write_number(lua_Number number) {
    if (!std::isfinite(number)) {
      if (settings_.encode_invalid == 0) refuse("must not be NaN or Inf");
      if (settings_.encode_invalid == 2) {
        out_ += "null";
        return;
      }
      if (std::isnan(number)) {
        out_ += "nan";
        return;
      }
    }
    char digits[32];
    const int size = std::snprintf(digits, sizeof digits, "%.*g", settings_.precision, number);
    out_.append(digits, static_cast<std::size_t>(size));
  }

  void write_table(int depth) {
    if (depth > settings_.encode_depth) {
      raise_here(lua_, fmt::format("Cannot serialise, excessive nesting ({})", depth));
    }
    const int length = length_of_array();
    if (length > 0) return write_array(length, depth);
    write_object(depth);
  }

  // -1 for a table that has keys which are no positive whole numbers.
  int length_of_array() {
    constexpr std::int32_t kTooFar = INT32_MIN;  // as lua-cjson has it, which counts in int
    std::int32_t length = 0;
    double count = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      spend(lua_);
      const lua_Number key = lua_type(lua_, -2) == LUA_TNUMBER ? lua_tonumber(lua_, -2) : 0;
      if (!(key >= 1 && std::floor(key) == key)) {
        lua_pop(lua_, 2);
        return -1;
      }
      if (key > length) length = key <= INT32_MAX ? static_cast<std::int32_t>(key) : kTooFar;
      ++count;
      lua_pop(lua_, 1);
    }
    if (settings_.sparse_ratio > 0 && length > settings_.sparse_safe &&
        length > count * settings_.sparse_ratio) {
      if (settings_.sparse_as_object == 0) refuse("excessively sparse array");
      return -1;
    }
    return length;
  }

  void write_array(int length, int depth) {
    out_ += '[';
    for (int at = 1; at <= length; ++at) {
      if (at > 1) out_ += ',';
      lua_rawgeti(lua_, -1, at);
      write_top(depth);
      lua_pop(lua_, 1);
    }
    out_ += ']';
  }

  void write_object(int depth) {
    out_ += '{';
    bool first = true;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      if (!first) out_ += ',';
      first = false;
      write_key();
      out_ += ':';
      write_top(depth);
      lua_pop(lua_, 1);
    }
    out_ += '}';
  }

  void write_key() {
    switch (lua_type(lua_, -2)) {
      case LUA_TNUMBER:
        out_ += '"';
        write_number(lua_tonumber(lua_, -2));
        out_ += '"';
        return;
      case LUA_TSTRING:
        return write_string(text_at(lua_, -2));
      default:
        lua_pop(lua_, 1);
        refuse("table key must be a number or string");
    }
  }

  lua_State* lua_;
  const JsonSettings& settings_;
  std::string out_;
};

}  // namespace

int encode_json(lua_State* lua) {
  luaL_argcheck(lua, lua_gettop(lua) == 1, 1, "expected 1 argument");
  Encoder encoder{lua};
  encoder.write_top(0);
  push_text(lua, encoder.text());
  return 1;
}

}  // namespace fencepost::script
