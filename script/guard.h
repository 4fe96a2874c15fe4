// Tables that scripts can read and cannot change, whatever function they try it with.
#pragma once

#include "script/lua.h"

namespace fencepost::script {

// A guarded table is an empty one whose metatable leads to the contents; every write falls on the
// empty one and is refused. The functions that pass metatables by (rawset, next, table.insert ...)
// ask the guard first.

// What is said of a name that the table does not have.
enum class Missing { nil, error };

// Takes the table on top of the stack and leaves a guarded table with its contents in its place.
void guard_top(lua_State* lua, Missing missing = Missing::nil);

// Takes the table on top of the stack: getmetatable() will show that one for the guarded table (or
// the metatable) at `at`. Without it getmetatable() says nil.
void show_as_metatable(lua_State* lua, int at);

bool is_guarded(lua_State* lua, int at);
// Pushes what getmetatable() says of the guarded table at `at`.
void push_shown_metatable(lua_State* lua, int at);
// Replaces a guarded table at `at` by its contents; leaves any other value.
void see_through(lua_State* lua, int at);
// Raises the error of a write when the value at `at` is a guarded table.
void refuse_guarded(lua_State* lua, int at);

}  // namespace fencepost::script
