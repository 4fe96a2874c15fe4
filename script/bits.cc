// bit: operations on 32-bit numbers, as Lua BitOp has them.  Source:
// https://bitop.luajit.org/api.html
#include <bit>
#include <cstdint>

#include "script/libraries.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

// A number modulo 2^32; its fraction is rounded to the nearest, halves to even. Added to 2^52 +
// 2^51, the lowest bits of a double are its whole part: beyond 2^51 BitOp takes what stands there,
// and so do we.
std::uint32_t bits_at(lua_State* lua, int at) {
  constexpr lua_Number kShift = 6755399441055744.0;
  return static_cast<std::uint32_t>(
      std::bit_cast<std::uint64_t>(luaL_checknumber(lua, at) + kShift));
}

int push_bits(lua_State* lua, std::uint32_t bits) {
  lua_pushnumber(lua, static_cast<std::int32_t>(bits));
  return 1;
}

int shift_at(lua_State* lua, int at) {
  return static_cast<int>(bits_at(lua, at) & 31U);
}

template <typename Join>
int join_all(lua_State* lua, Join join) {
  std::uint32_t bits = bits_at(lua, 1);
  for (int at = lua_gettop(lua); at > 1; --at) bits = join(bits, bits_at(lua, at));
  return push_bits(lua, bits);
}

int to_bit(lua_State* lua) {
  return push_bits(lua, bits_at(lua, 1));
}
int bit_not(lua_State* lua) {
  return push_bits(lua, ~bits_at(lua, 1));
}
int bit_and(lua_State* lua) {
  return join_all(lua, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}
int bit_or(lua_State* lua) {
  return join_all(lua, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}
int bit_xor(lua_State* lua) {
  return join_all(lua, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
}
int left_shift(lua_State* lua) {
  return push_bits(lua, bits_at(lua, 1) << shift_at(lua, 2));
}
int right_shift(lua_State* lua) {
  return push_bits(lua, bits_at(lua, 1) >> shift_at(lua, 2));
}
int arithmetic_shift(lua_State* lua) {
  const auto value = static_cast<std::int32_t>(bits_at(lua, 1));
  return push_bits(lua, static_cast<std::uint32_t>(value >> shift_at(lua, 2)));
}
int rotate_left(lua_State* lua) {
  return push_bits(lua, std::rotl(bits_at(lua, 1), shift_at(lua, 2)));
}
int rotate_right(lua_State* lua) {
  return push_bits(lua, std::rotr(bits_at(lua, 1), shift_at(lua, 2)));
}
int swap_bytes(lua_State* lua) {
  return push_bits(lua, __builtin_bswap32(bits_at(lua, 1)));
}

// bit.tohex(number [, digits]): negative digits mean capitals.
int to_hex(lua_State* lua) {
  constexpr int kMostDigits = 8;
  const std::uint32_t bits = bits_at(lua, 1);
  const bool given = !lua_isnone(lua, 2);
  const auto wanted = given ? static_cast<std::int32_t>(bits_at(lua, 2)) : kMostDigits;
  const char* digits = wanted < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  const int count =
      wanted < -kMostDigits || wanted > kMostDigits ? kMostDigits : (wanted < 0 ? -wanted : wanted);
  char text[kMostDigits];
  for (int at = 0; at < count; ++at) text[count - 1 - at] = digits[(bits >> (4 * at)) & 15U];
  lua_pushlstring(lua, text, static_cast<std::size_t>(count));
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"tobit", to_bit},       {"bnot", bit_not},
                                   {"band", bit_and},       {"bor", bit_or},
                                   {"bxor", bit_xor},       {"lshift", left_shift},
                                   {"rshift", right_shift}, {"arshift", arithmetic_shift},
                                   {"rol", rotate_left},    {"ror", rotate_right},
                                   {"bswap", swap_bytes},   {"tohex", to_hex},
                                   {nullptr, nullptr}};

}  // namespace

void push_bit_library(lua_State* lua) {
  lua_newtable(lua);
  add_functions(lua, kFunctions);
}

}  // namespace fencepost::script
