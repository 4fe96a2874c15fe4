// What the Lua functions of the sandbox share: the memory account, and the script that runs now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resp/protocol.h"
#include "script/host.h"
#include "script/lua.h"

namespace fencepost::script {

struct Machine {
  // memory, in bytes
  std::size_t used = 0;
  std::size_t limit = 0;

  // the script that runs now
  lua_State* lua = nullptr;
  Host* host = nullptr;
  resp::Protocol protocol = resp::Protocol::resp2;  // redis.setresp
  bool ended = false;                               // by the host; no pcall holds it up
  std::string end_reason;
  std::uint64_t ticks = 0;        // of kInstructionsPerTick
  std::uint64_t spent = 0;        // steps of library functions since the last tick
  std::uint64_t chance = 0;       // state of math.random
  std::uint32_t names_given = 0;  // to tables and functions that were turned into text

  // used again and again
  std::vector<std::string_view> words;
  std::vector<std::string> numbers;
  std::string reply;
};

// Where the registry keeps what tostring() has called things; forgotten after each script.
constexpr const char* kNames = "names";

constexpr int kInstructionsPerTick = 10'000;

// The machine that a state belongs to.
Machine& machine_of(lua_State* lua);

// Asks the host whether the script may go on; raises an error when not.
void tick(lua_State* lua);
// A library function that works for long accounts for its steps, so that it can be ended as well.
inline void spend(lua_State* lua, std::uint64_t steps = 1) {
  Machine& machine = machine_of(lua);
  machine.spent += steps;
  if (machine.spent < kInstructionsPerTick) return;
  machine.spent = 0;
  tick(lua);
}

// Raises an error with this text and without a position in front of it.
[[noreturn]] void raise(lua_State* lua, std::string_view text);
// The same with the position of the script that called the running function.
[[noreturn]] void raise_here(lua_State* lua, std::string_view text);

}  // namespace fencepost::script
