// The two halves of cjson.
#pragma once

#include "script/lua.h"

namespace fencepost::script {

// What a script may set, for itself alone.
struct JsonSettings {
  // Whole positive keys make an array; it is sparse when its last key is above `sparse_safe` and
  // above `sparse_ratio` times the number of its members (0: never). Then it is an error, or an
  // object.
  int sparse_as_object = 0;
  int sparse_ratio = 2;
  int sparse_safe = 10;
  // Tables within tables, either way.
  int encode_depth = 1000;
  int decode_depth = 1000;
  int precision = 14;      // digits of a number
  int encode_invalid = 0;  // of inf and nan: an error, their names, null
  int decode_invalid = 1;  // whether inf, nan and hexadecimal numbers are taken
  int keeps_buffer = 1;    // kept for those who ask; it changes nothing
};

int encode_json(lua_State* lua);  // encode(value): the text
int decode_json(lua_State* lua);  // decode(text): the value

}  // namespace fencepost::script
