// struct: numbers and strings as the bytes of C structures, with the formats of Lua's struct 0.2,
// which Redis has.
//
//   format  = { control | option }
//   control = ">" | "<" | "!" [ n ] | " "       big or little endian; alignment, n a power of two
//   option  = "b" | "B" | "h" | "H" | "l" | "L" | "T" | "i" [ n ] | "I" [ n ]
//           | "f" | "d" | "s" | "c" [ n ] | "x"
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <climits>
#include <fmt/format.h>

#include "script/libraries.h"
#include "script/machine.h"

namespace fencepost::script {

namespace {

constexpr std::size_t kLargestInteger = 32;
constexpr std::size_t kMostAlignment = 8;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A format, option by option, as far as its first zero byte.
class Format {
 public:
  Format(lua_State* lua, std::string_view text)
      : lua_{lua}, text_{text.substr(0, text.find('\0'))} {}

  // Reads the next option and its size; false at the end.
  bool next() {
    if (at_ == text_.size()) return false;
    spend(lua_);
    option_ = text_[at_++];
    size_ = read_size();
    return true;
  }

  char option() const { return option_; }
  std::size_t size() const { return size_; }
  bool is_big_endian() const { return big_endian_; }

  // How many bytes stand between `position` and the option.
  std::size_t padding(std::size_t position) const {
    if (size_ == 0 || option_ == 'c') return 0;
    const std::size_t size = std::min(size_, alignment_);
    return (size - (position & (size - 1))) & (size - 1);
  }

  // Obeys an option that stands for no bytes.
  void control() {
    switch (option_) {
      case ' ':
        return;
      case '>':
        big_endian_ = true;
        return;
      case '<':
        big_endian_ = false;
        return;
      case '!': {
        alignment_ = number(kMostAlignment);
        if (!std::has_single_bit(alignment_)) {
          raise_here(lua_, fmt::format("alignment {} is not a power of 2", alignment_));
        }
        return;
      }
      default: {
        const std::string what = std::string{"invalid format option '"} + option_ + "'";
        lua_pushlstring(lua_, what.data(), what.size());
        luaL_argerror(lua_, 1, lua_tostring(lua_, -1));
      }
    }
  }

 private:
  std::size_t read_size() {
    switch (option_) {
      case 'b':
      case 'B':
      case 'x':
        return 1;
      case 'h':
      case 'H':
        return 2;
      case 'f':
        return 4;
      case 'l':
      case 'L':
      case 'T':
      case 'd':
        return 8;
      case 'c':
        return number(1);
      case 'i':
      case 'I': {
        const std::size_t size = number(4);
        if (size <= kLargestInteger) return size;
        raise_here(lua_, fmt::format("integral size {} is larger than limit of {}", size,
                                     kLargestInteger));
      }
      default:
        return 0;
    }
  }

  std::size_t number(std::size_t otherwise) {
    if (at_ == text_.size() || !is_digit(text_[at_])) return otherwise;
    std::size_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      value = value * 10 + static_cast<std::size_t>(text_[at_] - '0');
      if (value > INT_MAX) raise_here(lua_, "integral size overflow");
    }
    return value;
  }

  lua_State* lua_;
  std::string_view text_;
  std::size_t at_ = 0;
  char option_ = 0;
  std::size_t size_ = 0;
  std::size_t alignment_ = 1;
  bool big_endian_ = false;
};

// --- packing -----------------------------------------------------------------------------------

// The number modulo 2^64 as an x86-64 compiler makes it; what does not fit is 2^63, or 0.
std::uint64_t bits_of(lua_Number number) {
  constexpr lua_Number k63 = 9223372036854775808.0;
  constexpr std::uint64_t kOutside = std::uint64_t{1} << 63;
  if (number >= -k63 && number < k63) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  }
  if (!(number >= k63)) return kOutside;  // below, or not a number
  return number < 2 * k63 ? static_cast<std::uint64_t>(number) : 0;
}

void append_integer(std::string& out, std::uint64_t bits, std::size_t size, bool big_endian) {
  const std::size_t start = out.size();
  for (std::size_t at = 0; at < size; ++at) {
    out += static_cast<char>(at < 8 ? bits >> (8 * at) & 0xFF : 0);
  }
  if (big_endian) std::reverse(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
}

// "c" takes so many bytes of a string ("c0" all of them), "s" all and a zero byte.
void append_text(lua_State* lua, std::string& out, const Format& format, int at) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, at, &length);
  const std::size_t size = format.size() == 0 ? length : format.size();
  // It is told one too far, as in Redis.
  luaL_argcheck(lua, length >= size, at + 1, "string too short");
  refuse_beyond_memory(lua, out.size() + size);
  spend(lua, size / 16);
  out.append(text, size);
  if (format.option() == 's') out += '\0';
}

// Appends what the option makes of the argument at `at`; true when it took one.
bool append(lua_State* lua, std::string& out, Format& format, int at) {
  const bool big = format.is_big_endian();
  switch (format.option()) {
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'l':
    case 'L':
    case 'T':
    case 'i':
    case 'I':
      append_integer(out, bits_of(luaL_checknumber(lua, at)), format.size(), big);
      return true;
    case 'f':
      append_integer(
          out, std::bit_cast<std::uint32_t>(static_cast<float>(luaL_checknumber(lua, at))), 4, big);
      return true;
    case 'd':
      append_integer(out, std::bit_cast<std::uint64_t>(luaL_checknumber(lua, at)), 8, big);
      return true;
    case 'c':
    case 's':
      append_text(lua, out, format, at);
      return true;
    case 'x':
      out += '\0';
      return false;
    default:
      format.control();
      return false;
  }
}

// struct.pack(format, value, ...)
int pack(lua_State* lua) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  Format format{lua, {text, size}};
  std::string out;
  int at = 2;
  lua_pushnil(lua);  // what is asked for beyond the arguments is nil, not nothing
  while (format.next()) {
    refuse_beyond_memory(lua, out.size());
    out.append(format.padding(out.size()), '\0');
    if (append(lua, out, format, at)) ++at;
  }
  push_text(lua, out);
  return 1;
}

// --- unpacking ---------------------------------------------------------------------------------

class Reader {
 public:
  Reader(lua_State* lua, std::string_view format, std::string_view data, std::size_t at)
      : lua_{lua}, format_{lua, format}, data_{data}, at_{at} {}

  // Pushes the values, and the position behind them; how many.
  int push_all() {
    while (format_.next()) {
      const std::size_t padding = format_.padding(at_);
      if (at_ <= data_.size()) at_ += padding;
      need(format_.size());
      luaL_checkstack(lua_, 2, "too many results");
      push_option();
    }
    lua_pushinteger(lua_, static_cast<lua_Integer>(at_ + 1));
    return count_ + 1;
  }

 private:
  void need(std::size_t size) {
    luaL_argcheck(lua_, at_ <= data_.size() && size <= data_.size() - at_, 2,
                  "data string too short");
  }

  void push_option() {
    switch (format_.option()) {
      case 'b':
      case 'h':
      case 'l':
      case 'i':
        return push_number(signed_integer());
      case 'B':
      case 'H':
      case 'L':
      case 'T':
      case 'I':
        return push_number(static_cast<lua_Number>(bits(format_.size())));
      case 'f':
        return push_number(std::bit_cast<float>(static_cast<std::uint32_t>(bits(4))));
      case 'd':
        return push_number(std::bit_cast<double>(bits(8)));
      case 'x':
        ++at_;
        return;
      case 'c':
        return push_bytes(format_.size() == 0 ? take_size() : format_.size());
      case 's':
        return push_until_zero();
      default:
        format_.control();
    }
  }

  void push_number(lua_Number number) {
    lua_pushnumber(lua_, number);
    at_ += format_.size();
    ++count_;
  }

  // The bytes as one number; of more than eight, the lowest eight.
  std::uint64_t bits(std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t which = format_.is_big_endian() ? i : size - 1 - i;
      value = value << 8 | static_cast<unsigned char>(data_[at_ + which]);
    }
    return value;
  }

  lua_Number signed_integer() const {
    const std::size_t size = format_.size();
    std::uint64_t value = bits(size);
    // The sign is looked for where an x86 processor's shift by more than 63 looks for it.
    const std::uint64_t sign = ~std::uint64_t{0} << ((size * 8 - 1) & 63);
    if ((value & sign) != 0) value |= sign;
    return static_cast<lua_Number>(static_cast<std::int64_t>(value));
  }

  // The size of "c0" is the number before it; of 2^64 and more an x86 processor makes 0.
  std::size_t take_size() {
    if (count_ == 0 || lua_isnumber(lua_, -1) == 0) {
      raise_here(lua_, "format 'c0' needs a previous size");
    }
    const lua_Number size = lua_tonumber(lua_, -1);
    lua_pop(lua_, 1);
    --count_;
    if (size >= 0x1p64) return 0;
    const bool sensible = size > -1 && size <= static_cast<lua_Number>(data_.size());
    const std::size_t wanted = sensible ? static_cast<std::size_t>(std::max(size, 0.0)) : SIZE_MAX;
    need(wanted);
    return wanted;
  }

  void push_bytes(std::size_t size) {
    spend(lua_, size / 16);
    push_text(lua_, data_.substr(at_, size));
    at_ += size;
    ++count_;
  }

  void push_until_zero() {
    const std::size_t end = data_.find('\0', at_);
    spend(lua_, (std::min(end, data_.size()) - at_) / 16);
    if (end == std::string_view::npos) raise_here(lua_, "unfinished string in data");
    push_bytes(end - at_);
    ++at_;
  }

  lua_State* lua_;
  Format format_;
  std::string_view data_;
  std::size_t at_;
  int count_ = 0;
};

// struct.unpack(format, data [, position])
int unpack(lua_State* lua) {
  std::size_t format_size = 0;
  const char* format = luaL_checklstring(lua, 1, &format_size);
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 2, &size);
  const auto position = static_cast<std::size_t>(luaL_optinteger(lua, 3, 1));
  luaL_argcheck(lua, position > 0, 3, "offset must be 1 or greater");
  lua_settop(lua, 2);
  return Reader{lua, {format, format_size}, {data, size}, position - 1}.push_all();
}

// struct.size(format)
int size_of(lua_State* lua) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  Format format{lua, {text, length}};
  std::size_t size = 0;
  while (format.next()) {
    const char option = format.option();
    size += format.padding(size);
    if (option == 's') luaL_argerror(lua, 1, "option 's' has no fixed size");
    if (option == 'c' && format.size() == 0) {
      luaL_argerror(lua, 1, "option 'c0' has no fixed size");
    }
    const bool is_letter = (option >= 'a' && option <= 'z') || (option >= 'A' && option <= 'Z');
    if (!is_letter && !is_digit(option)) format.control();
    size += format.size();
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(size));
  return 1;
}

constexpr luaL_Reg kFunctions[] = {
    {"pack", pack}, {"unpack", unpack}, {"size", size_of}, {nullptr, nullptr}};

}  // namespace

void push_struct_library(lua_State* lua) {
  lua_newtable(lua);
  add_functions(lua, kFunctions);
}

}  // namespace fencepost::script
