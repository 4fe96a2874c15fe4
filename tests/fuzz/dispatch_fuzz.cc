// Any bytes from several clients, and time: nothing breaks, every output is a stream of replies,
// nobody who is gone is waited for, and the same input has the same outcome.
//
//   input  = settings { record }         settings: 1 a password, 2 tight limits, 4 played twice,
//                                                  8 a journal
//   record = who what size bytes         one byte each, and `size` bytes
// `what` is what else happens before the client says `bytes`: see before_speaking().
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "commands/table.h"
#include "tests/fuzz/dispatch_words.h"
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
    case 11:
      return stage.stop_disk();
    case 12:
      return stage.start_disk();
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
  Stage stage{{.password = (settings & 1) != 0,
               .tight = (settings & 2) != 0,
               .journal = (settings & 8) != 0}};
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

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string{text}};
  return {std::istream_iterator<std::string>{stream}, {}};
}

const std::string& any_word(Random& random) {
  static const std::vector<std::string> kAll = words_of(kWords);
  return any_of(kAll, random);
}

std::string_view ready_line(Random& random) {
  switch (random.below(3)) {
    case 0:
      return any_of(kLockLines, random);
    case 1:
      return any_of(kCollectionLines, random);
    default:
      return any_of(kListenerLines, random);
  }
}

// A key that is likely to be of the type that the family is about.
std::string key_for(std::string_view group, Random& random) {
  static const std::map<std::string_view, std::string_view> kNames = {
      {"hash", "h"}, {"list", "q"}, {"set", "s"}, {"sorted-set", "z"}, {"stream", "x"}};
  const auto found = kNames.find(group);
  if (found == kNames.end()) return random.below(2) == 0 ? "a" : "b";
  return std::string{found->second} + (random.below(2) == 0 ? "1" : "2");
}

std::string made_up_line(Random& random) {
  const commands::Command* command = any_of(commands::all_commands(), random);
  std::string line{command->name};
  if (!command->subcommands.empty())
    line += " " + std::string{any_of(command->subcommands, random).name};
  if (random.below(4) != 0) line += " " + key_for(command->group, random);
  for (std::uint64_t words = random.below(6); words > 0; --words) line += " " + any_word(random);
  return line;
}

// Ready lines, with a word changed now and then, and made-up ones.
std::string any_line(Random& random) {
  if (random.below(2) == 0) return made_up_line(random) + "\r\n";
  const std::string line{ready_line(random)};
  if (random.below(3) != 0 || line.find('"') != std::string::npos) return line + "\r\n";
  std::vector<std::string> words = words_of(line);
  words[random.below(words.size())] = any_word(random);
  std::string changed;
  for (const std::string& word : words) changed += word + " ";
  return changed + "\r\n";
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
  record += static_cast<char>(random.below(3) == 0 ? random.below(13) : 15);
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
