// cmsgpack: MessagePack for scripts, with the choices of lua-cmsgpack 0.4, which Redis has.
// Source: https://github.com/msgpack/msgpack/blob/master/spec.md (nil, booleans, numbers, str,
// array and map; neither bin nor ext).
#include <bit>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "script/libraries.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

// Tables within tables: what is deeper is nil when packed, and an error when unpacked.
constexpr int kDeepestPacked = 16;
constexpr int kDeepestUnpacked = 4000;
constexpr const char* kTooMany =
    "too many return values at once; use unpack_one or unpack_limit instead.";

// --- packing -----------------------------------------------------------------------------------

class Packer {
 public:
  explicit Packer(lua_State* lua) : lua_{lua} {}

  const std::string& bytes() const { return out_; }

  // Appends the value on top, and pops it.
  void pack_top(int depth) {
    spend(lua_);
    refuse_beyond_memory(lua_, out_.size());
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        pack_text(text_at(lua_, -1));
        break;
      case LUA_TNUMBER:
        pack_number(lua_tonumber(lua_, -1));
        break;
      case LUA_TBOOLEAN:
        byte(lua_toboolean(lua_, -1) != 0 ? 0xC3 : 0xC2);
        break;
      case LUA_TTABLE:
        if (depth < kDeepestPacked) {
          pack_table(depth);
        } else {
          byte(0xC0);
        }
        break;
      default:
        byte(0xC0);
    }
    lua_pop(lua_, 1);
  }

 private:
  void byte(std::uint64_t value) { out_ += static_cast<char>(value); }

  // The type, then `size` bytes of the value, the greatest first.
  void typed(std::uint64_t type, std::uint64_t value, int size) {
    byte(type);
    for (int shift = (size - 1) * 8; shift >= 0; shift -= 8) byte(value >> shift & 0xFF);
  }

  void pack_text(std::string_view text) {
    spend(lua_, text.size() / 16);
    refuse_beyond_memory(lua_, out_.size() + text.size());
    if (text.size() < 32) {
      byte(0xA0 | text.size());
    } else if (text.size() <= 0xFF) {
      typed(0xD9, text.size(), 1);
    } else if (text.size() <= 0xFFFF) {
      typed(0xDA, text.size(), 2);
    } else {
      typed(0xDB, text.size(), 4);
    }
    out_ += text;
  }

  void pack_number(lua_Number number) {
    constexpr lua_Number kEnd = 9223372036854775808.0;
    if (number >= -kEnd && number < kEnd && std::trunc(number) == number) {
      return pack_integer(static_cast<std::int64_t>(number));
    }
    const auto single = static_cast<float>(number);
    if (static_cast<double>(single) == number) {
      return typed(0xCA, std::bit_cast<std::uint32_t>(single), 4);
    }
    typed(0xCB, std::bit_cast<std::uint64_t>(number), 8);
  }

  // In as few bytes as hold it.
  void pack_integer(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    if (number >= 0) {
      if (number <= 0x7F) return byte(bits);
      if (number <= 0xFF) return typed(0xCC, bits, 1);
      if (number <= 0xFFFF) return typed(0xCD, bits, 2);
      if (number <= 0xFFFFFFFF) return typed(0xCE, bits, 4);
      return typed(0xCF, bits, 8);
    }
    if (number >= -32) return byte(bits & 0xFF);
    if (number >= INT8_MIN) return typed(0xD0, bits, 1);
    if (number >= INT16_MIN) return typed(0xD1, bits, 2);
    if (number >= INT32_MIN) return typed(0xD2, bits, 4);
    typed(0xD3, bits, 8);
  }

  void pack_table(int depth) {
    luaL_checkstack(lua_, 4, "in function pack");
    std::uint64_t pairs = 0;
    if (is_array(pairs)) {
      head(0x90, 0xDC, pairs);
      for (std::uint64_t at = 1; at <= pairs; ++at) {
        lua_pushnumber(lua_, static_cast<lua_Number>(at));
        lua_gettable(lua_, -2);
        pack_top(depth + 1);
      }
      return;
    }
    head(0x80, 0xDE, pairs);
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      lua_pushvalue(lua_, -2);
      pack_top(depth + 1);
      pack_top(depth + 1);
    }
  }

  void head(std::uint64_t small, std::uint64_t large, std::uint64_t count) {
    if (count < 16) return byte(small | count);
    if (count <= 0xFFFF) return typed(large, count, 2);
    typed(large + 1, count, 4);
  }

  // Its keys are 1, 2, ... without a gap. Counts them, whatever they are.
  bool is_array(std::uint64_t& pairs) {
    bool whole = true;
    lua_Number greatest = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      spend(lua_);
      ++pairs;
      const lua_Number key = lua_type(lua_, -2) == LUA_TNUMBER ? lua_tonumber(lua_, -2) : 0;
      whole = whole && key >= 1 && std::floor(key) == key;
      greatest = std::max(greatest, key);
      lua_pop(lua_, 1);
    }
    return whole && greatest == static_cast<lua_Number>(pairs);
  }

  lua_State* lua_;
  std::string out_;
};

// pack(value, ...): the values, one behind the other.
int pack(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count == 0) return luaL_argerror(lua, 0, "MessagePack pack needs input.");
  if (lua_checkstack(lua, count) == 0) {
    return luaL_argerror(lua, 0, "Too many arguments for MessagePack pack.");
  }
  Packer packer{lua};
  for (int at = 1; at <= count; ++at) {
    lua_pushvalue(lua, at);
    packer.pack_top(0);
  }
  push_text(lua, packer.bytes());
  return 1;
}

// --- unpacking ---------------------------------------------------------------------------------

class Unpacker {
 public:
  Unpacker(lua_State* lua, std::string_view bytes, std::size_t at)
      : lua_{lua}, bytes_{bytes}, at_{at} {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t at() const { return at_; }

  void push_one(int depth) {
    spend(lua_);
    if (depth > kDeepestUnpacked || lua_checkstack(lua_, 1) == 0) overflow(kTooMany);
    const std::uint64_t type = number(1);
    if (type <= 0x7F) return lua_pushnumber(lua_, static_cast<lua_Number>(type));
    if (type >= 0xE0) return push_signed(type, 1);
    if (type <= 0x8F) return push_map(type & 15, depth);
    if (type <= 0x9F) return push_array(type & 15, depth);
    if (type <= 0xBF) return push_bytes(type & 31);
    push_typed(type, depth);
  }

 private:
  [[noreturn]] void overflow(std::string_view where) {
    raise_here(lua_, fmt::format("stack overflow ({})", where));
  }

  // The types that are followed by a number or a length.
  void push_typed(std::uint64_t type, int depth) {
    switch (type) {
      case 0xC0:
        return lua_pushnil(lua_);
      case 0xC2:
      case 0xC3:
        return lua_pushboolean(lua_, type == 0xC3 ? 1 : 0);
      case 0xCA:
        return lua_pushnumber(lua_, std::bit_cast<float>(static_cast<std::uint32_t>(number(4))));
      case 0xCB:
        return lua_pushnumber(lua_, std::bit_cast<double>(number(8)));
      case 0xCC:
      case 0xCD:
      case 0xCE:
        return lua_pushnumber(lua_, static_cast<lua_Number>(number(std::size_t{1} << (type & 3))));
      case 0xD0:
      case 0xD1:
      case 0xD2:
      case 0xD3:
      case 0xCF: {  // Redis reads the largest as if they had a sign
        const std::size_t size = std::size_t{1} << (type & 3);
        return push_signed(number(size), size);
      }
      case 0xD9:
        return push_bytes(number(1));
      case 0xDA:
        return push_bytes(number(2));
      case 0xDB:
        return push_bytes(number(4));
      case 0xDC:
        return push_array(number(2), depth);
      case 0xDD:
        return push_array(number(4), depth);
      case 0xDE:
        return push_map(number(2), depth);
      case 0xDF:
        return push_map(number(4), depth);
      default:
        raise_here(lua_, "Bad data format in input.");
    }
  }

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) raise_here(lua_, "Missing bytes in input.");
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }

  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (const char c : take(size)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }

  // `bits` is a number of that many bytes, in two's complement.
  void push_signed(std::uint64_t bits, std::size_t size) {
    const auto unused = static_cast<int>(64 - size * 8);
    lua_pushnumber(lua_,
                   static_cast<lua_Number>(static_cast<std::int64_t>(bits << unused) >> unused));
  }

  void push_bytes(std::uint64_t size) {
    const std::string_view text = take(size);
    spend(lua_, text.size() / 16);
    push_text(lua_, text);
  }

  // A claimed length costs nothing: the table grows as its members come.
  void push_array(std::uint64_t count, int depth) {
    if (lua_checkstack(lua_, 2) == 0) overflow("in function mp_decode_to_lua_array");
    lua_newtable(lua_);
    for (std::uint64_t at = 1; at <= count; ++at) {
      lua_pushnumber(lua_, static_cast<lua_Number>(at));
      push_one(depth + 1);
      lua_rawset(lua_, -3);
    }
  }

  void push_map(std::uint64_t count, int depth) {
    lua_newtable(lua_);
    for (std::uint64_t left = count; left > 0; --left) {
      push_one(depth + 1);
      push_one(depth + 1);
      lua_rawset(lua_, -3);
    }
  }

  lua_State* lua_;
  std::string_view bytes_;
  std::size_t at_;
};

// Pushes what stands in the text from `offset` on: `limit` values at most, and before them where
// the next one begins, or -1 at the end; without `tells` all of them.
int unpack_values(lua_State* lua, lua_Integer limit, lua_Integer offset, bool tells) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  if (offset < 0 || limit < 0) {
    return luaL_error(lua, "Invalid request to unpack with offset of %d and limit of %d.",
                      static_cast<int>(offset), static_cast<int>(size));
  }
  if (static_cast<std::uint64_t>(offset) > size) {
    return luaL_error(lua, "Start offset %d greater than input length %d.",
                      static_cast<int>(offset), static_cast<int>(size));
  }
  lua_settop(lua, 1);
  Unpacker unpacker{lua, {text, size}, static_cast<std::size_t>(offset)};
  if (tells) lua_pushnil(lua);
  for (lua_Integer count = 0; !unpacker.at_end() && (!tells || count < limit); ++count) {
    unpacker.push_one(0);
  }
  if (tells) {
    const bool more = !unpacker.at_end();
    lua_pushnumber(lua, more ? static_cast<lua_Number>(unpacker.at()) : -1);
    lua_replace(lua, 2);
  }
  return lua_gettop(lua) - 1;
}

int unpack(lua_State* lua) {
  return unpack_values(lua, 0, 0, false);
}

// unpack_one(text [, offset]): the next offset, and the value.
int unpack_one(lua_State* lua) {
  luaL_checkstring(lua, 1);
  return unpack_values(lua, 1, luaL_optinteger(lua, 2, 0), true);
}

// unpack_limit(text, limit [, offset])
int unpack_limit(lua_State* lua) {
  luaL_checkstring(lua, 1);
  const lua_Integer limit = luaL_checkinteger(lua, 2);
  const lua_Integer offset = luaL_optinteger(lua, 3, 0);
  return unpack_values(lua, limit, offset, limit != 0 || offset != 0);
}

constexpr luaL_Reg kFunctions[] = {{"pack", pack},
                                   {"unpack", unpack},
                                   {"unpack_one", unpack_one},
                                   {"unpack_limit", unpack_limit},
                                   {nullptr, nullptr}};

}  // namespace

void push_msgpack_library(lua_State* lua) {
  lua_newtable(lua);
  add_functions(lua, kFunctions);
  lua_pushliteral(lua, "cmsgpack");
  lua_setfield(lua, -2, "_NAME");
  lua_pushliteral(lua, "lua-cmsgpack 0.4.0");
  lua_setfield(lua, -2, "_VERSION");
}

}  // namespace fencepost::script
