// The libraries that scripts see. Each function pushes one table of functions that may be given to
// them as it is, or adds to the table on top.
#pragma once

#include "script/lua.h"

namespace fencepost::script {

// Adds assert, error, ... to the table on top: what of Lua's base library is safe, some of it
// written anew.
void add_base_library(lua_State* lua);
void push_string_library(lua_State* lua);
void push_table_library(lua_State* lua);
void push_math_library(lua_State* lua);
void push_os_library(lua_State* lua);       // os.clock alone
void push_json_library(lua_State* lua);     // cjson
void push_msgpack_library(lua_State* lua);  // cmsgpack
void push_struct_library(lua_State* lua);
void push_bit_library(lua_State* lua);
void push_redis_library(lua_State* lua);  // redis.call and its companions

// Adds functions to the table on top.
void add_functions(lua_State* lua, const luaL_Reg* functions);
// Copies the named fields from the table at `from` to the table on top.
void copy_fields(lua_State* lua, int from, std::initializer_list<const char*> names);

}  // namespace fencepost::script
