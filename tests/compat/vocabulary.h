// What random requests are made of: the forms of commands, and words with a point to them.
#pragma once

#include <string_view>

namespace fencepost::compat {

struct Form {
  int weight;
  std::string_view text;
};

// A word stands for itself, in any letter case; @kind for something made up.
constexpr Form kForms[] = {
    {30, "SET @text_key @value"},
    {40, "SET @text_key @value @set_options"},
    {30, "GET @text_key"},
    {6, "GETDEL @text_key"},
    {12, "GETEX @text_key @getex_options"},
    {6, "SETNX @text_key @value"},
    {6, "SETEX @text_key @lease_s @value"},
    {6, "PSETEX @text_key @lease_ms @value"},
    {6, "GETSET @text_key @value"},
    {8, "APPEND @text_key @value"},
    {6, "STRLEN @text_key"},
    {8, "INCR @text_key"},
    {6, "DECR @text_key"},
    {8, "INCRBY @text_key @number"},
    {6, "DECRBY @text_key @number"},
    {10, "INCRBYFLOAT @text_key @real"},
    {6, "MGET @text_key @text_key @text_key"},
    {6, "MSET @text_key @value @text_key @value"},
    {6, "MSETNX @text_key @value @text_key @value"},
    {8, "GETRANGE @text_key @offset @offset"},
    {4, "SUBSTR @text_key @offset @offset"},
    {8, "SETRANGE @text_key @offset @value"},
    {6, "LCS @text_key @text_key @lcs_options"},
    {12, "DEL @text_key"},
    {4, "DEL @text_key @text_key @text_key"},
    {4, "UNLINK @text_key @text_key"},
    {6, "EXISTS @text_key @text_key"},
    {6, "TYPE @key"},
    {4, "TOUCH @text_key @text_key"},
    {8, "RENAME @key @key"},
    {6, "RENAMENX @key @key"},
    {8, "COPY @key @key @copy_options"},
    {6, "MOVE @key @database"},
    {3, "SWAPDB @database @database"},
    {10, "EXPIRE @key @lease_s @expire_options"},
    {10, "PEXPIRE @key @lease_ms @expire_options"},
    {6, "EXPIREAT @key @moment_s @expire_options"},
    {6, "PEXPIREAT @key @moment_ms @expire_options"},
    {6, "PERSIST @key"},
    {6, "TTL @key"},
    {6, "PTTL @key"},
    {4, "EXPIRETIME @key"},
    {4, "PEXPIRETIME @key"},
    {5, "KEYS @pattern"},
    {6, "SCAN 0 COUNT 1000 @scan_options"},
    {3, "DBSIZE"},
    {3, "RANDOMKEY"},
    {1, "FLUSHDB @flush_options"},
    {1, "FLUSHALL @flush_options"},
    {4, "OBJECT ENCODING @key"},
    {3, "OBJECT REFCOUNT @key"},
    {2, "OBJECT IDLETIME @key"},
    {1, "OBJECT FREQ @key"},
    {8, "MULTI"},
    {10, "EXEC"},
    {3, "DISCARD"},
    {6, "WATCH @key @key"},
    {2, "UNWATCH"},
    {8, "SELECT @database"},
    {3, "PING"},
    {2, "PING @value"},
    {3, "ECHO @value"},
    {1, "HELLO @protocol"},
    {1, "RESET"},
    {1, "QUIT"},
    {1, "AUTH @value"},
    {1, "AUTH default @value"},
    {2, "CLIENT GETNAME"},
    {2, "CLIENT SETNAME @name_of_client"},
    {1, "CLIENT ID"},
    {1, "CLIENT NO-EVICT @on_off"},
    {1, "CLIENT UNBLOCK @number"},
    {1, "CLIENT KILL ID 999999999"},
    {1, "CLIENT KILL @junk"},
    {1, "CLIENT UNPAUSE"},
    {1, "TIME"},
    {1, "ROLE"},
    {1, "READONLY"},
    {1, "READWRITE"},
    {1, "ASKING"},
    {2, "COMMAND GETKEYS @request"},
    {2, "COMMAND GETKEYSANDFLAGS @request"},
    {2, "COMMAND INFO @name"},
    {1, "LATENCY LATEST"},
    {1, "LATENCY RESET @junk"},
    {1, "LATENCY HISTORY @junk"},
    {1, "CONFIG RESETSTAT"},
    {1, "CONFIG REWRITE"},
    {1, "CONFIG @junk"},
    {1, "SLOWLOG LEN"},
    {1, "SLOWLOG GET @number"},
    {1, "SLOWLOG RESET"},
    {1, "MEMORY PURGE"},
    {1, "MODULE LIST"},
    {1, "@junk"},
    {1, "@junk @value @value"},
    {1, "CLIENT @junk"},
    {1, "OBJECT @junk @key"},
};

// A key that is no string at the beginning of some rounds. Commands whose words say @text_key treat
// it alike on both servers: they refuse it, replace it, or remove it.
constexpr std::string_view kNoString = "w";

constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "7",
                                         "10",
                                         "100",
                                         "9999",
                                         "10000",
                                         "-5",
                                         "123456789",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "-9223372036854775809",
                                         "2147483648",
                                         "-0",
                                         "007",
                                         "+1",
                                         " 1",
                                         "1 ",
                                         "1.0",
                                         "1e3",
                                         "0x10",
                                         "",
                                         "-",
                                         "ten",
                                         "18446744073709551615"};

constexpr std::string_view kReals[] = {
    "0",        "1",      "-1",  "0.1",  "-2.5", "3.0e3", "5e-7",  "1e17",
    "1e300",    "1e4931", "inf", "-inf", "nan",  "0x1p3", " 1",    "1 ",
    "",         ".",      ".5",  "5.",   "1e",   "-0",    "00.10", "12345678901234567890.125",
    "infinity", "+3"};

constexpr std::string_view kPatterns[] = {"*",      "k*",  "k?",    "?",    "[k-l]1", "k[^0-4]",
                                          "\\k*",   "",    "[",     "k[",   "*1",     "K*",
                                          "k[3-1]", "**1", "k[0-2", "nope", "k\\"};

constexpr std::string_view kJunk[] = {"foo", "gett", "s\r\net", "", "help me", "x\tx", "setx"};

struct Raw {
  int replies;
  std::string_view bytes;
};

constexpr Raw kRaw[] = {
    {1, "GET k1\r\n"},
    {1, "  set  k2  v \r\n"},
    {1, "SET k1 \"a b\\x41\\n\"\n"},
    {1, "SET k1 'it\\'s'\r\n"},
    {0, "\r\n"},
    {1, "PING\n"},
    {1, "ECHO \"\"\r\n"},
    {1, "GET \"k1\r\n"},
    {1, "SET k1 'v'x\r\n"},
    {1, "get\tk1\r\n"},
    {1, "*0\r\nPING\r\n"},
    {1, "*-1\r\nPING\r\n"},
    {1, "*1\r\n$4\r\nPING\r\n"},
    {1, "*1\r\n$04\r\nPING\r\n"},
    {1, "*2\r\n$3\r\nGET\r\n$-1\r\n"},
    {1, "*1\r\n$x\r\n"},
    {1, "*x\r\n"},
    {1, "*1\r\n+PING\r\n"},
    {1, "*2147483648\r\n"},
    {1, "*1\r\n$999999999999\r\n"},
};

}  // namespace fencepost::compat
