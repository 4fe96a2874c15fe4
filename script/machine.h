// What the Lua functions of the sandbox share: the memory account, and the script that runs now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resp/protocol.h"
#include "script/host.h"
#include "script/json.h"
#include "script/lua.h"

namespace fencepost::script {

struct Machine {
  // memory, in bytes
  std::size_t used = 0;
  std::size_t limit = 0;  // that `used` may reach
  std::size_t cap = 0;    // what one script may take, and one value outside of Lua's account

  // the script that runs now
  lua_State* lua = nullptr;
  Host* host = nullptr;
  resp::Protocol protocol = resp::Protocol::resp2;  // redis.setresp
  bool ended = false;                               // by the host; no pcall holds it up
  std::string end_reason;
  std::uint64_t steps = 0;  // counted at each tick
  std::uint64_t most_steps = 0;
  std::uint64_t spent = 0;   // steps of library functions since the last tick
  std::size_t largest = 0;   // a value it may have in hand has at most so many bytes
  int interval = 0;          // instructions from tick to tick
  std::uint64_t chance = 0;  // state of math.random
  JsonSettings json;
  std::uint32_t names_given = 0;  // to tables and functions that were turned into text

  // used again and again
  std::vector<std::string_view> words;
  std::vector<std::string> numbers;
  std::string reply;
};

// Where the registry keeps what tostring() has called things; forgotten after each script.
constexpr const char* kNames = "names";

constexpr int kStepsPerTick = 10'000;

// The allocator of a state: keeps the account, and counts work on large blocks as steps.
void* allocate(void* machine, void* block, std::size_t old_size, std::size_t new_size);

// The script begins: it is asked from time to time whether it may go on.
void start_ticking(Machine& machine);
// One instruction can take as long as the largest value is (a comparison, an upper()). So the
// larger the values are, the fewer instructions run between two ticks.
void notice_size(Machine& machine, std::size_t bytes);

// The machine that a state belongs to.
Machine& machine_of(lua_State* lua);

// Counts the steps, and asks the host whether the script may go on; raises an error when not.
void tick(lua_State* lua, std::uint64_t steps);
// A library function that works for long accounts for its steps, so that it can be ended as well.
inline void spend(lua_State* lua, std::uint64_t steps = 1) {
  Machine& machine = machine_of(lua);
  machine.spent += steps;
  if (machine.spent < kStepsPerTick) return;
  tick(lua, std::exchange(machine.spent, 0));
}

// Raises an error with this text and without a position in front of it.
[[noreturn]] void raise(lua_State* lua, std::string_view text);

// What a library builds outside of Lua's memory has the same limit.
inline void refuse_beyond_memory(lua_State* lua, std::size_t bytes) {
  if (bytes > machine_of(lua).cap) raise(lua, "not enough memory");
}
// The same with the position of the script that called the running function.
[[noreturn]] void raise_here(lua_State* lua, std::string_view text);

}  // namespace fencepost::script
