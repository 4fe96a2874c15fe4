// Lua 5.1's own headers, wrapped once.
#pragma once

#include <lua.hpp>
#include <string_view>

namespace fencepost::script {

// The bytes of a string on the stack. A number would be turned into a string in its place.
inline std::string_view text_at(lua_State* lua, int at) {
  std::size_t size = 0;
  const char* bytes = lua_tolstring(lua, at, &size);
  return bytes == nullptr ? std::string_view{} : std::string_view{bytes, size};
}

inline void push_text(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

// As far as C reads it: texts of errors and of status replies end at a zero byte.
inline std::string_view until_zero(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

// The same position counted from the bottom, which pushing does not move.
inline int from_bottom(lua_State* lua, int at) {
  return at > 0 || at <= LUA_REGISTRYINDEX ? at : lua_gettop(lua) + at + 1;
}

}  // namespace fencepost::script
