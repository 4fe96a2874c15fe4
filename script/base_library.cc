// Lua's base library, without what reaches out of the sandbox: the parts that are safe as they are,
// and those that had to be written anew.
#include <cstdio>
#include <string>

#include "script/guard.h"
#include "script/libraries.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

// --- errors ------------------------------------------------------------------------------------

// A script that was ended must not go on in the arms of its pcall.
void end_if_ended(lua_State* lua) {
  const Machine& machine = machine_of(lua);
  if (machine.ended) raise(lua, machine.end_reason);
}

// As Redis: of a table with an `err` field, pcall hands on that field alone.
void unwrap_error(lua_State* lua) {
  if (!lua_istable(lua, -1)) return;
  lua_pushliteral(lua, "err");
  lua_rawget(lua, -2);
  if (lua_isnil(lua, -1)) return lua_pop(lua, 1);
  lua_remove(lua, -2);
}

int protected_call(lua_State* lua) {
  if (lua_gettop(lua) == 0) lua_pushnil(lua);
  spend(lua, 100);  // an error costs as much as many instructions
  const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  end_if_ended(lua);
  if (status != 0) unwrap_error(lua);
  lua_pushboolean(lua, status == 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

// Upvalue: the script's handler. While an error of the hook is handled Lua calls no hook, so a
// handler that ran then could not be ended any more.
int handle_unless_ended(lua_State* lua) {
  if (machine_of(lua).ended) return 1;
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, 1, 1);
  return 1;
}

int protected_call_with_handler(lua_State* lua) {
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  lua_pushcclosure(lua, handle_unless_ended, 1);
  lua_insert(lua, 1);  // the handler below the function
  spend(lua, 100);
  const int status = lua_pcall(lua, 0, LUA_MULTRET, 1);
  end_if_ended(lua);
  lua_pushboolean(lua, status == 0);
  lua_replace(lua, 1);
  return lua_gettop(lua);
}

// --- compiling: text only ----------------------------------------------------------------------

// load() answers nil and the error that is on top.
int refuse_to_load(lua_State* lua) {
  end_if_ended(lua);
  lua_pushnil(lua);
  lua_insert(lua, -2);
  return 2;
}

// Compiled code could do anything to the interpreter. Behind a space it is text, and no valid one.
int load_text(lua_State* lua, std::string_view text, const char* name) {
  std::string behind_space;
  if (text.starts_with(LUA_SIGNATURE[0])) text = behind_space.append(" ").append(text);
  if (luaL_loadbuffer(lua, text.data(), text.size(), name) == 0) return 1;
  return refuse_to_load(lua);
}

int load_string(lua_State* lua) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  return load_text(lua, {text, size}, luaL_optstring(lua, 2, text));
}

// The pieces are fetched before the parser begins, for Lua 5.1's own way of fetching them while it
// parses has let scripts free memory under it (CVE-2025-49844).
int load_pieces(lua_State* lua) {
  const char* name = luaL_optstring(lua, 2, "=(load)");
  luaL_checktype(lua, 1, LUA_TFUNCTION);
  lua_settop(lua, 2);
  luaL_Buffer pieces;
  luaL_buffinit(lua, &pieces);
  std::size_t size = 0;
  while (true) {
    spend(lua, 100);
    lua_pushvalue(lua, 1);
    if (lua_pcall(lua, 0, 1, 0) != 0) return refuse_to_load(lua);
    if (lua_isnil(lua, -1)) break;
    if (lua_isstring(lua, -1) == 0) {
      lua_pushliteral(lua, "reader function must return a string");
      return refuse_to_load(lua);
    }
    size = lua_objlen(lua, -1);
    if (size == 0) break;
    luaL_addvalue(&pieces);
  }
  lua_pop(lua, 1);
  luaL_pushresult(&pieces);
  return load_text(lua, text_at(lua, -1), name);
}

// --- tables and metatables ---------------------------------------------------------------------

int next_field(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 2);
  see_through(lua, 1);
  if (lua_next(lua, 1) != 0) return 2;
  lua_pushnil(lua);
  return 1;
}

int pairs(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_pushcfunction(lua, next_field);
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

int raw_get(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  see_through(lua, 1);
  lua_rawget(lua, 1);
  return 1;
}

int raw_set(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  luaL_checkany(lua, 3);
  refuse_guarded(lua, 1);
  lua_settop(lua, 3);
  lua_rawset(lua, 1);
  return 1;
}

int get_metatable(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (is_guarded(lua, 1)) {
    push_shown_metatable(lua, 1);
  } else if (lua_getmetatable(lua, 1) == 0) {
    lua_pushnil(lua);
  } else {
    luaL_getmetafield(lua, 1, "__metatable");  // pushes nothing when there is none
  }
  return 1;
}

int set_metatable(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  const int type = lua_type(lua, 2);
  luaL_argcheck(lua, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table expected");
  refuse_guarded(lua, 1);
  if (luaL_getmetafield(lua, 1, "__metatable") != 0) {
    raise_here(lua, "cannot change a protected metatable");
  }
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

// Lua 5.1's own counts the results in an int that a script can make wrap round (CVE-2025-46817).
int unpack(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  const long long first = luaL_optint(lua, 2, 1);
  const long long last = lua_isnoneornil(lua, 3) ? static_cast<long long>(lua_objlen(lua, 1))
                                                 : static_cast<long long>(luaL_checkint(lua, 3));
  if (first > last) return 0;
  const long long count = last - first + 1;
  if (count > LUAI_MAXCSTACK || lua_checkstack(lua, static_cast<int>(count)) == 0) {
    raise_here(lua, "too many results to unpack");
  }
  for (long long at = first; at <= last; ++at) lua_rawgeti(lua, 1, static_cast<int>(at));
  return static_cast<int>(count);
}

// --- values as text ----------------------------------------------------------------------------

// Pushes the names that were given to tables and functions by this script.
void push_names(lua_State* lua) {
  lua_getfield(lua, LUA_REGISTRYINDEX, kNames);
  if (!lua_isnil(lua, -1)) return;
  lua_pop(lua, 1);
  lua_newtable(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, LUA_REGISTRYINDEX, kNames);
}

// Tables and functions are named in the order in which they are asked for: an address would differ
// from run to run.
void push_name(lua_State* lua, int at) {
  push_names(lua);
  lua_pushvalue(lua, at);
  lua_rawget(lua, -2);
  if (lua_isnil(lua, -1)) {
    lua_pop(lua, 1);
    lua_pushfstring(lua, "%s: 0x", luaL_typename(lua, at));
    char number[16];
    std::snprintf(number, sizeof number, "%08x", ++machine_of(lua).names_given * 16);
    lua_pushstring(lua, number);
    lua_concat(lua, 2);
    lua_pushvalue(lua, at);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, -4);
  }
  lua_remove(lua, -2);
}

int to_string(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_callmeta(lua, 1, "__tostring") != 0) return 1;
  switch (lua_type(lua, 1)) {
    case LUA_TNUMBER:
      push_text(lua, text_at(lua, 1));
      break;
    case LUA_TSTRING:
      lua_pushvalue(lua, 1);
      break;
    case LUA_TBOOLEAN:
      lua_pushstring(lua, lua_toboolean(lua, 1) != 0 ? "true" : "false");
      break;
    case LUA_TNIL:
      lua_pushliteral(lua, "nil");
      break;
    case LUA_TLIGHTUSERDATA:
      lua_pushliteral(lua, "userdata: (nil)");  // cjson.null, the only one there is
      break;
    default:
      push_name(lua, 1);
  }
  return 1;
}

// --- memory ------------------------------------------------------------------------------------

// How much is in use, in KiB and told in steps, for the fine number would differ from run to run.
lua_Number used_kilobytes(lua_State* lua) {
  return static_cast<lua_Number>(machine_of(lua).used / 65536 + 1) * 64;
}

// Scripts may ask for a collection; what would outlive them, such as stopping the collector, does
// nothing.
int collect_garbage(lua_State* lua) {
  static const char* const kOptions[] = {"stop", "restart",  "collect",    "count",
                                         "step", "setpause", "setstepmul", nullptr};
  const int option = luaL_checkoption(lua, 1, "collect", kOptions);
  luaL_optint(lua, 2, 0);
  const std::string_view word = kOptions[option];
  if (word == "collect" || word == "step") {
    spend(lua, 1000 + machine_of(lua).used / 64);
    lua_gc(lua, LUA_GCCOLLECT, 0);
  }
  if (word == "count") {
    lua_pushnumber(lua, used_kilobytes(lua));
  } else if (word == "step") {
    lua_pushboolean(lua, 0);
  } else {
    lua_pushnumber(lua, 0);
  }
  return 1;
}

int garbage_info(lua_State* lua) {
  lua_pushnumber(lua, used_kilobytes(lua));
  return 1;
}

constexpr luaL_Reg kOwn[] = {{"pcall", protected_call},
                             {"xpcall", protected_call_with_handler},
                             {"load", load_pieces},
                             {"loadstring", load_string},
                             {"next", next_field},
                             {"pairs", pairs},
                             {"rawget", raw_get},
                             {"rawset", raw_set},
                             {"getmetatable", get_metatable},
                             {"setmetatable", set_metatable},
                             {"unpack", unpack},
                             {"tostring", to_string},
                             {"collectgarbage", collect_garbage},
                             {"gcinfo", garbage_info},
                             {nullptr, nullptr}};

// tonumber, which takes as long as its text is. What could be wrong with its arguments is said
// here, where the function that was called has a name.
int to_number(lua_State* lua) {
  constexpr std::size_t kDigitsPerStep = 16;
  constexpr int kDecimal = 10;
  constexpr int kMostBase = 36;
  const int base = luaL_optint(lua, 2, kDecimal);
  if (base == kDecimal) {
    luaL_checkany(lua, 1);
  } else {
    luaL_checkstring(lua, 1);
    luaL_argcheck(lua, base >= 2 && base <= kMostBase, 2, "base out of range");
  }
  if (lua_type(lua, 1) == LUA_TSTRING) spend(lua, 1 + lua_objlen(lua, 1) / kDigitsPerStep);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  return lua_gettop(lua);
}

}  // namespace

void add_functions(lua_State* lua, const luaL_Reg* functions) {
  for (; functions->name != nullptr; ++functions) {
    lua_pushcfunction(lua, functions->func);
    lua_setfield(lua, -2, functions->name);
  }
}

void copy_fields(lua_State* lua, int from, std::initializer_list<const char*> names) {
  from = from_bottom(lua, from);
  for (const char* name : names) {
    lua_getfield(lua, from, name);
    lua_setfield(lua, -2, name);
  }
}

void add_base_library(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_base);
  lua_pushliteral(lua, "");
  lua_call(lua, 1, 0);
  copy_fields(lua, LUA_GLOBALSINDEX,
              {"assert", "error", "ipairs", "rawequal", "select", "type", "_VERSION"});
  add_functions(lua, kOwn);
  lua_getfield(lua, LUA_GLOBALSINDEX, "tonumber");
  lua_pushcclosure(lua, to_number, 1);
  lua_setfield(lua, -2, "tonumber");
}

}  // namespace fencepost::script
