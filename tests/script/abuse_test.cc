// Scripts that try to get out, to stay, or to forge: each is refused, and the next script finds no
// trace. What the sandbox must hold against is listed here, one attempt a line.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cell.h"

namespace fencepost::script {
namespace {

// Each line is nil or an error: there is no such thing.
TEST_F(Abuse, FindsNoWayOut) {
  const std::vector<std::string> names{"os.execute",
                                       "os.exit",
                                       "os.getenv",
                                       "os.remove",
                                       "os.rename",
                                       "os.tmpname",
                                       "os.time",
                                       "os.date",
                                       "os.setlocale",
                                       "os.difftime",
                                       "io",
                                       "io.open",
                                       "io.popen",
                                       "package",
                                       "package.loadlib",
                                       "package.loaded",
                                       "package.path",
                                       "package.cpath",
                                       "package.preload",
                                       "require",
                                       "module",
                                       "debug",
                                       "debug.getregistry",
                                       "debug.getupvalue",
                                       "debug.sethook",
                                       "debug.getinfo",
                                       "debug.setmetatable",
                                       "dofile",
                                       "loadfile",
                                       "print",
                                       "newproxy",
                                       "getfenv",
                                       "setfenv",
                                       "coroutine",
                                       "coroutine.create",
                                       "coroutine.wrap",
                                       "table.unpack",
                                       "ffi",
                                       "jit",
                                       "arg",
                                       "_LOADED",
                                       "__redis__err__handler",
                                       "redis.loadlib",
                                       "cjson.new",
                                       "math.load",
                                       "bit.load",
                                       "_G.package",
                                       "_G.io",
                                       "_G.debug",
                                       "_G._G.os.execute",
                                       "getmetatable(_G).package",
                                       "string.gsub.io"};
  for (const std::string& name : names) {
    const std::string found = run("return type(" + name + ")");
    EXPECT_TRUE(found == "$3\r\nnil\r\n" || found.starts_with('-')) << name << ": " << found;
  }
}

TEST_F(Abuse, ChangesNothingThatIsShared) {
  const std::vector<std::string> attempts{"evil = 1",
                                          "_G.evil = 1",
                                          "_G['evil'] = 1",
                                          "rawset(_G, 'evil', 1)",
                                          "redis = nil",
                                          "redis.call = nil",
                                          "redis.evil = 1",
                                          "rawset(redis, 'call', 1)",
                                          "string.evil = 1",
                                          "string.rep = nil",
                                          "rawset(string, 'rep', 1)",
                                          "table.insert = nil",
                                          "math.floor = nil",
                                          "os.clock = nil",
                                          "cjson.encode = nil",
                                          "cjson.null = 1",
                                          "bit.band = nil",
                                          "getmetatable('').__index = {}",
                                          "getmetatable('').evil = 1",
                                          "rawset(getmetatable(''), '__index', {})",
                                          "getmetatable('').__index.evil = 1",
                                          "getmetatable(_G).__index = function() return 1 end",
                                          "getmetatable(_G).evil = 1",
                                          "rawset(getmetatable(_G), '__index', print)",
                                          "setmetatable(_G, {})",
                                          "setmetatable(_G, nil)",
                                          "setmetatable(redis, {})",
                                          "setmetatable(string, {})",
                                          "setmetatable(math, {__index = _G})",
                                          "setmetatable(getmetatable(''), {})",
                                          "setmetatable(getmetatable(_G), {})",
                                          "setmetatable(_G, {__newindex = rawset})",
                                          "table.insert(_G, 1)",
                                          "table.insert(redis, 1, 1)",
                                          "table.insert(string, 1)",
                                          "table.insert(getmetatable(''), 1)",
                                          "KEYS = {}",
                                          "ARGV = nil",
                                          "_G.KEYS = {}",
                                          "_VERSION = 1",
                                          "tostring = nil",
                                          "pcall = error",
                                          "_G = {}",
                                          "rawset(_G, '_G', {})",
                                          "for name in pairs(_G) do rawset(_G, name, nil) end",
                                          "for name in pairs(_G) do _G[name] = nil end",
                                          "error = function() end",
                                          "local t = getmetatable('').__index t.evil = 1",
                                          "setmetatable(_G, {__index = function() return 1 end})",
                                          "load = nil",
                                          "string['evil'] = string.rep",
                                          "rawset(cjson, 'null', 1)",
                                          "redis['LOG_DEBUG'] = 9"};
  for (const std::string& attempt : attempts) {
    EXPECT_TRUE(run(attempt).starts_with('-')) << attempt;
    expect_no_trace("pcall'd: " + attempt + run("pcall(function() " + attempt + " end)"));
  }
}

// Allowed, and yet nothing of it is there for the next one.
TEST_F(Abuse, LeavesNothingBehind) {
  const std::vector<std::string> scripts{
      "KEYS[1] = 'evil' KEYS.evil = 1 ARGV.evil = 1",
      "collectgarbage('stop')",
      "collectgarbage('setpause', 1000000)",
      "collectgarbage('setstepmul', 1)",
      "math.randomseed(1)",
      "redis.setresp(3)",
      "local t = {} for i = 1, 10000 do t[i] = {} end",
      "return tostring({}) .. tostring(print)",
      "local t = setmetatable({}, {__gc = function() evil = 1 end}) t = nil collectgarbage()",
      "local t = setmetatable({}, {__mode = 'k'}) t[{}] = 1",
      "local f = loadstring('evil = 1') pcall(f)",
      "table.remove(string) table.sort(redis)",
      "next(_G) next(redis) pairs(string)",
      "unpack(_G) unpack(redis)",
      "table.foreach(_G, function() end)",
      "cjson.encode({}) cjson.decode('{}')"};
  for (const std::string& script : scripts) {
    run(script);
    expect_no_trace(script);
  }
  EXPECT_EQ(run("local a = tostring({}) return a"), run("local a = tostring({}) return a"))
      << "names do not depend on what ran before";
  EXPECT_EQ(run("return {math.random(1000), math.random(1000)}"),
            run("return {math.random(1000), math.random(1000)}"))
      << "chance is what is passed in";
}

TEST_F(Abuse, RunsNoCompiledCode) {
  EXPECT_TRUE(run("\x1bLua").starts_with('-'));
  EXPECT_TRUE(run(std::string("\x1bLuaQ\0\1\4\x08\4\x08\0", 12)).starts_with('-'));
  for (const std::string way :
       {"loadstring('\\27Lua')", "loadstring('\\27LuaQ\\0\\1\\4\\8\\4\\8\\0')",
        "load(function() return '\\27Lua' end)",
        "(function() local n = 0 return load(function() n = n + 1 return n == 1 and '\\27' or n == "
        "2 and 'LuaQ' or nil end) end)()"}) {
    EXPECT_NE(run("return type(" + std::string{way} + ")", 20), "$8\r\nfunction\r\n") << way;
  }
}

TEST_F(Abuse, ForgesNoReply) {
  EXPECT_EQ(run("return redis.error_reply('X\\r\\n+FORGED')"), "-ERR X  +FORGED\r\n");
  EXPECT_EQ(run("return redis.status_reply('X\\r\\n:1')"), "+X  :1\r\n");
  EXPECT_EQ(run("return {err = 'A\\r\\n:1'}"), "-A  :1\r\n");
  EXPECT_EQ(run("return {ok = 'A\\n:1'}"), "+A :1\r\n");
  EXPECT_EQ(run("return {big_number = '1\\r\\n:1'}"), "$5\r\n1  :1\r\n");
  EXPECT_EQ(run("error('A\\r\\n:1', 0)"), "-ERR A  :1 script: sha, on @user_script:1.\r\n");
  EXPECT_EQ(run("return {verbatim_string = {format = 'a\\r\\nb', string = 'x'}}"), "$1\r\nx\r\n");
}

TEST_F(Abuse, ReturnsWhateverItLikesWithoutHarm) {
  EXPECT_EQ(run("return {err = {}}"), "*0\r\n");
  EXPECT_EQ(run("return {map = 1, set = 2, double = 'x'}"), "*0\r\n");
  EXPECT_EQ(run("return setmetatable({}, {__index = error})"), "*0\r\n");
  EXPECT_EQ(run("return redis.call"), "$-1\r\n");
  EXPECT_EQ(run("return _G"), "*0\r\n");
  EXPECT_EQ(run("local t = {} t[1] = t return t").find("+"), std::string::npos);
}

}  // namespace
}  // namespace fencepost::script
