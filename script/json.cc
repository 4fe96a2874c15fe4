// cjson: JSON for scripts, with the behaviour of lua-cjson 2.1, which Redis has. That library
// itself ends the process when memory is short and counts sizes in int, so it is not used.
#include "script/json.h"

#include "script/libraries.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

// --- settings: each function sets what it is given, and tells what is set
// -------------------------

void take_arguments(lua_State* lua, int most) {
  luaL_argcheck(lua, lua_gettop(lua) <= most, most + 1, "found too many arguments");
  lua_settop(lua, most);
}

void integer_option(lua_State* lua, int at, int& setting, int low, int high) {
  if (!lua_isnil(lua, at)) {
    const lua_Integer given = luaL_checkinteger(lua, at);
    const char* expected = lua_pushfstring(lua, "expected integer between %d and %d", low, high);
    luaL_argcheck(lua, low <= given && given <= high, 1, expected);
    setting = static_cast<int>(given);
  }
  lua_pushinteger(lua, setting);
}

// A boolean, or one of the words; the first two of them are false and true.
void word_option(lua_State* lua, int at, int& setting, const char* const* words) {
  if (lua_isboolean(lua, at)) {
    setting = lua_toboolean(lua, at);
  } else if (!lua_isnil(lua, at)) {
    setting = luaL_checkoption(lua, at, nullptr, words);
  }
  if (setting < 2) return lua_pushboolean(lua, setting);
  lua_pushstring(lua, words[setting]);
}

constexpr const char* kOffOn[] = {"off", "on", nullptr};
constexpr const char* kOffOnNull[] = {"off", "on", "null", nullptr};
constexpr int kMostInt = 2'147'483'647;

JsonSettings& settings(lua_State* lua) {
  return machine_of(lua).json;
}

int encode_sparse_array(lua_State* lua) {
  take_arguments(lua, 3);
  word_option(lua, 1, settings(lua).sparse_as_object, kOffOn);
  integer_option(lua, 2, settings(lua).sparse_ratio, 0, kMostInt);
  integer_option(lua, 3, settings(lua).sparse_safe, 0, kMostInt);
  return 3;
}
int encode_max_depth(lua_State* lua) {
  take_arguments(lua, 1);
  integer_option(lua, 1, settings(lua).encode_depth, 1, kMostInt);
  return 1;
}
int decode_max_depth(lua_State* lua) {
  take_arguments(lua, 1);
  integer_option(lua, 1, settings(lua).decode_depth, 1, kMostInt);
  return 1;
}
int encode_number_precision(lua_State* lua) {
  take_arguments(lua, 1);
  integer_option(lua, 1, settings(lua).precision, 1, 14);
  return 1;
}
int encode_keep_buffer(lua_State* lua) {
  take_arguments(lua, 1);
  word_option(lua, 1, settings(lua).keeps_buffer, kOffOn);
  return 1;
}
int encode_invalid_numbers(lua_State* lua) {
  take_arguments(lua, 1);
  word_option(lua, 1, settings(lua).encode_invalid, kOffOnNull);
  return 1;
}
int decode_invalid_numbers(lua_State* lua) {
  take_arguments(lua, 1);
  word_option(lua, 1, settings(lua).decode_invalid, kOffOn);
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"encode", encode_json},
                                   {"decode", decode_json},
                                   {"encode_sparse_array", encode_sparse_array},
                                   {"encode_max_depth", encode_max_depth},
                                   {"decode_max_depth", decode_max_depth},
                                   {"encode_number_precision", encode_number_precision},
                                   {"encode_keep_buffer", encode_keep_buffer},
                                   {"encode_invalid_numbers", encode_invalid_numbers},
                                   {"decode_invalid_numbers", decode_invalid_numbers},
                                   {nullptr, nullptr}};

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
