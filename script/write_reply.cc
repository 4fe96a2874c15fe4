// Lua's values into replies.
#include <string>

#include "base/text.h"
#include "script/machine.h"
#include "script/values.h"

namespace fencepost::script {

namespace {

constexpr int kDeepest = 1000;
constexpr std::string_view kTooDeep = "ERR reached lua stack limit";
constexpr std::string_view kTooLarge = "ERR the reply of the script is too large";

// As the processor of a Redis server turns a real number into a whole one: towards zero, and what
// does not fit is the least number.
std::int64_t whole(lua_Number number) {
  constexpr lua_Number kEnd = 9223372036854775808.0;
  if (!(number >= -kEnd && number < kEnd)) return INT64_MIN;
  return static_cast<std::int64_t>(number);
}

class Writer {
 public:
  Writer(lua_State* lua, resp::ReplyWriter& reply, resp::Protocol asked, std::size_t most_bytes)
      : lua_{lua}, reply_{reply}, asked_{asked}, end_{reply.size() + most_bytes} {}

  bool too_large() const { return reply_.size() > end_; }

  // Writes what is on top, and pops it.
  void write_top(int depth) {
    if (too_large()) return lua_pop(lua_, 1);  // all of it will be taken back
    if (depth > kDeepest || lua_checkstack(lua_, 8) == 0) {
      machine_of(lua_).host->note_error(kTooDeep, false);
      reply_.error(kTooDeep);
      return lua_pop(lua_, 1);
    }
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        reply_.bulk(text_at(lua_, -1));
        break;
      case LUA_TBOOLEAN:
        write_boolean(lua_toboolean(lua_, -1) != 0);
        break;
      case LUA_TNUMBER:
        reply_.integer(whole(lua_tonumber(lua_, -1)));
        break;
      case LUA_TTABLE:
        write_table(depth);
        break;
      default:
        reply_.null();
    }
    lua_pop(lua_, 1);
  }

 private:
  void write_boolean(bool value) {
    if (asked_ == resp::Protocol::resp3) return reply_.boolean(value);
    if (value) return reply_.integer(1);
    reply_.null();
  }

  // Pushes a field of the table on top; false, with nothing pushed, when it is not of that type.
  bool push_field(const char* name, int type) {
    lua_pushstring(lua_, name);
    lua_rawget(lua_, -2);
    if (lua_type(lua_, -1) == type) return true;
    lua_pop(lua_, 1);
    return false;
  }

  void write_table(int depth) {
    if (push_field("err", LUA_TSTRING)) {
      const std::string_view text = until_zero(text_at(lua_, -1));
      note_error(lua_, text, -2);
      reply_.error(text);
    } else if (push_field("ok", LUA_TSTRING)) {
      reply_.simple(until_zero(text_at(lua_, -1)));
    } else if (push_field("double", LUA_TNUMBER)) {
      reply_.real(lua_tonumber(lua_, -1));
    } else if (push_field("map", LUA_TTABLE)) {
      write_pairs(depth, Pairs::map);
    } else if (push_field("set", LUA_TTABLE)) {
      write_pairs(depth, Pairs::set);
    } else if (push_field("big_number", LUA_TSTRING)) {
      reply_.big_number(one_line(text_at(lua_, -1)));
    } else if (push_field("verbatim_string", LUA_TTABLE)) {
      if (write_verbatim()) return lua_pop(lua_, 1);
      lua_pop(lua_, 1);
      return write_array(depth);
    } else {
      return write_array(depth);
    }
    lua_pop(lua_, 1);
  }

  enum class Pairs { map, set };

  // The table on top, whose keys are the members of a set, or keys and values of a map.
  void write_pairs(int depth, Pairs kind) {
    const std::size_t opened = reply_.open();
    std::size_t count = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      ++count;
      lua_pushvalue(lua_, -2);
      write_top(depth + 1);
      if (kind == Pairs::map) {
        write_top(depth + 1);
      } else {
        lua_pop(lua_, 1);
      }
    }
    if (kind == Pairs::map) {
      reply_.close_map(opened, count);
    } else {
      reply_.close_set(opened, count);
    }
  }

  // The table on top; false when it lacks one of its fields.
  bool write_verbatim() {
    if (!push_field("format", LUA_TSTRING)) return false;
    std::string format{text_at(lua_, -1)};
    lua_pop(lua_, 1);
    format.resize(3, ' ');
    if (!push_field("string", LUA_TSTRING)) return false;
    reply_.verbatim(format, text_at(lua_, -1));
    lua_pop(lua_, 1);
    return true;
  }

  void write_array(int depth) {
    const std::size_t opened = reply_.open();
    std::size_t count = 0;
    while (!too_large()) {
      lua_rawgeti(lua_, -1, static_cast<int>(count + 1));
      if (lua_isnil(lua_, -1)) {
        lua_pop(lua_, 1);
        break;
      }
      ++count;
      write_top(depth + 1);
    }
    reply_.close_array(opened, count);
  }

  lua_State* lua_;
  resp::ReplyWriter& reply_;
  resp::Protocol asked_;
  std::size_t end_;
};

}  // namespace

void note_error(lua_State* lua, std::string_view text, int at) {
  lua_pushvalue(lua, at);
  lua_pushliteral(lua, "ignore_error_stats_update");
  lua_rawget(lua, -2);
  machine_of(lua).host->note_error(text, lua_toboolean(lua, -1) != 0);
  lua_pop(lua, 2);
}

void write_reply(lua_State* lua, resp::ReplyWriter& reply, resp::Protocol asked,
                 std::size_t most_bytes) {
  const std::size_t start = reply.size();
  Writer writer{lua, reply, asked, most_bytes};
  writer.write_top(0);
  if (!writer.too_large()) return;
  reply.rewind(start);
  machine_of(lua).host->note_error(kTooLarge, false);
  reply.error(kTooLarge);
}

}  // namespace fencepost::script
