// What random scripts are made of. `@n` and the like stand for an expression of that kind, made up
// in turn; `@r` for any number, `@j` for JSON and `@m` for MessagePack, as literals.
#pragma once

#include <string_view>

namespace fencepost::compat {

// Shows any value in one line, without addresses and in one order.
constexpr std::string_view kShow =
    "local function show(v, d) d = d or 0 local t = type(v) "
    "if t == 'number' then return string.format('%.17g', v) end "
    "if t == 'string' then return '<' .. v .. '>' end "
    "if t ~= 'table' then return t == 'function' and t or tostring(v) end "
    "if d > 5 then return '...' end local keys = {} "
    "for k in pairs(v) do if type(k) ~= 'table' and type(k) ~= 'function' then keys[#keys + 1] = k "
    "end end "
    "table.sort(keys, function(a, b) return show_key(a) < show_key(b) end) local out = {} "
    "for i, k in ipairs(keys) do out[i] = show_key(k) .. '=' .. show(v[k], d + 1) end "
    "return '{' .. table.concat(out, ',') .. '}' end ";

struct Kind {
  std::string_view name;
  std::string_view ends;   // forms that need no further ones, by |
  std::string_view forms;  // forms
};

constexpr Kind kKinds[] = {
    {"n",
     "0|1|-1|2|3|7|10|255|256|65535|65536|2.5|-0.1|0.1|1e15|1e16|123456789012|2^31|-2^31|2^32|2^53|"
     "-2^53|2^63|"
     "-2^63|2^64|1e300|-1e300|1/0|-1/0|1/3|-0.0|3.999999|5e-324|17.5|@r|@r|@r|@r|@r|@r|@r|@r",
     "@n + @n|@n - @n|@n * @n|@n / @n|@n % @n|-@n|(@n) ^ "
     "@i|#@s|#@t|math.floor(@n)|math.ceil(@n)|math.abs(@n)|"
     "math.max(@n, @n)|math.min(@n, @n, @n)|math.fmod(@n, "
     "@n)|math.modf(@n)|math.sqrt(@n)|math.pow(@n, @i)|"
     "math.ldexp(@n, @i)|math.frexp(@n)|math.mod(@n, @n)|math.log10(@n)|tonumber(@s)|tonumber(@s, "
     "@i)|"
     "tonumber(@n)|bit.band(@n, @n)|bit.bor(@n, @n)|bit.bxor(@n, @n, "
     "@n)|bit.bnot(@n)|bit.lshift(@n, @i)|"
     "bit.rshift(@n, @i)|bit.arshift(@n, @i)|bit.rol(@n, @i)|bit.ror(@n, "
     "@i)|bit.bswap(@n)|bit.tobit(@n)|"
     "string.len(@s)|string.byte(@s, @i)|select('#', @v, "
     "@v)|table.getn(@t)|table.maxn(@t)|struct.size(@f)|"
     "(math.randomseed(@i) or math.random())|(math.randomseed(@i) or math.random(@i))|"
     "(math.randomseed(@n) or math.random(@i, 20))|redis.call('INCR', "
     "KEYS[1])|redis.call('STRLEN', KEYS[1])|"
     "redis.call('EXISTS', KEYS[1])|redis.REPL_ALL|redis.LOG_WARNING"},
    {"i", "-3|-2|-1|0|1|2|3|4|5|8|16|31|32|33|40|100|2.5|nil", ""},
    {"s",
     "''|'a'|'abc'|'hello world'|'10'|'0x1F'|' 5 '|'1e2'|'-7.25'|'inf'|'nan'|'%d'|'a.b-c'|'x=1, "
     "y=2'|"
     "'\\0\\1\\255'|'line\\r\\nend'|ARGV[1]|KEYS[1]|'\\195\\164'|'aaa'|'(x(y)z)'|'1 "
     "'|'1z'|'99999999999999999999'",
     "@s .. @s|@n .. @s|tostring(@n)|tostring(@b)|string.rep(@s, @i)|string.sub(@s, "
     "@i)|string.sub(@s, @i, @i)|"
     "string.upper(@s)|string.lower(@s)|string.reverse(@s)|string.format(@p, @v)|string.format(@q, "
     "@n)|"
     "string.format('%s|%5s|%-5s|%.2s|', @s, @s, @s, @s)|string.format('%q', @s)|string.char(@i, "
     "@n)|"
     "string.gsub(@s, @p, @s)|string.gsub(@s, @p, '%0%1', @i)|string.gsub(@s, @p, function(a, b) "
     "return @v end)|"
     "string.gsub(@s, @p, @t)|string.match(@s, @p)|string.match(@s, @p, @i)|table.concat(@t)|"
     "table.concat(@t, @s)|table.concat(@t, @s, @i, "
     "@i)|cjson.encode(@v)|cjson.encode(@t)|cmsgpack.pack(@v)|"
     "cmsgpack.pack(@v, @v)|struct.pack(@f, @n, @s, @n)|struct.pack(@f, @n, @n)|struct.pack(@f, "
     "@s)|"
     "bit.tohex(@n)|bit.tohex(@n, @i)|redis.sha1hex(@s)|redis.sha1hex(@v)|type(@v)|"
     "redis.call('GET', KEYS[1])|(@s):rep(@i)|(@s):upper()|tostring(redis.call('GET', "
     "KEYS[1]))|_VERSION|"
     "cjson._VERSION|cmsgpack._NAME"},
    {"b", "true|false|nil",
     "@n < @n|@s < @s|@n <= @s|@v == @v|not @v|@n and @s|@n or @s|rawequal(@v, @v)|@n == @s|@t == "
     "@t|@n < nil|"
     "redis.acl_check_cmd('get', @s)|redis.replicate_commands()|redis.breakpoint()|@s ~= @n"},
    {"t",
     "{}|{1, 2, 3}|{1, nil, 3}|{'a', 'b'}|{a = 1}|{[1] = 1, [2] = 2, [4] = 4}|{[20] = 1}|{1, {2, "
     "{3}}}|"
     "{ok = 'FINE'}|{err = 'MINE it'}|{1.5, '2', true, false}|{[0] = 0}|{[1.5] = 1}|{[-1] = 1}|{n "
     "= 3}",
     "{@v}|{@v, @v}|{@v, @v, @v}|{a = @v}|{[@n] = @v}|{[@s] = @v}|{double = @n}|{double = @v}|{map "
     "= {a = @v}}|"
     "{map = {[@n] = @s}}|{map = @v}|{set = {a = true}}|{set = {[@s] = @v}}|{big_number = "
     "'12345678901234567890'}|"
     "{verbatim_string = {format = 'txt', string = @s}}|{verbatim_string = {format = @s, string = "
     "@s}}|"
     "{ok = @v}|{err = @v}|{err = @s}|{ok = @s}|redis.error_reply(@s)|redis.status_reply(@s)|"
     "redis.error_reply(@v)|redis.pcall('INCR', KEYS[1])|redis.pcall('GET', "
     "KEYS[1])|redis.pcall(@s)|"
     "redis.pcall('SET', KEYS[1], @v)|redis.call('SET', KEYS[1], @s)|redis.pcall('MGET', KEYS[1], "
     "@v)|"
     "{string.find(@s, @p)}|{string.find(@s, @p, @i)}|{string.find(@s, @s, @i, "
     "true)}|{string.byte(@s, 1, -1)}|"
     "{string.gsub(@s, @p, @s)}|{math.modf(@n)}|{math.frexp(@n)}|{pcall(error, @v)}|{pcall(error)}|"
     "{pcall(function() error(@v) end)}|{pcall(function() error(@v, @i) end)}|{pcall(function() "
     "return @v end)}|"
     "{xpcall(function() return @v end, function(e) return {e} end)}|{xpcall(function() error(@s) "
     "end, type)}|"
     "{select(@i, @v, @v)}|{unpack(@t)}|{unpack(@t, @i, "
     "@i)}|{next(@t)}|{cjson.decode(@j)}|cjson.decode(@j)|"
     "{cmsgpack.unpack(@m)}|{cmsgpack.unpack_one(@m)}|{cmsgpack.unpack_one(@m, @i)}|"
     "{cmsgpack.unpack_limit(@m, @i)}|{cmsgpack.unpack_limit(@m, @i, "
     "@i)}|{cmsgpack.unpack(cmsgpack.pack(@v))}|"
     "{struct.unpack(@f, @s)}|{struct.unpack(@f, @m)}|{struct.unpack(@f, struct.pack(@f, @n, @n))}|"
     "{struct.unpack(@f, @m, @i)}|cjson.decode(cjson.encode(@v))|setmetatable({}, {__index = "
     "function() return @v end})|"
     "{loadstring('return ' .. @s)}|{pcall(loadstring('return "
     "@n'))}|{loadstring(@s)}|{load(function() end)}|"
     "{tonumber(@s), tonumber(@s, 16), tonumber(@s, 2)}|{rawget(@t, @n)}|{table.remove({1, 2, 3}, "
     "@i)}|"
     "(function() local t = {3, 1, 2} table.sort(t) return t end)()|"
     "(function() local t = {5, 2, 9, 1, 7} table.sort(t, function(a, b) return a > b end) return "
     "t end)()|"
     "(function() local t = {@n, @n, @n} table.sort(t) return t end)()|"
     "(function() local t = {1, 2, 3, 4, 5, 6} table.sort(t, function(a, b) return @b end) return "
     "t end)()|"
     "(function() local t = {1, 2} table.insert(t, @v) return t end)()|"
     "(function() local t = {1, 2, 3} table.insert(t, @i, @v) return t end)()|"
     "(function() local t = {} for w in string.gmatch(@s, @p) do t[#t + 1] = w end return t end)()|"
     "(function() local t = {} for k, v in pairs({a = 1}) do t[k] = v end return t end)()|"
     "(function() cjson.encode_sparse_array(true) local s = cjson.encode(@t) "
     "cjson.encode_sparse_array(false) return {s} end)()|"
     "(function() cjson.encode_number_precision(5) local s = cjson.encode(@n) "
     "cjson.encode_number_precision(14) return {s} end)()|"
     "(function(...) return {select('#', ...), ...} end)(@v, @v)"},
    {"v", "1|'a'|nil|true|false|3.7|{}", "@n|@n|@s|@s|@b|@t|@t|cjson.null"},
    {"p",
     "'%a'|'%a+'|'%d*'|'.'|'.-'|'^a'|'a$'|'[abc]'|'[^a-c]+'|'(%a)(%a)'|'%b()'|'%f[%w]'|'()'|'(a*(.)"
     "%w(%s*))'|'%s'|"
     "'[%a_][%w_]*'|'%1'|'('|'[a'|'%'|'(()'|'%z'|'.*x'|'a-b'|'[]]'|'[^]]'|'%w*$'|'(.-)%s*$'|'[a-]'|"
     "'[%]'|'a?b?c?'|"
     "')'|'%g'|'^^a'|'x*'|'%5d'|'%s'|'%q'|'%x%X'",
     ""},
    {"q",
     "'%d'|'%5d'|'%-5d|'|'%05d'|'%+d'|'% "
     "d'|'%.3d'|'%i'|'%u'|'%o'|'%x'|'%X'|'%#x'|'%c'|'%e'|'%E'|'%f'|'%.2f'|'%10.3f'|"
     "'%g'|'%G'|'%.17g'|'%.0f'|'%#g'|'%a'|'%s'|'%q'|'%%'|'%'|'%y'|'%100d'|'%.100f'|'%99.99f'|'%5'|'"
     "%-+ #0d'|'%-+ #00d'|"
     "'%ld'|'%d %d'|'%.20s'|'%-99d'",
     ""},
    {"f",
     "'b'|'B'|'h'|'H'|'i'|'I'|'l'|'L'|'T'|'f'|'d'|'s'|'c'|'c0'|'c3'|'x'|'bs'|'>h'|'<H'|'>i3'|'i9'|'"
     "I16'|'i32'|'i33'|"
     "'!4bi'|'!8bd'|'!bl'|'!2 c1 "
     "l'|'>!4hI<i2'|'bc0'|'bsh'|'xbx'|'hhs'|'!3b'|'z'|'i0'|'>d'|'>f'|'bxs'|'!16d'|"
     "'c99999999999'|'i5s'|'bb'|'dd'|'dc0'|' b '|'ss'|'!1i'|'!0'|'>c0'|'Bc0'|'b b b'",
     ""},
};

constexpr std::string_view kStatements[] = {
    "return @v",
    "return @t",
    "return @n",
    "return @s",
    "return show(@v)",
    "return show(@t)",
    "return show(@n)",
    "return show(@s)",
    "return show({@v, @v, @v})",
    "return show({cjson.encode(@r), cjson.encode({@r, @r}), cjson.decode(cjson.encode({@r}))})",
    "return show({pcall(cjson.decode, @j)})",
    "return show({cmsgpack.pack(@r, @r), cmsgpack.unpack(cmsgpack.pack(@r, {@r, a = @r}))})",
    "return show({pcall(cmsgpack.unpack, @m)})",
    "return show({pcall(struct.pack, @f, @r, @r, @r)})",
    "return show({pcall(function() return struct.unpack(@f, struct.pack(@f, @r, @r, @r)) end)})",
    "return show({bit.tobit(@r), bit.bxor(@r, @r), bit.tohex(@r), bit.lshift(@r, @i), "
    "bit.arshift(@r, @i), bit.ror(@r, @r)})",
    "return show({tostring(@r), @r .. '', tonumber(tostring(@r)), @r % @r, math.floor(@r)})",
    "return show({pcall(function() return @t end)})",
    "return show({pcall(function() return @s end)})",
    "return show({pcall(function() return @n end)})",
    "local v = @v return {type(v), show(v)}",
    "redis.setresp(3) return @v",
    "redis.setresp(3) return show(redis.call('GET', KEYS[1]))",
    "redis.setresp(@n) return @v",
    "redis.setresp(3) return {redis.call('GET', 'none'), redis.pcall('INCR', KEYS[1])}",
    "return {@v, @v, @v}",
    "error(@s)",
    "error(@s, @i)",
    "error({err = 'E ' .. tostring(@n)})",
    "error(@n)",
    "local t = @t t[@n] = @v return show(t)",
    "return redis.call(@s, KEYS[1])",
    "return redis.call('SET', KEYS[1], @v)",
    "return redis.call('SET', KEYS[1], @n) and redis.call('GET', KEYS[1])",
    "return redis.pcall('APPEND', KEYS[1], @n)",
    "return redis.call('GETRANGE', KEYS[1], @n, @n)",
    "return redis.call('INCRBYFLOAT', KEYS[1], @n)",
    "return redis.call(@v)",
    "return redis.call()",
    "return redis.log(@n, @s)",
    "return redis.log(redis.LOG_DEBUG, @v)",
    "return redis.log(@v)",
    "return redis.set_repl(@n)",
    "return redis.setresp()",
    "return redis.acl_check_cmd(@s)",
    "return redis.error_reply(@s)",
    "return redis.status_reply(@s, @s)",
    "return @s < @n",
    "return @t + 1",
    "return @s + @n",
    "return #@n",
    "return nosuch",
    "nosuch = 1",
    "local t = @t return t.a.b",
    "return (@v)()",
    "@t.x = 1",
    "local function f(n) if n == 0 then return @v end return f(n - 1) end return f(3)",
    "local a, b = @v, @v if a == b then return 1 end return show({a, b})",
    "for i = 1, @i do redis.call('APPEND', KEYS[1], i) end return redis.call('GET', KEYS[1])",
    "for i, v in ipairs(@t) do if i > 2 then return v end end",
    "if @b then return @v else return @n end",
    "assert(@v, @s) return 1",
    "assert(@b)",
    "string.x = 1",
    "rawset(_G, 'x', 1)",
    "setmetatable(_G, {})",
    "return tostring(cjson.null) .. @s",
    "return pcall(redis.call, 'GET')",
    "return {pcall(redis.call, 'INCR', KEYS[1])}",
    "local ok, e = pcall(redis.call, 'NOSUCH') return show(e)",
    "local e = redis.pcall('INCRBY', KEYS[1], @s) return type(e) == 'table' and e.err or e",
    "return @v, @v",
    "return {KEYS, ARGV, #KEYS, #ARGV}",
    "goto x",
    "return 'unfinished",
    "return [[long\n@n]]",
    "x = = 1",
    "return @n @n",
    "local x <const> = 1",
    "return 0x10 + 0xA",
    "--[[ comment ]] return 1 -- end",
    "return ('%d'):format(@n)",
};

constexpr std::string_view kShebangs[] = {"#!lua\n",
                                          "#!lua flags=no-writes\n",
                                          "#!lua flags=allow-oom,no-writes\n",
                                          "#!lua name=x\n",
                                          "#!lua flags=nope\n",
                                          "#!python\n",
                                          "#!lua",
                                          "#!lua flags=\n",
                                          "#!lua  flags=allow-stale\n",
                                          "#!\n"};

// JSON, well formed and not.
constexpr std::string_view kJson[] = {"1",
                                      "-1.5e3",
                                      "0.1",
                                      "1e400",
                                      "\"a\"",
                                      "\"\\u00e4\\n\\/\"",
                                      "\"\\ud83d\\ude00\"",
                                      "\"\\ud800\"",
                                      "\"\\u12\"",
                                      "true",
                                      "false",
                                      "null",
                                      "[]",
                                      "{}",
                                      "[1,2,3]",
                                      "[1,null,\"x\",[true]]",
                                      "{\"a\":1}",
                                      "{\"a\":{\"b\":[1]}}",
                                      "{\"1\":1}",
                                      "[1,]",
                                      "[,1]",
                                      "{\"a\"}",
                                      "{a:1}",
                                      "[1 2]",
                                      "nul",
                                      "tru",
                                      "+1",
                                      "01",
                                      "0x1F",
                                      "inf",
                                      "-inf",
                                      "nan",
                                      "Infinity",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "-",
                                      "\"\\x\"",
                                      "\"abc",
                                      "'a'",
                                      " [ 1 , 2 ] ",
                                      "[1]x",
                                      "",
                                      " ",
                                      "[",
                                      "]",
                                      "{\"a\":1,}",
                                      "12345678901234567890",
                                      "\"\t\"",
                                      "[[[[[[1]]]]]]",
                                      "{\"a\":1,\"a\":2}",
                                      "1 2",
                                      "[1e5,-0,0.0]",
                                      "\"\\u0000x\""};

}  // namespace fencepost::compat
