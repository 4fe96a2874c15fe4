// Tables that scripts can read and cannot change, whatever function they try it with.
#include "script/guard.h"

#include <string>

#include "script/machine.h"

namespace fencepost::script {

namespace {

constexpr std::string_view kReadOnly = "Attempt to modify a readonly table";
// Their addresses are the keys in the metatable of a guarded table.
constexpr char kContents = 'c';
constexpr char kShown = 's';

void push_key(lua_State* lua, const char& key) {
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
}

int refuse_write(lua_State* lua) {
  raise_here(lua, kReadOnly);
}

int refuse_missing(lua_State* lua) {
  const int type = lua_type(lua, 2);
  if (type != LUA_TSTRING && type != LUA_TNUMBER) {
    raise_here(lua, "Second argument to luaProtectedTableError must be a string or number");
  }
  raise_here(lua, "Script attempted to access nonexistent global variable '" +
                      std::string{lua_tostring(lua, 2)} + "'");
}

// Puts the function that refuses missing names behind the table on top.
void refuse_missing_names(lua_State* lua) {
  lua_newtable(lua);
  lua_pushcfunction(lua, refuse_missing);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
}

// Pushes a field of the metatable; false, with nothing pushed, when the value is not guarded.
bool push_guard_field(lua_State* lua, int at, const char& key) {
  at = from_bottom(lua, at);
  if (lua_type(lua, at) != LUA_TTABLE || lua_getmetatable(lua, at) == 0) return false;
  push_key(lua, kContents);
  lua_rawget(lua, -2);
  const bool guarded = !lua_isnil(lua, -1);
  lua_pop(lua, 1);
  if (!guarded) {
    lua_pop(lua, 1);
    return false;
  }
  push_key(lua, key);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
  return true;
}

}  // namespace

void guard_top(lua_State* lua, Missing missing) {
  if (missing == Missing::error) refuse_missing_names(lua);
  lua_newtable(lua);  // contents, guarded
  lua_newtable(lua);  // contents, guarded, metatable
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_write);
  lua_setfield(lua, -2, "__newindex");
  push_key(lua, kContents);
  lua_pushvalue(lua, -4);
  lua_rawset(lua, -3);
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

void show_as_metatable(lua_State* lua, int at) {
  lua_getmetatable(lua, from_bottom(lua, at));
  push_key(lua, kShown);
  lua_pushvalue(lua, -3);
  lua_rawset(lua, -3);
  lua_pop(lua, 2);
}

bool is_guarded(lua_State* lua, int at) {
  if (!push_guard_field(lua, at, kContents)) return false;
  lua_pop(lua, 1);
  return true;
}

void push_shown_metatable(lua_State* lua, int at) {
  if (!push_guard_field(lua, at, kShown)) lua_pushnil(lua);
}

void see_through(lua_State* lua, int at) {
  at = from_bottom(lua, at);
  if (push_guard_field(lua, at, kContents)) lua_replace(lua, at);
}

void refuse_guarded(lua_State* lua, int at) {
  if (is_guarded(lua, at)) raise(lua, kReadOnly);
}

}  // namespace fencepost::script
