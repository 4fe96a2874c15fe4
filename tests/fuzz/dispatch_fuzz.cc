// Any bytes from several clients, and time: nothing breaks, every output is a stream of replies,
// nobody who is gone is waited for, and the same input has the same outcome.
//
//   input  = settings { record }         settings: 1 a password, 2 tight limits, 4 played twice
//   record = who what size bytes         one byte each, and `size` bytes
// `what` is what else happens before the client says `bytes`: see before_speaking().
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "commands/table.h"
#include "tests/fuzz/stage.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace fencepost::fuzz {
namespace {

constexpr std::size_t kRecordHead = 3;

void before_speaking(Stage& stage, std::size_t who, std::uint8_t what) {
  constexpr std::array<std::int64_t, 8> kSpans_ms = {1,     10,     51,        1'000,
                                                     2'001, 30'001, 3'600'000, 90'000'000};
  switch (what % 16) {
    case 8:
      return stage.hang_up(who);
    case 9:
      return stage.stop_reading(who);
    case 10:
      return stage.read_again(who);
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
      return stage.pass(Duration{kSpans_ms[what % 8]});
    default:
      return;
  }
}

std::string play(std::string_view input) {
  const auto settings = static_cast<unsigned char>(input.front());
  Stage stage{{.password = (settings & 1) != 0, .tight = (settings & 2) != 0}};
  input.remove_prefix(1);
  while (input.size() >= kRecordHead) {
    const auto who = static_cast<unsigned char>(input[0]);
    const auto what = static_cast<unsigned char>(input[1]);
    const auto size = static_cast<unsigned char>(input[2]);
    before_speaking(stage, who, what);
    stage.say(who, input.substr(kRecordHead, size));
    input.remove_prefix(std::min(input.size(), kRecordHead + size));
  }
  stage.finish();
  return stage.outcome();
}

// --- mutation: lines with the names of commands that exist, so that chance gets past the front
// door

template <typename Choice>
const auto& any_of(const Choice& choices, Random& random) {
  return choices[random.below(choices.size())];
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream{text};
  return {std::istream_iterator<std::string>{stream}, {}};
}

std::string any_word(Random& random) {
  static const std::vector<std::string> kWords = words_of(
      "a b k:1 k:2 alice bob carol 0 1 2 3 -1 10 100 5000 9223372036854775807 3.5 inf 0.1 * \"\" "
      "\"\\x00\\r\\n\" EX PX EXAT PXAT NX XX GT LT GET KEEPTTL IFEQ IFNE WAIT SHARED LIMIT GRACE "
      "BIND META MATCH COUNT TYPE string lock ID ON OFF SKIP YES NO TIMEOUT ERROR ALL ADDR "
      "127.0.0.1:40112 SKIPME default pw REPLACE DB LEN IDX ASYNC maxclients lock-max-wait "
      "timeout");
  return any_of(kWords, random);
}

std::string any_line(Random& random) {
  // Lock commands take turns with all the others, for they are what this server is for.
  constexpr auto kOften = std::to_array<std::string_view>(
      {"LOCK a alice PX 100 WAIT 5000",
       "LOCK a bob WAIT 100",
       "LOCK b alice SHARED WAIT 1000",
       "LOCK b carol LIMIT 2 BIND",
       "LOCKMANY 2 a b bob PX 100 WAIT 1000",
       "UNLOCK a b alice",
       "LOCK a carol PX 50 GRACE 1000 BIND",
       "SET a bob NX PX 100",
       "DEL a b",
       "MULTI",
       "EXEC",
       "EVAL \"return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 100)\" 1 a bob",
       "EVAL \"return {redis.call('get', 'a'), redis.pcall('nope'), {1, 2.5}, false}\" 0",
       "EVAL \"return cjson.encode(redis.call('LOCKINFO', KEYS[1]))\" 1 a",
       "HELLO 3",
       "EXTEND a alice PX 100",
       "LOCKBREAK b",
       "WATCH a",
       "FLUSHALL",
       "AUTH pw"});
  std::string line;
  if (random.below(2) == 0) {
    line = any_of(kOften, random);
  } else {
    const commands::Command* command = any_of(commands::all_commands(), random);
    line = command->name;
    if (!command->subcommands.empty())
      line += " " + std::string{any_of(command->subcommands, random).name};
    for (std::uint64_t words = random.below(6); words > 0; --words) line += " " + any_word(random);
  }
  return line + "\r\n";
}

// Where the records of an input begin, and its end.
std::vector<std::size_t> records_of(std::string_view input) {
  std::vector<std::size_t> starts;
  std::size_t at = 1;
  while (at + kRecordHead <= input.size()) {
    starts.push_back(at);
    at += kRecordHead + static_cast<unsigned char>(input[at + 2]);
  }
  starts.push_back(std::min(at, input.size()));
  return starts;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  Random random{seed};
  if (size == 0 || random.below(3) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string input{reinterpret_cast<const char*>(data), size};
  const std::string line = any_line(random);
  std::string record;
  record += static_cast<char>(random.below(Stage::kClients));
  record += static_cast<char>(random.below(3) == 0 ? random.below(11) : 15);
  record += static_cast<char>(line.size());
  record += line;
  const auto starts = records_of(input);
  input.insert(any_of(starts, random), record);
  if (input.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, input.data(), input.size());
  return input.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  const std::string outcome = play(input);
  constexpr std::uint8_t kTwice = 4;
  if ((data[0] & kTwice) != 0) check(play(input) == outcome, "the same input has the same outcome");
  return 0;
}

}  // namespace fencepost::fuzz
