// The two halves of cjson.
#pragma once

#include "script/lua.h"

namespace fencepost::script {

// Tables within tables, either way.
constexpr int kDeepestJson = 1000;

int encode_json(lua_State* lua);  // encode(value): the text
int decode_json(lua_State* lua);  // decode(text): the value

}  // namespace fencepost::script
