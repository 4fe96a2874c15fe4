// Lua's table, math and os libraries, as far as scripts may have them.
#include <cmath>

#include "script/guard.h"
#include "script/libraries.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

// Opens one of Lua's libraries and leaves its table on the stack.
void open_library(lua_State* lua, lua_CFunction open, const char* name) {
  lua_pushcfunction(lua, open);
  lua_pushstring(lua, name);
  lua_call(lua, 1, 1);
}

// --- table -------------------------------------------------------------------------------------

int length_of(lua_State* lua, int at) {
  luaL_checktype(lua, at, LUA_TTABLE);
  return static_cast<int>(lua_objlen(lua, at));
}

// table.insert(list, [position,] value). Lua's own cannot be ended when the position is far away.
int insert(lua_State* lua) {
  const int end = length_of(lua, 1) + 1;
  refuse_guarded(lua, 1);
  int at = end;
  switch (lua_gettop(lua)) {
    case 2:
      break;
    case 3: {
      at = luaL_checkint(lua, 2);
      for (int to = std::max(at, end); to > at; --to) {
        spend(lua);
        lua_rawgeti(lua, 1, to - 1);
        lua_rawseti(lua, 1, to);
      }
      break;
    }
    default:
      raise_here(lua, "wrong number of arguments to 'insert'");
  }
  lua_rawseti(lua, 1, at);
  return 0;
}

// table.remove(list [, position])
int remove(lua_State* lua) {
  const int end = length_of(lua, 1);
  const int at = luaL_optint(lua, 2, end);
  if (at < 1 || at > end) return 0;
  refuse_guarded(lua, 1);
  lua_rawgeti(lua, 1, at);
  for (int to = at; to < end; ++to) {
    spend(lua);
    lua_rawgeti(lua, 1, to + 1);
    lua_rawseti(lua, 1, to);
  }
  lua_pushnil(lua);
  lua_rawseti(lua, 1, end);
  return 1;
}

// Quicksort with the median of the first, middle and last, in the order of steps that Lua 5.1
// takes, so that a `less` that makes no sense makes the same nonsense. Each comparison counts, for
// it can take long and need not be an instruction.
class Sorter {
 public:
  explicit Sorter(lua_State* lua) : lua_{lua} {}

  void sort(int low, int high) {
    while (low < high) {
      order_ends(low, high);
      if (high - low == 1) return;
      const int middle = (low + high) / 2;
      order_middle(low, middle, high);
      if (high - low == 2) return;
      const int at = part(low, middle, high);
      // The smaller part first, so that the depth is that of a logarithm.
      if (at - low < high - at) {
        sort(low, at - 1);
        low = at + 1;
      } else {
        sort(at + 1, high);
        high = at - 1;
      }
    }
  }

 private:
  void get(int at) { lua_rawgeti(lua_, 1, at); }
  // The top goes to `first`, what is below it to `second`.
  void set_both(int first, int second) {
    lua_rawseti(lua_, 1, first);
    lua_rawseti(lua_, 1, second);
  }

  bool less(int a, int b) {
    spend(lua_, 4 + (lua_type(lua_, a) == LUA_TSTRING ? lua_objlen(lua_, a) / 64 : 0));
    if (lua_isnil(lua_, 2)) return lua_lessthan(lua_, a, b) != 0;
    lua_pushvalue(lua_, 2);
    lua_pushvalue(lua_, a - 1);
    lua_pushvalue(lua_, b - 2);
    lua_call(lua_, 2, 1);
    const bool result = lua_toboolean(lua_, -1) != 0;
    lua_pop(lua_, 1);
    return result;
  }

  void order_ends(int low, int high) {
    get(low);
    get(high);
    if (less(-1, -2)) return set_both(low, high);
    lua_pop(lua_, 2);
  }

  void order_middle(int low, int middle, int high) {
    get(middle);
    get(low);
    if (less(-2, -1)) return set_both(middle, low);
    lua_pop(lua_, 1);
    get(high);
    if (less(-1, -2)) return set_both(middle, high);
    lua_pop(lua_, 2);
  }

  // What is less than the middle one goes to its left, the rest to its right: where it stands then.
  int part(int low, int middle, int high) {
    get(middle);
    lua_pushvalue(lua_, -1);
    get(high - 1);
    set_both(middle, high - 1);
    int left = low;
    int right = high - 1;
    while (true) {
      while (get(++left), less(-1, -2)) refuse_if(left > high);
      while (get(--right), less(-3, -1)) refuse_if(right < low);
      if (right < left) break;
      set_both(left, right);
    }
    lua_pop(lua_, 3);
    get(high - 1);
    get(left);
    set_both(high - 1, left);
    return left;
  }

  void refuse_if(bool outside) {
    if (outside) raise_here(lua_, "invalid order function for sorting");
    lua_pop(lua_, 1);
  }

  lua_State* lua_;
};

// table.sort(list [, less])
int sort(lua_State* lua) {
  const int size = length_of(lua, 1);
  luaL_checkstack(lua, 40, "");
  if (!lua_isnoneornil(lua, 2)) luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  Sorter{lua}.sort(1, size);
  return 0;
}

constexpr luaL_Reg kTableOwn[] = {
    {"insert", insert}, {"remove", remove}, {"sort", sort}, {nullptr, nullptr}};

// --- math --------------------------------------------------------------------------------------

// The 48-bit generator that POSIX names drand48, so that a script that seeds it draws the numbers
// it draws on Redis.
constexpr std::uint64_t kMask48 = (std::uint64_t{1} << 48) - 1;

std::uint64_t seeded(std::uint32_t seed) {
  return (std::uint64_t{seed} << 16) | 0x330E;
}

// 0 to 2^31 - 1
std::uint32_t draw(Machine& machine) {
  machine.chance = (machine.chance * 0x5DEECE66DU + 0xB) & kMask48;
  return static_cast<std::uint32_t>(machine.chance >> 17);
}

int random(lua_State* lua) {
  constexpr lua_Number kRange = 2147483647.0;
  const lua_Number drawn = std::fmod(draw(machine_of(lua)), kRange) / kRange;
  switch (lua_gettop(lua)) {
    case 0:
      lua_pushnumber(lua, drawn);
      break;
    case 1: {
      const int last = luaL_checkint(lua, 1);
      luaL_argcheck(lua, 1 <= last, 1, "interval is empty");
      lua_pushnumber(lua, std::floor(drawn * last) + 1);
      break;
    }
    case 2: {
      const int first = luaL_checkint(lua, 1);
      const int last = luaL_checkint(lua, 2);
      luaL_argcheck(lua, first <= last, 2, "interval is empty");
      lua_pushnumber(lua, std::floor(drawn * (static_cast<lua_Number>(last) - first + 1)) + first);
      break;
    }
    default:
      raise_here(lua, "wrong number of arguments");
  }
  return 1;
}

int random_seed(lua_State* lua) {
  machine_of(lua).chance = seeded(static_cast<std::uint32_t>(luaL_checkint(lua, 1)));
  return 0;
}

constexpr luaL_Reg kMathOwn[] = {
    {"random", random}, {"randomseed", random_seed}, {nullptr, nullptr}};

// --- os ----------------------------------------------------------------------------------------

// Seconds that the script has worked, counted in instructions: the same on every run of the same
// script.
int clock(lua_State* lua) {
  constexpr lua_Number kSecondsPerStep = 0.00000001;
  lua_pushnumber(lua, static_cast<lua_Number>(machine_of(lua).steps) * kSecondsPerStep);
  return 1;
}

constexpr luaL_Reg kOsOwn[] = {{"clock", clock}, {nullptr, nullptr}};

}  // namespace

void push_table_library(lua_State* lua) {
  open_library(lua, luaopen_table, LUA_TABLIBNAME);
  lua_newtable(lua);
  copy_fields(lua, -2, {"concat", "foreach", "foreachi", "getn", "maxn", "setn"});
  add_functions(lua, kTableOwn);
  lua_remove(lua, -2);
}

void push_math_library(lua_State* lua) {
  open_library(lua, luaopen_math, LUA_MATHLIBNAME);
  lua_newtable(lua);
  copy_fields(lua, -2,
              {"abs",   "acos", "asin",  "atan", "atan2", "ceil", "cos",   "cosh", "deg", "exp",
               "floor", "fmod", "frexp", "huge", "ldexp", "log",  "log10", "max",  "min", "mod",
               "modf",  "pi",   "pow",   "rad",  "sin",   "sinh", "sqrt",  "tan",  "tanh"});
  add_functions(lua, kMathOwn);
  lua_remove(lua, -2);
}

void push_os_library(lua_State* lua) {
  lua_newtable(lua);
  add_functions(lua, kOsOwn);
}

}  // namespace fencepost::script
