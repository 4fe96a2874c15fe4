// Scripts that try to get out, to stay, to crash or to take all there is: each is refused, and the
// next script finds no trace. What the sandbox must hold against is listed here, one attempt a
// line.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "script/host.h"
#include "script/sandbox.h"

namespace fencepost::script {
namespace {

// Lets a script run for so many questions, and answers every command with its own words.
class Patient final : public Host {
 public:
  explicit Patient(int patience) : patience_{patience} {}

  void call(std::span<const std::string_view> words, resp::Protocol protocol,
            std::string& reply) override {
    resp::ReplyWriter writer{reply, protocol};
    writer.array(words.size());
    for (const std::string_view word : words) writer.bulk(word);
  }
  std::optional<bool> allows(std::span<const std::string_view>) override { return true; }
  void log(LogLevel, std::string_view) override {}
  std::optional<std::string> interrupted() override {
    if (--patience_ > 0) return std::nullopt;
    return "ERR out of time";
  }

 private:
  int patience_;
};

class Abuse : public ::testing::Test {
 protected:
  std::string run(std::string_view script, int patience = 2000) {
    const auto compiled = sandbox_.compile(script);
    if (!compiled) return "-" + compiled.error().what;
    std::string out;
    resp::ReplyWriter reply{out, resp::Protocol::resp2};
    Patient host{patience};
    sandbox_.run(*compiled, {.name = "sha", .keys = {}, .arguments = {}}, host, reply);
    sandbox_.forget(*compiled);
    return out;
  }

  // What the next script finds: the libraries as they were, and nothing else.
  void expect_no_trace(std::string_view after) {
    EXPECT_EQ(run("local names = {} for name in pairs(_G) do names[#names + 1] = name end "
                  "table.sort(names) return table.concat(names, ' ')"),
              everything_)
        << after;
    EXPECT_EQ(run(kProbe), ":1\r\n") << after;
  }

  static constexpr std::string_view kProbe =
      "return type(redis.call) == 'function' and ('x'):rep(3) == 'xxx' and #KEYS == 0 and "
      "getmetatable('').__index == string and string.evil == nil and ('x').evil == nil and "
      "tostring(1) == '1' and math.floor(1.5) == 1 and "
      "pcall(function() return evil end) == false and collectgarbage('count') > 0";

  Sandbox sandbox_{{.version = "7.2.4", .limits = {.memory = std::size_t{8} * 1024 * 1024}}};
  std::string everything_ =
      run("local names = {} for name in pairs(_G) do names[#names + 1] = name end "
          "table.sort(names) return table.concat(names, ' ')");
};

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
                                       "string.dump",
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
                                       "getmetatable('').__index.dump",
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

TEST_F(Abuse, IsEndedWhateverItDoes) {
  const std::vector<std::string> scripts{
      "while true do end",
      "repeat until false",
      "for i = 1, 1e300 do end",
      "while true do pcall(function() while true do end end) end",
      "while true do pcall(error) end",
      "while true do xpcall(error, function() end) end",
      "while true do pcall(pcall, pcall, error) end",
      "local function f() return f() end f()",
      "xpcall(function() while true do end end, function() while true do end end)",
      "local function f() pcall(f) f() end f()",
      "while true do redis.call('x') end",
      "while true do redis.pcall('x') end",
      "while true do pcall(redis.call, 'x') end",
      "while true do string.rep('x', 1000) end",
      "while true do collectgarbage() end",
      "load(function() return ' ' end)",
      "load(function() while true do end end)",
      "while true do load(function() end) end",
      "string.find(string.rep('a', 40), string.rep('a*', 40) .. 'b')",
      "string.match(string.rep('a', 100), string.rep('.-', 30) .. 'b')",
      "string.gsub(string.rep('a', 1000), string.rep('a?', 30) .. string.rep('a', 30) .. 'b', '')",
      "string.find(string.rep('(', 5000), string.rep('%b()', 100) .. 'x') while true do end",
      "table.insert({}, -2147483647, 1)",
      "table.sort({3, 2, 1}, function() while true do end end)",
      "string.gsub('x', 'x', function() while true do end end)",
      "local t = setmetatable({}, {__index = function() while true do end end}) return t.x",
      "local t = setmetatable({}, {__tostring = function() while true do end end}) tostring(t)",
      "local t = {} for i = 1, 1e9 do t[i % 100] = i end",
      "while true do for w in string.gmatch(string.rep('a ', 1000), '%a') do end end",
      "while true do cjson.decode('[1,2,3]') end",
      "while true do cjson.encode({1, 2, 3}) end",
      "local s = string.rep('x', 100000) while true do s:upper() s:reverse() end",
      "while true do local t = {} for i = 1, 100 do t[i] = {} end end",
      "while true do redis.sha1hex('x') end",
      "while true do redis.log(1, 'x') end",
      "for w in ('x'):rep(100):gmatch('.-') do while true do end end",
      "while true do next({}) end",
      "while true do tostring({}) end",
      "goto_ = nil while true do end"};
  for (const std::string& script : scripts) {
    SCOPED_TRACE(script);
    const std::string end = run(script, 300);
    EXPECT_TRUE(end.starts_with('-')) << script << ": " << end;
    EXPECT_EQ(run(kProbe), ":1\r\n") << script;
  }
}

TEST_F(Abuse, TakesNoMoreMemoryThanItMay) {
  const std::vector<std::string> scripts{
      "return string.rep('x', 1e9)",
      "return string.rep('x', 2^31)",
      "return string.rep('x', 1e300)",
      "local s = 'x' while true do s = s .. s end",
      "local t = {} while true do t[#t + 1] = {} end",
      "local t = {} for i = 1, 1e9 do t[i] = i end",
      "local t = {} t[1e9] = 1 return table.concat(t, 'x', 1, 1e9)",
      "local t = {} for i = 1, 1e6 do t['k' .. i] = i end return #t",
      "return table.concat({string.rep('x', 7e6), string.rep('y', 7e6)})",
      "return string.format('%s%s', string.rep('x', 7e6), string.rep('y', 7e6))",
      "return (string.gsub(string.rep('x', 1e5), 'x', string.rep('y', 1e5)))",
      "return cjson.encode({string.rep('\\1', 7e6)})",
      "local s = string.rep('x', 1e6) local t = {} for i = 1, 1e4 do t[i] = s end return "
      "cjson.encode(t)",
      "local s = string.rep('x', 1e6) local t = {} for i = 1, 1e4 do t[i] = s end return t",
      "local t = {} for i = 1, 60 do t = {t, t} end return t",
      "local t = {} for i = 1, 60 do t = {t, t} end return cjson.encode(t)",
      "local t = {} for i = 1, 60 do t = {map = {a = t, b = t}} end return t",
      "local f = function() end local t = {} while true do t[#t + 1] = function() return f end end",
      "while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end",
      "local t = {} while true do t[#t + 1] = string.rep('x', #t) end",
      "return redis.call(string.rep('x', 7e6), string.rep('y', 7e6))",
      "return loadstring('return \"' .. string.rep('x', 7e6) .. '\"')()",
      "return string.char(unpack({}, 1, 7000)) .. string.rep('x', 1e8)",
      "local t = {} for i = 1, 1e7 do table.insert(t, 1, i) end"};
  for (const std::string& script : scripts) {
    const std::string end = run(script, 20'000);
    EXPECT_LT(end.size(), std::size_t{20} * 1024 * 1024) << script;
    EXPECT_TRUE(end.starts_with('-')) << script << ": " << end.substr(0, 100);
    EXPECT_EQ(run(kProbe), ":1\r\n") << script;
  }
  EXPECT_LT(sandbox_.used_bytes(), std::size_t{2} * 1024 * 1024);
}

TEST_F(Abuse, BreaksNoStack) {
  const std::vector<std::string> scripts{
      "local function f() return 1 + f() end return f()",
      "local function f(...) return f(1, ...) + 1 end return f()",
      "return unpack({}, 1, 1e7)",
      "return unpack({1}, 0, 2147483647)",
      "return unpack({}, -2147483648, 2147483647)",
      "return unpack({}, -2147483648, -1)",

      "return string.byte(string.rep('x', 100000), 1, -1)",
      "return loadstring(string.rep('(', 1000) .. '1' .. string.rep(')', 1000))()",
      "return loadstring('return ' .. string.rep('{', 5000) .. string.rep('}', 5000))()",
      "return loadstring(string.rep('do ', 5000) .. string.rep('end ', 5000))()",
      "return loadstring('return ' .. string.rep('- ', 1e5) .. '1')()",
      "return loadstring('return ' .. string.rep('not ', 1e5) .. '1')()",
      "return loadstring('local a = ' .. string.rep('a.', 1e5) .. 'b')()",
      "local t = {} for i = 1, 300 do t = setmetatable({}, {__index = t}) end return t.x + 1",
      "local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x",
      "local t = setmetatable({}, {}) getmetatable(t).__newindex = t t.x = 1",
      "local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x",
      "local t = setmetatable({}, {__call = function(t) return t() end}) return t() + 1",
      "local function f(x) return string.gsub(x, '.', f) end return f('x')",
      "local function f() return pcall(f) end local a, b = f() error('e')",
      "local function f() table.sort({1, 2, 3}, f) end f()",
      "return string.find(string.rep('a', 1e5), string.rep('a?', 1e5))",
      "return string.find(string.rep('a', 1e5), string.rep('(', 1e5))",
      "return string.match('x', string.rep('()', 33))",
      "return string.find('x', string.rep('%f[%w]', 1e5) .. '(((')",
      "return string.gsub('x', '%', '')",
      "return string.gsub('x', '[', '')",
      "return string.gsub('x', '[%', '')",
      "return string.gsub('x', '%b', '')",
      "return string.gsub('x', '%f', '')",
      "return string.gsub('x', '(()', '%9')",
      "return string.format('%100s', 'x')",
      "return string.format('%.100f', 1)",
      "return string.format('%1000000d', 1)",
      "return string.format('%')",
      "return string.format('%s')",
      "return string.char(-1)",
      "return string.char(256, 1e300)",
      "return cjson.decode(string.rep('[', 1e5))",
      "return cjson.decode(string.rep('{\"a\":', 1e5))",
      "local t = {} t.t = t return cjson.encode(t)",
      "return cjson.decode('[\"\\\\ud800\"]')",
      "return cjson.decode('\"\\\\u')",
      "return bit.tohex()",
      "return bit.lshift(1)",
      "return next({}, {})",
      "return select(-1e9, 1)",
      "return setmetatable({}, 1)",
      "return ('x'):rep(1e9):rep(1e9)",
      "return #_G.x",
      "return table.concat({{}})",
      "error(setmetatable({}, {__index = error}))",
      "error(redis)",
      "error(_G)",
      "error({err = {}})",
      "error(nil)",
      "error({})",
      "return tonumber('1', 1e9)",
      "return math.random(2, 1)"};
  for (const std::string& script : scripts) {
    EXPECT_TRUE(run(script, 3000).starts_with('-')) << script << ": " << run(script, 3000);
    EXPECT_EQ(run(kProbe), ":1\r\n") << script;
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
