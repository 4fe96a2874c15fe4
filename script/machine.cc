// What the Lua functions of the sandbox share: the memory account, and the script that runs now.
#include "script/machine.h"

#include <algorithm>
#include <cstdlib>

namespace fencepost::script {

namespace {

constexpr std::string_view kTooManySteps = "the script took more steps than script-max-steps";

// Work on large blocks takes time within one instruction: it counts, and the tick comes sooner.
constexpr std::size_t kLarge = 4096;
constexpr std::size_t kBytesPerStep = 64;

void on_count(lua_State* lua, lua_Debug*) {
  Machine& machine = machine_of(lua);
  lua_sethook(lua, on_count, LUA_MASKCOUNT, machine.interval);
  tick(lua, std::exchange(machine.spent, 0) + static_cast<std::uint64_t>(machine.interval));
}

void count_bytes(Machine& machine, std::size_t bytes) {
  if (bytes < kLarge || machine.lua == nullptr) return;
  notice_size(machine, bytes);
  machine.spent += bytes / kBytesPerStep;
  if (machine.spent >= kStepsPerTick) lua_sethook(machine.lua, on_count, LUA_MASKCOUNT, 1);
}

}  // namespace

void* allocate(void* of, void* block, std::size_t old_size, std::size_t new_size) {
  Machine& machine = *static_cast<Machine*>(of);
  if (new_size == 0) {
    std::free(block);
    machine.used -= old_size;
    return nullptr;
  }
  if (new_size > old_size && machine.used + (new_size - old_size) > machine.limit) return nullptr;
  count_bytes(machine, new_size);
  void* moved = std::realloc(block, new_size);
  if (moved != nullptr) machine.used += new_size - old_size;
  return moved;
}

void start_ticking(Machine& machine) {
  machine.largest = 0;
  machine.interval = kStepsPerTick;
  lua_sethook(machine.lua, on_count, LUA_MASKCOUNT, machine.interval);
}

void notice_size(Machine& machine, std::size_t bytes) {
  if (bytes <= std::max(machine.largest, kLarge)) return;
  machine.largest = bytes;
  const int interval = std::max(static_cast<int>(kStepsPerTick * kLarge / bytes), 1);
  if (interval >= machine.interval) return;
  machine.interval = interval;
  lua_sethook(machine.lua, on_count, LUA_MASKCOUNT, interval);
}

Machine& machine_of(lua_State* lua) {
  void* machine = nullptr;
  lua_getallocf(lua, &machine);
  return *static_cast<Machine*>(machine);
}

void tick(lua_State* lua, std::uint64_t steps) {
  Machine& machine = machine_of(lua);
  if (!machine.ended && machine.host != nullptr) {
    auto reason = machine.host->interrupted();
    machine.steps += steps;
    if (machine.steps > machine.most_steps) reason = kTooManySteps;
    if (reason) {
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
