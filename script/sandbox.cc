// The place where scripts run: one Lua state that no script can change.
#include "script/sandbox.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/check.h"
#include "script/guard.h"
#include "script/libraries.h"
#include "script/machine.h"
#include "script/values.h"

namespace fencepost::script {

namespace {

constexpr const char* kGlobals = "globals";
constexpr const char* kChunkName = "@user_script";
constexpr std::size_t kLargeToLeave = std::size_t{64} * 1024;

// --- errors that nobody catches ------------------------------------------------------------------

int panic(lua_State*) {
  check_failed("no Lua error passes by a protected call", __FILE__, __LINE__);
}

// Runs `body` where errors may be raised; gives back the error's text, or nothing.
template <typename Body>
std::optional<std::string> protect(lua_State* lua, Body body) {
  const int top = lua_gettop(lua);
  const auto trampoline = [](lua_State* inner) -> int {
    (*static_cast<Body*>(lua_touserdata(inner, 1)))(inner);
    return 0;
  };
  std::optional<std::string> error;
  if (lua_cpcall(lua, trampoline, &body) != 0) {
    const char* text = lua_tostring(lua, -1);
    error = text == nullptr ? "unknown error" : text;
  }
  lua_settop(lua, top);
  return error;
}

// --- building ----------------------------------------------------------------------------------

void add_guarded(lua_State* lua, const char* name, void (*push)(lua_State*)) {
  push(lua);
  guard_top(lua);
  lua_setfield(lua, -2, name);
}

// major.minor.patch as one number, two hex digits each.
int version_number(std::string_view version) {
  int number = 0;
  int part = 0;
  for (const char c : version) {
    if (c == '.') {
      number = number * 256 + part;
      part = 0;
    } else {
      part = part * 10 + (c - '0');
    }
  }
  return number * 256 + part;
}

void add_redis(lua_State* lua, std::string_view version) {
  push_redis_library(lua);
  push_text(lua, version);
  lua_setfield(lua, -2, "REDIS_VERSION");
  lua_pushnumber(lua, version_number(version));
  lua_setfield(lua, -2, "REDIS_VERSION_NUM");
  guard_top(lua);
  lua_setfield(lua, -2, "redis");
}

// The metatable that all strings share; getmetatable("") shows a guarded copy.
void guard_strings(lua_State* lua) {
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_getfield(lua, -3, "string");  // globals, "", metatable, string
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -3, "__index");
  lua_newtable(lua);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, "__index");
  guard_top(lua);
  lua_setfield(lua, -2, "__metatable");
  lua_pop(lua, 2);
}

// What getmetatable(_G) shows: something with an __index, as on Redis.
void show_metatable_of_globals(lua_State* lua) {
  lua_getmetatable(lua, -1);
  lua_getfield(lua, -1, "__index");
  lua_getmetatable(lua, -1);  // globals, metatable, contents, metatable of contents
  lua_newtable(lua);
  lua_getfield(lua, -2, "__index");
  lua_setfield(lua, -2, "__index");
  guard_top(lua);
  lua_replace(lua, -4);
  lua_pop(lua, 2);
  show_as_metatable(lua, -2);
}

void build(lua_State* lua, std::string_view version) {
  lua_newtable(lua);
  add_base_library(lua);
  add_guarded(lua, "string", push_string_library);
  add_guarded(lua, "table", push_table_library);
  add_guarded(lua, "math", push_math_library);
  add_guarded(lua, "os", push_os_library);
  add_guarded(lua, "cjson", push_json_library);
  add_guarded(lua, "cmsgpack", push_msgpack_library);
  add_guarded(lua, "struct", push_struct_library);
  add_guarded(lua, "bit", push_bit_library);
  add_redis(lua, version);
  guard_strings(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, LUA_REGISTRYINDEX, kGlobals);
  lua_pushvalue(lua, -1);
  guard_top(lua, Missing::error);
  show_metatable_of_globals(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -3, "_G");
  lua_replace(lua, LUA_GLOBALSINDEX);
  lua_gc(lua, LUA_GCCOLLECT, 0);
}

// --- running -----------------------------------------------------------------------------------

void set_words(lua_State* lua, const char* name, std::span<const std::string_view> words) {
  lua_createtable(lua, static_cast<int>(words.size()), 0);
  int at = 0;
  for (const std::string_view word : words) {
    notice_size(machine_of(lua), word.size());
    push_text(lua, word);
    lua_rawseti(lua, -2, ++at);
  }
  lua_setfield(lua, -2, name);
}

void clear(lua_State* lua, int table, const char* name) {
  lua_pushstring(lua, name);
  lua_pushnil(lua);
  lua_rawset(lua, table);
}

const char* name_of(bool value) {
  return value ? "true" : "false";
}

// Turns whatever was raised into a table {err, source, line}; runs where it was raised.
int describe_error(lua_State* lua) {
  if (!lua_istable(lua, 1)) {
    const char* text = lua_tostring(lua, 1);
    if (text == nullptr) text = lua_isboolean(lua, 1) ? name_of(lua_toboolean(lua, 1) != 0) : "nil";
    lua_createtable(lua, 0, 3);
    lua_pushfstring(lua, "ERR %s", text);
    lua_setfield(lua, -2, "err");
    lua_replace(lua, 1);
  }
  lua_Debug where{};
  if (lua_getstack(lua, 1, &where) == 0) return 1;
  lua_getinfo(lua, "Sl", &where);
  if (std::string_view{where.what} == "C") {
    if (lua_getstack(lua, 2, &where) == 0) return 1;
    lua_getinfo(lua, "Sl", &where);
  }
  if (is_guarded(lua, 1)) return 1;
  lua_pushliteral(lua, "source");
  lua_pushstring(lua, where.source);
  lua_rawset(lua, 1);
  lua_pushliteral(lua, "line");
  lua_pushnumber(lua, where.currentline);
  lua_rawset(lua, 1);
  return 1;
}

// A field of the error on top, as text.
std::optional<std::string> field_of_error(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  std::optional<std::string> text;
  if (lua_isstring(lua, -1) != 0) text = text_at(lua, -1);
  lua_pop(lua, 1);
  return text;
}

// What is on top was raised by the script.
void write_error(lua_State* lua, std::string_view name, resp::ReplyWriter& reply) {
  if (!lua_istable(lua, -1)) {
    const char* text = lua_tostring(lua, -1);
    machine_of(lua).host->note_error("ERR", false);
    return reply.error(fmt::format("ERR Error running script {}, {}", name,
                                   text == nullptr ? "execution failure" : text));
  }
  std::string text = field_of_error(lua, "err").value_or("ERR unknown error");
  text.resize(until_zero(text).size());
  note_error(lua, text, -1);
  const auto source = field_of_error(lua, "source");
  const auto line = field_of_error(lua, "line");
  if (source && line) text += fmt::format(" script: {}, on {}:{}.", name, *source, *line);
  reply.error(text);
}

void run_here(lua_State* lua, Compiled script, const Sandbox::Call& call, resp::ReplyWriter& reply,
              std::size_t largest_text) {
  Machine& machine = machine_of(lua);
  start_ticking(machine);
  notice_size(machine, largest_text);
  lua_getfield(lua, LUA_REGISTRYINDEX, kGlobals);
  set_words(lua, "KEYS", call.keys);
  set_words(lua, "ARGV", call.arguments);
  lua_pushcfunction(lua, describe_error);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, static_cast<int>(script));
  const int status = lua_pcall(lua, 0, 1, -2);
  lua_sethook(lua, nullptr, 0, 0);
  if (status == 0) return write_reply(lua, reply, machine.protocol, machine.cap);
  write_error(lua, call.name, reply);
}

}  // namespace

Sandbox::Sandbox(Options options) : limits_{options.limits}, machine_{std::make_unique<Machine>()} {
  machine_->limit = limits_.memory;
  lua_ = lua_newstate(allocate, machine_.get());
  check(lua_ != nullptr, "there is memory for a Lua state");
  lua_atpanic(lua_, panic);
  const auto error = protect(lua_, [&options](lua_State* lua) { build(lua, options.version); });
  check(!error, "the sandbox is built without an error");
}

Sandbox::~Sandbox() {
  lua_close(lua_);
}

Result<Compiled> Sandbox::compile(std::string_view text) {
  machine_->limit = machine_->used + limits_.memory;
  largest_text_ = std::max(largest_text_, text.size());
  std::string behind_space;  // see load_text(): compiled code is no text
  if (text.starts_with(LUA_SIGNATURE[0])) text = behind_space.append(" ").append(text);
  int made = LUA_NOREF;
  auto error = protect(lua_, [text, &made](lua_State* lua) {
    if (luaL_loadbuffer(lua, text.data(), text.size(), kChunkName) != 0) lua_error(lua);
    made = luaL_ref(lua, LUA_REGISTRYINDEX);
  });
  if (error) return failure(std::move(*error));
  return Compiled{made};
}

void Sandbox::forget(Compiled script) {
  luaL_unref(lua_, LUA_REGISTRYINDEX, static_cast<int>(script));
}

void Sandbox::run(Compiled script, const Call& call, Host& host, resp::ReplyWriter& reply) {
  Machine& machine = *machine_;
  check(machine.host == nullptr, "one script runs at a time");
  const std::size_t before = machine.used;
  machine.limit = before + limits_.memory;
  machine.cap = limits_.memory;
  machine.most_steps = limits_.steps;
  machine.host = &host;
  machine.lua = lua_;
  machine.protocol = resp::Protocol::resp2;
  machine.ended = false;
  machine.steps = machine.spent = 0;
  machine.chance = call.chance & ((std::uint64_t{1} << 48) - 1);
  machine.json = {};
  machine.names_given = 0;
  const std::size_t start = reply.size();
  const auto error =
      protect(lua_, [&](lua_State* lua) { run_here(lua, script, call, reply, largest_text_); });
  if (error) {
    reply.rewind(start);
    host.note_error("ERR", false);
    reply.error(fmt::format("ERR Error running script {}, {}", call.name, *error));
  }
  machine.lua = nullptr;
  lua_sethook(lua_, nullptr, 0, 0);
  machine.limit = machine.used + limits_.memory;
  protect(lua_, [](lua_State* lua) {
    lua_getfield(lua, LUA_REGISTRYINDEX, kGlobals);
    const int globals = lua_gettop(lua);
    clear(lua, globals, "KEYS");
    clear(lua, globals, "ARGV");
    clear(lua, LUA_REGISTRYINDEX, kNames);
  });
  machine.host = nullptr;
  // What a greedy script left is not for the next one to carry; nor are large strings, which it
  // could make once more without any memory being asked for.
  if (machine.used > before + limits_.memory / 16 || machine.largest > kLargeToLeave) {
    lua_gc(lua_, LUA_GCCOLLECT, 0);
  }
}

std::size_t Sandbox::used_bytes() const {
  return machine_->used;
}

}  // namespace fencepost::script
