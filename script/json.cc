// cjson: JSON for scripts, with the behaviour of lua-cjson 2.1, which Redis has. That library
// itself ends the process when memory is short and counts sizes in int, so it is not used.
#include "script/json.h"

#include "script/libraries.h"

namespace fencepost::script {

namespace {

constexpr luaL_Reg kFunctions[] = {
    {"encode", encode_json}, {"decode", decode_json}, {nullptr, nullptr}};

}  // namespace

void push_json_library(lua_State* lua) {
  lua_newtable(lua);
  add_functions(lua, kFunctions);
  lua_pushlightuserdata(lua, nullptr);
  lua_setfield(lua, -2, "null");
  lua_pushliteral(lua, "cjson");
  lua_setfield(lua, -2, "_NAME");
  lua_pushliteral(lua, "2.1.0");
  lua_setfield(lua, -2, "_VERSION");
}

}  // namespace fencepost::script
