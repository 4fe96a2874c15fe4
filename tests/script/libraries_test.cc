// cmsgpack and struct: the bytes, limits and error texts of redis-server 7.0.15.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "script/host.h"
#include "script/sandbox.h"

namespace fencepost::script {
namespace {

class NoHost final : public Host {
 public:
  void call(std::span<const std::string_view>, resp::Protocol protocol,
            std::string& reply) override {
    resp::ReplyWriter{reply, protocol}.null();
  }
  std::optional<bool> allows(std::span<const std::string_view>) override { return true; }
  void log(LogLevel, std::string_view) override {}
  std::optional<std::string> interrupted() override { return std::nullopt; }
};

std::string run(const std::string& script) {
  static Sandbox sandbox{{.version = "7.2.4"}};
  const auto compiled = sandbox.compile(script);
  if (!compiled) return "-" + compiled.error().what;
  std::string out;
  resp::ReplyWriter reply{out, resp::Protocol::resp2};
  NoHost host;
  sandbox.run(*compiled, {.name = "sha", .keys = {}, .arguments = {}}, host, reply);
  sandbox.forget(*compiled);
  return out;
}

// The bytes of the string that an expression is, in hex; or the error without where it was.
std::string bytes(const std::string& expression) {
  const std::string reply =
      run("return (string.gsub(" + expression +
          ", '.', function(c) return string.format('%02x', string.byte(c)) end))");
  if (reply[0] == '-') return reply.substr(0, reply.find(" script: "));
  return reply.substr(reply.find('\n') + 1, reply.size() - reply.find('\n') - 3);
}

std::string values(const std::string& expression) {
  const std::string reply = run("local out = {} for i, v in ipairs({" + expression +
                                "}) do out[i] = type(v) == 'table' and cjson.encode(v) or "
                                "tostring(v) end return table.concat(out, ' ')");
  if (reply[0] == '-') return reply.substr(0, reply.find(" script: "));
  return reply.substr(reply.find('\n') + 1, reply.size() - reply.find('\n') - 3);
}

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST(MsgPack, PacksInAsFewBytesAsItCan) {
  const Cases cases{
      {"nil", "c0"},
      {"true, false", "c3c2"},
      {"0, 127, -1, -32, -0.0", "007fffe000"},
      {"128, 255, -33, -128", "cc80ccffd0dfd080"},
      {"256, 65535, -129, -32768", "cd0100cdffffd1ff7fd18000"},
      {"65536, 4294967295, -32769", "ce00010000ceffffffffd2ffff7fff"},
      {"4294967296, 2^53, -2^63", "cf0000000100000000cf0020000000000000d38000000000000000"},
      {"2^63, 0.5, 1/0, -1/0", "ca5f000000ca3f000000ca7f800000caff800000"},
      {"0.1, 1e300", "cb3fb999999999999acb7e37e43c8800759c"},
      {"'', 'abc'", "a0a3616263"},
      {"{}, {1, 2}, {[2] = 1}", "90920102810201"},
      {"{a = 1}, {[1.5] = true}", "81a1610181ca3fc00000c3"},
      {"{{{}}}", "919190"},
      {"redis.call", "c0"}};
  for (const auto& [values, packed] : cases)
    EXPECT_EQ(bytes("cmsgpack.pack(" + values + ")"), packed);
  EXPECT_EQ(bytes("cmsgpack.pack(('x'):rep(32)):sub(1, 3)"), "d92078");
  EXPECT_EQ(bytes("cmsgpack.pack(('x'):rep(256)):sub(1, 4)"), "da010078");
  EXPECT_EQ(bytes("cmsgpack.pack(('x'):rep(65536)):sub(1, 6)"), "db0001000078");
  EXPECT_EQ(
      bytes(
          "(function() local t = {} for i = 1, 16 do t[i] = 1 end return cmsgpack.pack(t) end)()"),
      "dc0010"
      "01010101010101010101010101010101");
  EXPECT_EQ(bytes("(function() local t = {} local r = t for i = 1, 20 do t[1] = {} t = t[1] end "
                  "return cmsgpack.pack(r) end)()"),
            "91919191919191919191919191919191c0")
      << "what is deeper than 16 is nil";
  EXPECT_EQ(bytes("cmsgpack.pack()"),
            "-ERR user_script:1: bad argument #0 to 'pack' (MessagePack pack needs input.)");
}

TEST(MsgPack, UnpacksWhatItPacks) {
  const Cases cases{
      {"'\\1\\2\\3'", "1 2 3"},
      {"'\\255\\224'", "-1 -32"},
      {"'\\204\\255\\205\\1\\2\\206\\0\\1\\0\\1'", "255 258 65537"},
      {"'\\208\\128\\209\\255\\0\\210\\255\\255\\255\\0'", "-128 -256 -256"},
      {"'\\211\\255\\255\\255\\255\\255\\255\\255\\254'", "-2"},
      {"'\\202\\63\\0\\0\\0\\203\\63\\224\\0\\0\\0\\0\\0\\0'", "0.5 0.5"},
      {"'\\195\\161x\\217\\1y\\218\\0\\1z\\219\\0\\0\\0\\1w'", "true x y z w"},
      {"'\\146\\1\\144\\129\\161a\\1'", "[1,{}] {\"a\":1}"},
      {"'\\220\\0\\1\\7\\222\\0\\1\\161a\\7\\221\\0\\0\\0\\1\\8'", "[7] {\"a\":7} [8]"}};
  for (const auto& [text, all] : cases)
    EXPECT_EQ(values("cmsgpack.unpack(" + text + ")"), all) << text;
}

TEST(MsgPack, RefusesWhatIsNoMessagePack) {
  for (const std::string text : {"'\\193'", "'\\196\\1x'", "'\\199\\1\\1x'", "'\\212\\1x'"}) {
    EXPECT_EQ(values("cmsgpack.unpack(" + text + ")"),
              "-ERR user_script:1: Bad data format in input.");
  }
  for (const std::string text : {"'\\204'", "'\\145'", "'\\129\\1'", "'\\161'", "'\\217\\5abc'",
                                 "'\\203\\1'", "'\\221\\255\\255\\255\\255'",
                                 "'\\223\\255\\255\\255\\255'", "'\\219\\255\\255\\255\\255'"}) {
    EXPECT_EQ(values("cmsgpack.unpack(" + text + ")"),
              "-ERR user_script:1: Missing bytes in input.")
        << text;
  }
  EXPECT_EQ(values("cmsgpack.unpack('\\129\\192\\1')"), "-ERR table index is nil");
  EXPECT_EQ(values("cmsgpack.unpack(('\\145'):rep(4000) .. '\\1')"),
            "-ERR user_script:1: stack overflow (in function mp_decode_to_lua_array)");
  EXPECT_EQ(values("cmsgpack.unpack(('\\145'):rep(3999) .. '\\192')").substr(0, 4), "-ERR")
      << "and this one is too deep for cjson.encode alone";
  EXPECT_EQ(values("cmsgpack.unpack(('\\1'):rep(8000))"),
            "-ERR user_script:1: stack overflow (too many return values at once; use unpack_one or "
            "unpack_limit instead.)");
}

TEST(MsgPack, UnpacksPieceByPiece) {
  EXPECT_EQ(values("cmsgpack.unpack_one('\\1\\2\\3')"), "1 1");
  EXPECT_EQ(values("cmsgpack.unpack_one('\\1\\2\\3', 2)"), "-1 3");
  EXPECT_EQ(values("cmsgpack.unpack_one('\\1\\2\\3', 3)"), "-1");
  EXPECT_EQ(values("cmsgpack.unpack_limit('\\1\\2\\3', 2)"), "2 1 2");
  EXPECT_EQ(values("cmsgpack.unpack_limit('\\1\\2\\3', 5, 1)"), "-1 2 3");
  EXPECT_EQ(values("cmsgpack.unpack_limit('\\1\\2\\3', 0)"), "1 2 3");
  EXPECT_EQ(values("cmsgpack.unpack_one('\\1', 4)"),
            "-ERR user_script:1: Start offset 4 greater than input length 1.");
  EXPECT_EQ(values("cmsgpack.unpack_one('\\1', -1)"),
            "-ERR user_script:1: Invalid request to unpack with offset of -1 and limit of 1.");
}

TEST(Struct, PacksNumbersAndStrings) {
  const Cases cases{{"'b', 1", "01"},
                    {"'B', 300.7", "2c"},
                    {"'h', 70000", "7011"},
                    {"'>h', 258", "0102"},
                    {"'i', 1", "01000000"},
                    {"'i3', -2", "feffff"},
                    {"'>I3', 66051", "010203"},
                    {"'l', -1", "ffffffffffffffff"},
                    {"'T', 1", "0100000000000000"},
                    {"'i9', -1", "ffffffffffffffff00"},
                    {"'>i9', -1", "00ffffffffffffffff"},
                    {"'i0', 1", ""},
                    {"'f', 0.1", "cdcccc3d"},
                    {"'>d', 0.1", "3fb999999999999a"},
                    {"'s', 'ab'", "616200"},
                    {"'c0', 'ab'", "6162"},
                    {"'c', 'ab'", "61"},
                    {"'x b x', 1", "000100"},
                    {"'!8b i', 1, 2", "0100000002000000"},
                    {"'!4b>i4<i2', 1, 2, 3", "01000000000000020300"},
                    {"'!2 c1 l', 'a', 1", "61000100000000000000"},
                    {"'b\\0b', 1, 2", "01"},
                    {"'L', 0/0", "0000000000000080"},
                    {"'L', 2^63", "0000000000000080"},
                    {"'L', 2^64", "0000000000000000"},
                    {"'l', 1e19", "0000e8890423c78a"}};
  for (const auto& [arguments, packed] : cases) {
    EXPECT_EQ(bytes("struct.pack(" + arguments + ")"), packed) << arguments;
  }
}

TEST(Struct, SaysWhatIsWrong) {
  const Cases cases{
      {"pack('b')", "bad argument #2 to 'pack' (number expected, got nil)"},
      {"pack('bi', 1)", "bad argument #3 to 'pack' (number expected, got nil)"},
      {"pack('c5', 'ab')", "bad argument #3 to 'pack' (string too short)"},
      {"pack('i33', 1)", "integral size 33 is larger than limit of 32"},
      {"pack('c2147483648', 'x')", "integral size overflow"},
      {"pack('!3')", "alignment 3 is not a power of 2"},
      {"pack('!0')", "alignment 0 is not a power of 2"},
      {"pack('z')", "bad argument #1 to 'pack' (invalid format option 'z')"},
      {"unpack('i', 'abc')", "bad argument #2 to 'unpack' (data string too short)"},
      {"unpack('b', 'a', 0)", "bad argument #3 to 'unpack' (offset must be 1 or greater)"},
      {"unpack('b', 'a', -1)", "bad argument #2 to 'unpack' (data string too short)"},
      {"unpack('s', 'abc')", "unfinished string in data"},
      {"unpack('c0', 'abc')", "format 'c0' needs a previous size"},
      {"unpack('bc0', '\\5abc')", "bad argument #2 to 'unpack' (data string too short)"},
      {"unpack('c2147483647', 'abc')", "bad argument #2 to 'unpack' (data string too short)"},
      {"unpack(('b'):rep(9000), ('x'):rep(9000))", "stack overflow (too many results)"},
      {"size('s')", "bad argument #1 to 'size' (option 's' has no fixed size)"},
      {"size('bc0')", "bad argument #1 to 'size' (option 'c0' has no fixed size)"}};
  for (const auto& [call, error] : cases) {
    EXPECT_EQ(values("struct." + call), "-ERR user_script:1: " + error) << call;
  }
}

TEST(Struct, UnpacksWhatItPacks) {
  const Cases cases{{"'b', 'a'", "97 2"},
                    {"'b', 'ab', 2", "98 3"},
                    {"'!4bi', 'abbbbbbb'", "97 1650614882 9"},
                    {"'bc0', '\\2abc'", "ab 4"},
                    {"'sc0', '1\\0abc'", "a 4"},
                    {"'s', 'abc\\0def'", "abc 5"},
                    {"'i9', ('\\255'):rep(9)", "-1 10"},
                    {"'h>h', '\\255\\255\\1\\2'", "-1 258 5"},
                    {"'', ''", "1"}};
  for (const auto& [arguments, all] : cases)
    EXPECT_EQ(values("struct.unpack(" + arguments + ")"), all);
  EXPECT_EQ(values("struct.unpack('dc0', struct.pack('d', 2^64))"), " 9");
  EXPECT_EQ(values("struct.unpack('<fd', struct.pack('<fd', 0.5, -0.25))"), "0.5 -0.25 13");
  EXPECT_EQ(values("struct.size('!8 b d'), struct.size('b x d'), struct.size('c2147483647')"),
            "16 10 2147483647");
}

}  // namespace
}  // namespace fencepost::script
