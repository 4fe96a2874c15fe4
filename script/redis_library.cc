// The table `redis` of scripts: commands, replies, log and the like.
#include <array>
#include <cmath>
#include <string>

#include "base/check.h"
#include "base/sha1.h"
#include "script/guard.h"
#include "script/libraries.h"
#include "script/machine.h"
#include "script/values.h"

namespace fencepost::script {

namespace {

// --- errors as tables --------------------------------------------------------------------------

// Pushes the table that an error of redis.* is: {err = text, ignore_error_stats_update = counted
// already}.
void push_error(lua_State* lua, std::string_view text) {
  lua_createtable(lua, 0, 1);
  push_text(lua, text);
  lua_setfield(lua, -2, "err");
}

int raise_error(lua_State* lua, std::string_view text) {
  push_error(lua, text);
  return lua_error(lua);
}

// The table on top is an error.
bool is_error(lua_State* lua) {
  if (!lua_istable(lua, -1)) return false;
  lua_pushliteral(lua, "err");
  lua_rawget(lua, -2);
  const bool found = !lua_isnil(lua, -1);
  lua_pop(lua, 1);
  return found;
}

// --- redis.call --------------------------------------------------------------------------------

enum class Words { fine, none, unusable };

// As printf's %.17g, which is how a number becomes a word of a request. A nan that arithmetic makes
// is negative.
std::string word_of(lua_Number number) {
  std::array<char, 32> digits{};
  const int size = std::snprintf(digits.data(), digits.size(), "%.17g", number);
  check(size > 0 && static_cast<std::size_t>(size) < digits.size(), "17 digits fit");
  return {digits.data(), static_cast<std::size_t>(size)};
}

// The arguments as the words of a request; they live as long as the stack does.
Words read_words(lua_State* lua, Machine& machine) {
  const int count = lua_gettop(lua);
  machine.words.clear();
  if (count == 0) return Words::none;
  machine.numbers.clear();
  machine.numbers.reserve(static_cast<std::size_t>(count));  // views into it must not move
  for (int at = 1; at <= count; ++at) {
    switch (lua_type(lua, at)) {
      case LUA_TSTRING:
        machine.words.push_back(text_at(lua, at));
        break;
      case LUA_TNUMBER:
        machine.numbers.push_back(word_of(lua_tonumber(lua, at)));
        machine.words.push_back(machine.numbers.back());
        break;
      default:
        return Words::unusable;
    }
  }
  return Words::fine;
}

// Null when the words are good.
const char* fault_of(Words words) {
  switch (words) {
    case Words::none:
      return "ERR Please specify at least one argument for this redis lib call";
    case Words::unusable:
      return "ERR Lua redis lib command arguments must be strings or integers";
    case Words::fine:
      return nullptr;
  }
  return nullptr;
}

// Runs a request and pushes what it answers, errors too.
void call_host(lua_State* lua) {
  Machine& machine = machine_of(lua);
  if (const char* fault = fault_of(read_words(lua, machine))) {
    return push_error(lua, fault);
  }
  spend(lua, 100);
  machine.reply.clear();
  machine.host->call(machine.words, machine.protocol, machine.reply);
  notice_size(machine, machine.reply.size());
  lua_settop(lua, 0);  // thousands of words may have left no room on the stack
  push_reply(lua, machine.reply);
}

int call(lua_State* lua) {
  call_host(lua);
  return is_error(lua) ? lua_error(lua) : 1;
}

int protected_call(lua_State* lua) {
  call_host(lua);
  return 1;
}

int acl_check_command(lua_State* lua) {
  Machine& machine = machine_of(lua);
  if (const char* fault = fault_of(read_words(lua, machine))) return raise_error(lua, fault);
  const auto allowed = machine.host->allows(machine.words);
  if (!allowed) return raise_error(lua, "ERR Invalid command passed to redis.acl_check_cmd()");
  lua_pushboolean(lua, *allowed ? 1 : 0);
  return 1;
}

// --- replies -----------------------------------------------------------------------------------

bool is_one_string(lua_State* lua) {
  if (lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TSTRING) return true;
  push_error(lua, "ERR wrong number or type of arguments");
  return false;
}

// redis.error_reply(text): the first word is the error's code; a text of one word has the code ERR.
int error_reply(lua_State* lua) {
  if (!is_one_string(lua)) return 1;
  std::string_view text = until_zero(text_at(lua, 1));
  if (text.starts_with('-')) text.remove_prefix(1);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  const bool has_code = text.find(' ') != std::string_view::npos;
  push_error(lua, has_code ? std::string{text} : "ERR " + std::string{text});
  return 1;
}

int status_reply(lua_State* lua) {
  if (!is_one_string(lua)) return 1;
  lua_createtable(lua, 0, 1);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "ok");
  return 1;
}

// --- the rest ----------------------------------------------------------------------------------

int sha1hex(lua_State* lua) {
  if (lua_gettop(lua) != 1) return raise_error(lua, "ERR wrong number of arguments");
  push_text(lua, sha1_hex(text_at(lua, 1)));
  return 1;
}

int log(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count < 2) return raise_error(lua, "ERR redis.log() requires two arguments or more.");
  if (lua_isnumber(lua, 1) == 0) {
    return raise_error(lua, "ERR First argument must be a number (log level).");
  }
  const lua_Number level = std::trunc(lua_tonumber(lua, 1));
  if (!(level >= 0 && level < 4)) return raise_error(lua, "ERR Invalid debug level.");
  std::string text;
  for (int at = 2; at <= count; ++at) {
    if (lua_isstring(lua, at) == 0) continue;
    if (at > 2) text.push_back(' ');
    text.append(text_at(lua, at).substr(0, 1024));
  }
  spend(lua, 1000);
  machine_of(lua).host->log(static_cast<LogLevel>(static_cast<int>(level)), text.substr(0, 1024));
  return 0;
}

int set_protocol(lua_State* lua) {
  if (lua_gettop(lua) != 1) return raise_error(lua, "ERR redis.setresp() requires one argument.");
  const lua_Number version = std::trunc(lua_tonumber(lua, 1));
  if (version != 2 && version != 3) return raise_error(lua, "ERR RESP version must be 2 or 3.");
  machine_of(lua).protocol = version == 2 ? resp::Protocol::resp2 : resp::Protocol::resp3;
  return 0;
}

// Scripts have always told what they did and not what they are; there is nothing to switch.
int replicate_commands(lua_State* lua) {
  lua_pushboolean(lua, 1);
  return 1;
}

int set_replication(lua_State* lua) {
  if (lua_gettop(lua) != 1) {
    return raise_error(lua, "ERR redis.set_repl() requires two arguments.");
  }
  const lua_Number flags = std::trunc(lua_tonumber(lua, 1));
  if (!(flags >= 0 && flags <= 3)) {
    return raise_error(
        lua, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  return 0;
}

// There is no debugger: as on Redis without one, nothing happens.
int breakpoint(lua_State* lua) {
  lua_pushboolean(lua, 0);
  return 1;
}
int debug(lua_State*) {
  return 0;
}

constexpr luaL_Reg kFunctions[] = {{"call", call},
                                   {"pcall", protected_call},
                                   {"acl_check_cmd", acl_check_command},
                                   {"error_reply", error_reply},
                                   {"status_reply", status_reply},
                                   {"sha1hex", sha1hex},
                                   {"log", log},
                                   {"setresp", set_protocol},
                                   {"replicate_commands", replicate_commands},
                                   {"set_repl", set_replication},
                                   {"breakpoint", breakpoint},
                                   {"debug", debug},
                                   {nullptr, nullptr}};

struct Number {
  const char* name;
  int value;
};
constexpr Number kNumbers[] = {{"LOG_DEBUG", 0},   {"LOG_VERBOSE", 1},  {"LOG_NOTICE", 2},
                               {"LOG_WARNING", 3}, {"REPL_NONE", 0},    {"REPL_AOF", 1},
                               {"REPL_SLAVE", 2},  {"REPL_REPLICA", 2}, {"REPL_ALL", 3}};

}  // namespace

void push_redis_library(lua_State* lua) {
  lua_newtable(lua);
  add_functions(lua, kFunctions);
  for (const auto& [name, value] : kNumbers) {
    lua_pushnumber(lua, value);
    lua_setfield(lua, -2, name);
  }
}

}  // namespace fencepost::script
