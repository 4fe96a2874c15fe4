// Lua's string library; what could run for ever inside one call is written anew.
#include <string>

#include "script/libraries.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

// string.rep(text, count): Lua's own tries until memory is full, and counts to the end even for an
// empty text.
int repeat(lua_State* lua) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  const lua_Number count = luaL_checknumber(lua, 2);
  luaL_Buffer made;
  luaL_buffinit(lua, &made);
  if (size > 0 && count >= 1) {
    const Machine& machine = machine_of(lua);
    if (count * static_cast<lua_Number>(size) > static_cast<lua_Number>(machine.limit)) {
      raise_here(lua, "resulting string too large");
    }
    spend(lua, static_cast<std::uint64_t>(count));
    for (auto left = static_cast<std::uint64_t>(count); left > 0; --left) {
      luaL_addlstring(&made, text, size);
    }
  }
  luaL_pushresult(&made);
  return 1;
}

constexpr luaL_Reg kOwn[] = {{"rep", repeat}, {nullptr, nullptr}};

}  // namespace

void push_string_library(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_string);
  lua_pushliteral(lua, LUA_STRLIBNAME);
  lua_call(lua, 1, 1);
  lua_newtable(lua);
  copy_fields(lua, -2,
              {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper", "find", "gfind",
               "gmatch", "gsub", "match"});
  add_functions(lua, kOwn);
  lua_remove(lua, -2);
}

}  // namespace fencepost::script
