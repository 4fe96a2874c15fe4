// Lua's string library; what could run for ever inside one call, or dig too deep, is written anew.
#include <algorithm>
#include <string>

#include "script/libraries.h"
#include "script/machine.h"
#include "script/pattern.h"

namespace fencepost::script {

namespace {

std::string_view check_text(lua_State* lua, int at) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, at, &size);
  return {text, size};
}

// string.rep(text, count): Lua's own tries until memory is full, and counts to the end even for an
// empty text.
int repeat(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const lua_Number count = luaL_checknumber(lua, 2);
  luaL_Buffer made;
  luaL_buffinit(lua, &made);
  if (!text.empty() && count >= 1) {
    const lua_Number bytes = count * static_cast<lua_Number>(text.size());
    if (bytes > static_cast<lua_Number>(machine_of(lua).limit)) {
      raise_here(lua, "resulting string too large");
    }
    spend(lua, static_cast<std::uint64_t>(bytes) / 64);
    for (auto left = static_cast<std::uint64_t>(count); left > 0; --left) {
      luaL_addlstring(&made, text.data(), text.size());
    }
  }
  luaL_pushresult(&made);
  return 1;
}

// --- find and match ----------------------------------------------------------------------------

enum class Wanted { positions, captures };

bool has_specials(std::string_view pattern) {
  return pattern.find_first_of("^$*+?.([%-") != std::string_view::npos;
}

// Where to begin, of a position counted from 1 or, negative, from the end.
std::size_t start_of(lua_Integer position, std::size_t size) {
  if (position < 0) position += static_cast<lua_Integer>(size) + 1;
  if (position < 1) return 0;
  return std::min(static_cast<std::size_t>(position - 1), size);
}

int push_span(lua_State* lua, std::size_t begin, std::size_t end) {
  lua_pushinteger(lua, static_cast<lua_Integer>(begin + 1));
  lua_pushinteger(lua, static_cast<lua_Integer>(end));
  return 2;
}

int find_plain(lua_State* lua, std::string_view text, std::string_view wanted, std::size_t from) {
  spend(lua, (text.size() - from) / 16);
  const std::size_t found = text.find(wanted, from);
  if (found != std::string_view::npos) return push_span(lua, found, found + wanted.size());
  lua_pushnil(lua);
  return 1;
}

int search(lua_State* lua, Wanted wanted) {
  const std::string_view text = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  std::size_t from = start_of(luaL_optinteger(lua, 3, 1), text.size());
  if (wanted == Wanted::positions && (lua_toboolean(lua, 4) != 0 || !has_specials(pattern))) {
    return find_plain(lua, text, pattern, from);
  }
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  Matcher matcher{lua, text, pattern};
  do {
    const auto end = matcher.match_at(from);
    if (!end) continue;
    if (wanted == Wanted::captures) return matcher.push_captures(from, *end);
    push_span(lua, from, *end);
    return 2 + (matcher.capture_count() > 0 ? matcher.push_captures(from, *end) : 0);
  } while (++from <= text.size() && !anchored);
  lua_pushnil(lua);
  return 1;
}

int find(lua_State* lua) {
  return search(lua, Wanted::positions);
}
int match(lua_State* lua) {
  return search(lua, Wanted::captures);
}

// --- gmatch ------------------------------------------------------------------------------------

// Upvalues: text, pattern, where to go on.
int next_match(lua_State* lua) {
  const std::string_view text = text_at(lua, lua_upvalueindex(1));
  const std::string_view pattern = text_at(lua, lua_upvalueindex(2));
  Matcher matcher{lua, text, pattern};
  auto from = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(3)));
  for (; from <= text.size(); ++from) {
    const auto end = matcher.match_at(from);
    if (!end) continue;
    lua_pushinteger(lua, static_cast<lua_Integer>(*end == from ? *end + 1 : *end));
    lua_replace(lua, lua_upvalueindex(3));
    return matcher.push_captures(from, *end);
  }
  return 0;
}

int all_matches(lua_State* lua) {
  check_text(lua, 1);
  check_text(lua, 2);
  lua_settop(lua, 2);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, next_match, 3);
  return 1;
}

// --- gsub --------------------------------------------------------------------------------------

// Appends the replacement text with its %0 to %9 filled in.
void add_text(lua_State* lua, luaL_Buffer& made, Matcher& matcher, std::string_view text,
              std::size_t begin, std::size_t end) {
  const std::string_view with = text_at(lua, 3);
  for (std::size_t at = 0; at < with.size(); ++at) {
    if (with[at] != '%') {
      luaL_addchar(&made, with[at]);
      continue;
    }
    const char c = ++at < with.size() ? with[at] : '\0';
    if (c < '0' || c > '9') {
      luaL_addchar(&made, c);
    } else if (c == '0') {
      luaL_addlstring(&made, text.data() + begin, end - begin);
    } else {
      matcher.push_capture(c - '1', begin, end);
      luaL_addvalue(&made);
    }
  }
}

// Appends what a match is replaced by.
void add_replacement(lua_State* lua, luaL_Buffer& made, Matcher& matcher, std::string_view text,
                     std::size_t begin, std::size_t end) {
  switch (lua_type(lua, 3)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
      return add_text(lua, made, matcher, text, begin, end);
    case LUA_TFUNCTION:
      lua_pushvalue(lua, 3);
      lua_call(lua, matcher.push_captures(begin, end), 1);
      break;
    default:
      matcher.push_capture(0, begin, end);
      lua_gettable(lua, 3);
  }
  if (lua_toboolean(lua, -1) == 0) {
    lua_pop(lua, 1);
    return luaL_addlstring(&made, text.data() + begin, end - begin);
  }
  if (lua_isstring(lua, -1) == 0) {
    raise_here(lua, "invalid replacement value (a " + std::string{luaL_typename(lua, -1)} + ")");
  }
  luaL_addvalue(&made);
}

// string.gsub(text, pattern, replacement [, at most])
int replace_all(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  const int type = lua_type(lua, 3);
  const auto most = luaL_optinteger(lua, 4, static_cast<lua_Integer>(text.size()) + 1);
  luaL_argcheck(
      lua,
      type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE || type == LUA_TFUNCTION, 3,
      "string/function/table expected");
  if (type == LUA_TNUMBER) lua_tolstring(lua, 3, nullptr);
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  Matcher matcher{lua, text, pattern};
  luaL_Buffer made;
  luaL_buffinit(lua, &made);
  std::size_t from = 0;
  lua_Integer count = 0;
  while (count < most) {
    const auto end = matcher.match_at(from);
    if (end) {
      ++count;
      add_replacement(lua, made, matcher, text, from, *end);
    }
    if (end && *end > from) {
      from = *end;
    } else if (from < text.size()) {
      luaL_addchar(&made, text[from]);
      ++from;
    } else {
      break;
    }
    if (anchored) break;
  }
  if (from < text.size()) luaL_addlstring(&made, text.data() + from, text.size() - from);
  luaL_pushresult(&made);
  lua_pushinteger(lua, count);
  return 2;
}

constexpr luaL_Reg kOwn[] = {{"rep", repeat},         {"find", find},         {"match", match},
                             {"gmatch", all_matches}, {"gfind", all_matches}, {"gsub", replace_all},
                             {nullptr, nullptr}};

}  // namespace

void push_string_library(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_string);
  lua_pushliteral(lua, LUA_STRLIBNAME);
  lua_call(lua, 1, 1);
  lua_newtable(lua);
  copy_fields(lua, -2,
              {"byte", "char", "dump", "format", "len", "lower", "reverse", "sub", "upper"});
  add_functions(lua, kOwn);
  lua_remove(lua, -2);
}

}  // namespace fencepost::script
