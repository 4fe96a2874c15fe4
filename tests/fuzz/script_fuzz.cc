// Any script at all, against a whole engine: nothing breaks, the reply is a reply, the same script
// has the same outcome, and the next script is answered as if this one had never been.
//
//   input  = settings { byte }     settings: 1 another client ends it, 2 it is played twice, 4
//   EVAL_RO,
//                                            8 inside MULTI
// A byte below 128 stands for itself, one above for a piece of Lua: so that chance writes programs.
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "commands/server/digest.h"
#include "resp/reply_parser.h"
#include "server/engine.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace fencepost::fuzz {
namespace {

constexpr std::uint8_t kKilled = 1;
constexpr std::uint8_t kTwice = 2;
constexpr std::uint8_t kReadOnly = 4;
constexpr std::uint8_t kInTransaction = 8;

constexpr std::string_view kPieces[] = {" local ",
                                        " function ",
                                        " end ",
                                        " return ",
                                        " if ",
                                        " then ",
                                        " else ",
                                        " while true do ",
                                        " for i = 1, ",
                                        " for k, v in pairs(",
                                        " do ",
                                        " repeat ",
                                        " until ",
                                        " and ",
                                        " or ",
                                        " not ",
                                        " nil ",
                                        " true ",
                                        " false ",
                                        " = ",
                                        " == ",
                                        " < ",
                                        " .. ",
                                        " + ",
                                        " * ",
                                        " % ",
                                        " ^ ",
                                        " # ",
                                        "(",
                                        ")",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ", ",
                                        "...",
                                        " a ",
                                        " b ",
                                        " t ",
                                        " f ",
                                        " 0 ",
                                        " 1 ",
                                        " -1 ",
                                        " 1e9 ",
                                        " 2^53 ",
                                        " 0/0 ",
                                        " 'x' ",
                                        " '\\0\\255' ",
                                        " '%a+' ",
                                        " '(.-)%1' ",
                                        " '[1,{\"a\":2}]' ",
                                        " 'i4c0' ",
                                        " KEYS[1] ",
                                        " ARGV[1] ",
                                        " _G ",
                                        " redis.call(",
                                        " redis.pcall(",
                                        " 'get' ",
                                        " 'set' ",
                                        " 'incr' ",
                                        " 'lock' ",
                                        " redis.error_reply(",
                                        " redis.setresp(3) ",
                                        " redis.log(1, ",
                                        " redis.sha1hex(",
                                        " cjson.encode(",
                                        " cjson.decode(",
                                        " cmsgpack.pack(",
                                        " cmsgpack.unpack(",
                                        " struct.pack(",
                                        " struct.unpack(",
                                        " bit.bxor(",
                                        " bit.tohex(",
                                        " string.rep(",
                                        " string.gsub(",
                                        " string.find(",
                                        " string.match(",
                                        " string.gmatch(",
                                        " string.format(",
                                        " string.char(",
                                        " string.byte(",
                                        " table.insert(",
                                        " table.remove(",
                                        " table.concat(",
                                        " table.sort(",
                                        " table.foreach(",
                                        " math.random(",
                                        " math.floor(",
                                        " setmetatable(",
                                        " getmetatable(",
                                        " rawset(",
                                        " rawget(",
                                        " next(",
                                        " unpack(",
                                        " select(",
                                        " tostring(",
                                        " tonumber(",
                                        " type(",
                                        " pcall(",
                                        " xpcall(",
                                        " error(",
                                        " load(",
                                        " loadstring(",
                                        " collectgarbage(",
                                        " {__index = ",
                                        " {__call = ",
                                        " {__tostring = ",
                                        " {__lt = ",
                                        " {__concat = ",
                                        " {__gc = ",
                                        " {err = ",
                                        " {ok = ",
                                        " {map = ",
                                        " {double = ",
                                        " {big_number = ",
                                        " {verbatim_string = ",
                                        " {set = ",
                                        " function(a, b) return ",
                                        " string ",
                                        " cjson ",
                                        ":rep(",
                                        ":gsub(",
                                        "\n"};

static_assert(std::size(kPieces) <= 128);

// The stopwatch goes on at each look, so that a script can run for long.
class BusyClock final : public Clock {
 public:
  Now now() override { return {.log = Instant{Duration{1'700'000'000'000}}}; }
  std::int64_t stopwatch_us() override { return stopwatch_us_ += 1'000; }

 private:
  std::int64_t stopwatch_us_ = 0;
};

server::Engine::Options options() {
  server::Engine::Options made;
  made.hash_seed = 1;
  made.chance_seed = 2;
  commands::SettingValues& values = made.settings.values;
  values.script_max_memory_bytes = 4 * 1024 * 1024;
  values.script_max_steps = 1'000'000;
  values.busy_reply_threshold_ms = 20;
  return made;
}

std::string request(const std::vector<std::string_view>& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words) {
    bytes.append("$")
        .append(std::to_string(word.size()))
        .append("\r\n")
        .append(word)
        .append("\r\n");
  }
  return bytes;
}

class Play {
 public:
  Play() {
    engine_.process().while_busy = [this] {
      std::string ignored;
      hear(bob_, killed_ ? "PING\r\nSCRIPT KILL\r\n" : "PING\r\nGET k\r\n", ignored);
    };
  }

  // What is answered to it.
  std::string say(std::string_view bytes) {
    std::string answer;
    hear(alice_, bytes, answer);
    return answer;
  }
  void may_be_killed(bool may) { killed_ = may; }
  std::string state() { return commands::Digest::of_state(engine_.state()).text(); }

 private:
  void hear(ClientId client, std::string_view bytes, std::string& answer) {
    engine_.receive(client, bytes);
    std::vector<std::string> blocks;
    std::vector<ClientId> dirty;
    for (engine_.take_dirty(dirty); !dirty.empty(); engine_.take_dirty(dirty)) {
      for (const ClientId one : dirty) {
        if (one != client && engine_.process().slow_script.runs) continue;
        blocks.clear();
        engine_.take_output(one, blocks);
        std::size_t size = 0;
        for (const std::string& block : blocks) {
          size += block.size();
          if (one == client) answer += block;
        }
        engine_.output_written(one, size);
      }
      if (engine_.process().slow_script.runs) break;
      if (engine_.has_more_to_do()) engine_.tick();
    }
  }

  BusyClock clock_;
  server::Engine engine_{options(), clock_};
  ClientId alice_ = engine_.connect({.address = "127.0.0.1:1"});
  ClientId bob_ = engine_.connect({.address = "127.0.0.1:2"});
  bool killed_ = false;
};

std::string control(Play& play) {
  constexpr std::string_view kControl =
      "local names = {} for name in pairs(_G) do names[#names + 1] = name end table.sort(names) "
      "return {table.concat(names, ' '), cjson.encode({1, 'a'}), cmsgpack.pack({1}), "
      "struct.pack('i', 1), "
      "string.rep('x', 3), tostring({}), #KEYS, redis.sha1hex('x'), ('x'):upper(), bit.bor(1, 2), "
      "tostring(pcall(error)), type(next), math.floor(1.5)}";
  return play.say(request({"EVAL", kControl, "0"}));
}

void judge(std::string_view replies, std::size_t count) {
  resp::ReplyParser parser;
  for (; count > 0; --count) {
    check(parser.parse(replies) == resp::ReplyParser::Status::reply, "what is sent is a reply");
    replies.remove_prefix(parser.consumed());
  }
  check(replies.empty(), "nothing is sent but replies");
}

std::string text_of(std::string_view input) {
  std::string text;
  for (const char c : input) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128) {
      text += c;
    } else {
      text += kPieces[(byte - 128U) % std::size(kPieces)];
    }
  }
  return text;
}

std::string play(std::uint8_t settings, const std::string& text) {
  Play stage;
  const std::string before = control(stage);
  stage.may_be_killed((settings & kKilled) != 0);
  const char* name = (settings & kReadOnly) != 0 ? "EVAL_RO" : "EVAL";
  std::string bytes = request({name, text, "2", "k", "l", "v", "1"});
  const bool in_transaction = (settings & kInTransaction) != 0;
  if (in_transaction) bytes = "MULTI\r\n" + bytes + "INCR n\r\nEXEC\r\n";
  std::string outcome = stage.say(bytes);
  judge(outcome, in_transaction ? 4 : 1);
  check(control(stage) == before, "a script leaves nothing behind");
  return outcome + stage.state();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  Random random{seed};
  if (size == 0 || random.below(2) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string input{reinterpret_cast<const char*>(data), size};
  std::string pieces;
  for (std::uint64_t count = 1 + random.below(6); count > 0; --count) {
    pieces += static_cast<char>(128 + random.below(std::size(kPieces)));
  }
  const std::size_t at = 1 + random.below(input.size());
  if (random.below(3) == 0) input.erase(at, random.below(12));
  input.insert(std::min(at, input.size()), pieces);
  if (input.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, input.data(), input.size());
  return input.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text = text_of({reinterpret_cast<const char*>(data) + 1, size - 1});
  const std::string outcome = play(data[0], text);
  if ((data[0] & kTwice) != 0)
    check(play(data[0], text) == outcome, "the same script has the same outcome");
  return 0;
}

}  // namespace fencepost::fuzz
