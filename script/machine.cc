// What the Lua functions of the sandbox share: the memory account, and the script that runs now.
#include "script/machine.h"

namespace fencepost::script {

Machine& machine_of(lua_State* lua) {
  void* machine = nullptr;
  lua_getallocf(lua, &machine);
  return *static_cast<Machine*>(machine);
}

void tick(lua_State* lua) {
  Machine& machine = machine_of(lua);
  if (!machine.ended && machine.host != nullptr) {
    if (auto reason = machine.host->interrupted()) {
      machine.ended = true;
      machine.end_reason = std::move(*reason);
    }
  }
  if (machine.ended) raise(lua, machine.end_reason);
}

void raise(lua_State* lua, std::string_view text) {
  push_text(lua, text);
  lua_error(lua);
  __builtin_unreachable();
}

void raise_here(lua_State* lua, std::string_view text) {
  luaL_where(lua, 1);
  push_text(lua, text);
  lua_concat(lua, 2);
  lua_error(lua);
  __builtin_unreachable();
}

}  // namespace fencepost::script
