// Replies into Lua's values.
#include <cstdlib>

#include "base/check.h"
#include "base/number.h"
#include "script/machine.h"
#include "script/values.h"

namespace fencepost::script {

namespace {

// Reads a reply from its first byte on; the bytes come from our own writer, so they are whole and
// well formed.
class Reader {
 public:
  Reader(lua_State* lua, std::string_view bytes) : lua_{lua}, rest_{bytes} {}

  void push_one() {
    check(!rest_.empty(), "a reply does not end within a value");
    luaL_checkstack(lua_, 6, "the reply is nested too deeply");
    const char type = rest_.front();
    rest_.remove_prefix(1);
    switch (type) {
      case '+':
        return push_field("ok", line());
      case '-':
        push_field("err", line());
        lua_pushboolean(lua_, 1);
        return lua_setfield(lua_, -2, "ignore_error_stats_update");
      case ':':
        return lua_pushnumber(lua_, static_cast<lua_Number>(number()));
      case '$':
        return push_bulk();
      case '*':
      case '>':
        return push_array();
      case '%':
        return push_map();
      case '~':
        return push_set();
      case '_':
        line();
        return lua_pushnil(lua_);
      case '#':
        return lua_pushboolean(lua_, line() == "t");
      case ',':
        return push_real();
      case '(':
        return push_field("big_number", line());
      case '=':
        return push_verbatim();
      default:
        check(false, "a reply is of a type that replies have");
    }
  }

 private:
  std::string_view line() {
    const std::size_t end = rest_.find('\r');
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 2);
    return text;
  }
  std::int64_t number() { return parse_integer(line()).value_or(0); }
  std::string_view bytes(std::size_t size) {
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size + 2);
    return text;
  }

  void push_field(const char* name, std::string_view text) {
    lua_createtable(lua_, 0, 1);
    push_text(lua_, text);
    lua_setfield(lua_, -2, name);
  }

  void push_bulk() {
    const std::int64_t size = number();
    if (size < 0) return lua_pushboolean(lua_, 0);
    push_text(lua_, bytes(static_cast<std::size_t>(size)));
  }

  void push_array() {
    const std::int64_t count = number();
    if (count < 0) return lua_pushboolean(lua_, 0);
    lua_createtable(lua_, static_cast<int>(count), 0);
    for (std::int64_t at = 1; at <= count; ++at) {
      push_one();
      lua_rawseti(lua_, -2, static_cast<int>(at));
    }
  }

  void push_map() {
    open_table("map");
    for (std::int64_t left = number(); left > 0; --left) {
      push_one();
      push_one();
      lua_rawset(lua_, -3);
    }
    lua_rawset(lua_, -3);
  }

  void push_set() {
    open_table("set");
    for (std::int64_t left = number(); left > 0; --left) {
      push_one();
      lua_pushboolean(lua_, 1);
      lua_rawset(lua_, -3);
    }
    lua_rawset(lua_, -3);
  }

  void push_real() {
    lua_createtable(lua_, 0, 1);
    lua_pushnumber(lua_, std::strtod(std::string{line()}.c_str(), nullptr));
    lua_setfield(lua_, -2, "double");
  }

  // txt:the text
  void push_verbatim() {
    const std::string_view text = bytes(static_cast<std::size_t>(number()));
    open_table("verbatim_string");
    push_text(lua_, text.substr(0, 3));
    lua_setfield(lua_, -2, "format");
    push_text(lua_, text.substr(4));
    lua_setfield(lua_, -2, "string");
    lua_rawset(lua_, -3);
  }

  // A table, and the table of its one field, to be filled: rawset(-3) puts it in.
  void open_table(const char* name) {
    lua_createtable(lua_, 0, 1);
    lua_pushstring(lua_, name);
    lua_newtable(lua_);
  }

  lua_State* lua_;
  std::string_view rest_;
};

}  // namespace

void push_reply(lua_State* lua, std::string_view reply) {
  Reader{lua, reply}.push_one();
}

}  // namespace fencepost::script
