// The oracle: random requests to redis-server and to fencepost; whatever they answer differently is
// shown, made small.
//
//   oracle --fencepost build/dev/fencepost [--redis redis-server] [--seconds 15] [--seed N]
//   [--rounds N]
//          [--differences tests/compat/differences.md] [--all]
//
// Prints the seed first. With the same --seed the same rounds come again; `--seed N --rounds 1` is
// one of them: each failure names its own. --all goes on after a failure, up to 20.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/table.h"
#include "tests/compat/crowd.h"
#include "tests/compat/differences.h"
#include "tests/compat/duel.h"
#include "tests/compat/grammar.h"
#include "tests/compat/listening.h"
#include "tests/compat/servers.h"

namespace fencepost::compat {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string fencepost;
  std::string redis = "redis-server";
  std::string differences = "tests/compat/differences.md";
  std::int64_t seconds = 15;
  std::int64_t rounds = INT64_MAX;
  std::optional<std::int64_t> seed;
  int failures_shown = 1;
};

constexpr std::size_t kStepsPerRound = 120;
constexpr std::size_t kTurnsPerRound = 40;
// One round in so many has listeners, and one has clients that wait.
constexpr std::uint64_t kEverySpecial = 4;
constexpr std::uint64_t kCrowdAt = 2;
constexpr int kMostFailures = 20;

Options options_of(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == "--all") {
      options.failures_shown = kMostFailures;
      continue;
    }
    const std::string& name = words[at];
    const std::string& value = words.at(++at);
    if (name == "--fencepost")
      options.fencepost = value;
    else if (name == "--redis")
      options.redis = value;
    else if (name == "--differences")
      options.differences = value;
    else if (name == "--seconds")
      options.seconds = parse_integer(value).value();
    else if (name == "--rounds")
      options.rounds = parse_integer(value).value();
    else if (name == "--seed")
      options.seed = parse_integer(value).value();
    else
      throw std::runtime_error("what is " + name + "?");
  }
  if (options.fencepost.empty()) throw std::runtime_error("--fencepost PROGRAM is missing");
  return options;
}

// Both get the same limits, so that what is too long is too long for both, and small enough to be
// reached.
// Nothing is slow, or both would have to be slow at the same requests.
// Redis looks often for waits that are over, which here are short.
const std::vector<std::string> kLimits = {"--proto-max-bulk-len",
                                          "1048576",
                                          "--slowlog-log-slower-than",
                                          "-1",
                                          "--zset-max-listpack-entries",
                                          "8",
                                          "--zset-max-listpack-value",
                                          "40",
                                          "--hash-max-listpack-entries",
                                          "8",
                                          "--set-max-intset-entries",
                                          std::to_string(kMostOrderedNumbers),
                                          "--hz",
                                          "500"};

std::vector<std::string> with_limits(std::vector<std::string> words) {
  words.insert(words.end(), kLimits.begin(), kLimits.end());
  return words;
}

ServerProcess start_redis(const Options& options, const std::string& folder) {
  const std::string socket = folder + "/redis.sock";
  return {with_limits({options.redis, "--port", "0", "--unixsocket", socket, "--save", "",
                       "--appendonly", "no", "--dir", folder}),
          socket, folder + "/redis.log"};
}

ServerProcess start_fencepost(const Options& options, const std::string& folder) {
  const std::string socket = folder + "/fencepost.sock";
  return {with_limits({options.fencepost, "--port", "0", "--unixsocket", socket, "--dir", folder}),
          socket, folder + "/fencepost.log"};
}

// Every row that says "same" is asked for, or stands in differences.md with the reason why not.
int check_coverage(const Differences& differences) {
  std::set<std::string, std::less<>> asked;
  for (const auto& list : {Grammar::commands(), ListeningGrammar::commands()}) {
    asked.insert(list.begin(), list.end());
  }
  int missing = 0;
  const auto look_at = [&](const commands::Command* container, const commands::Command& command) {
    const std::string name = to_upper(commands::full_name(container, command));
    if (command.run == nullptr || command.compat.kind != commands::Compat::same) return;
    if (asked.contains(name) || differences.not_compared().contains(name)) return;
    std::cout << name << " says it is the same as Redis's and is never compared\n";
    ++missing;
  };
  for (const commands::Command* command : commands::all_commands()) {
    look_at(nullptr, *command);
    for (const commands::Command& subcommand : command->subcommands) look_at(command, subcommand);
  }
  return missing;
}

// The neighbourhood of the first byte in which two long replies differ.
std::pair<std::string, std::string> cut_to_the_point(std::string a, std::string b) {
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kShown = 240;
  const auto apart = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto at = static_cast<std::size_t>(apart.first - a.begin());
  if (std::max(a.size(), b.size()) <= kShown) return {a, b};
  const std::size_t from = at > kBefore ? at - kBefore : 0;
  const std::string skipped = from > 0 ? "(after " + std::to_string(from) + " bytes) " : "";
  return {skipped + a.substr(from, kShown), skipped + b.substr(from, kShown)};
}

void show_answers(const Difference& difference) {
  const auto [redis, ours] = cut_to_the_point(difference.redis, difference.ours);
  std::cout << "  redis     " << redis << "\n  fencepost " << ours << "\n";
}

void show(const Fight& fight, const std::vector<Step>& steps, const Difference& seen,
          std::uint64_t seed) {
  const std::vector<Step> fewest = shrink(fight, steps);
  const auto difference = fight(fewest);
  std::cout << "\ndifferent; again with --seed " << seed << " --rounds 1\n";
  for (const Step& step : fewest) std::cout << "  " << to_line(step) << "\n";
  if (difference) return show_answers(*difference);
  std::cout << "  (it did not come again: chance or time had a part in it; what was seen first)\n  "
            << to_line(steps[seen.step]) << "\n";
  show_answers(seen);
}

void show(ListeningDuel& duel, const std::vector<Turn>& turns, std::uint64_t seed) {
  std::cout << "\nseed " << seed << ": " << duel.fight(turns).value_or("") << std::endl;
  const std::vector<Turn> fewest = duel.shrink(turns);
  const auto difference = duel.fight(fewest);
  std::cout << "\ndifferent to listeners; again with --seed " << seed << " --rounds 1\n";
  for (const Turn& turn : fewest) std::cout << "  " << to_line(turn) << "\n";
  std::cout << "  " << difference.value_or("(it did not come again)") << "\n";
}

std::int64_t unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

int run(const Options& options) {
  const Differences differences{options.differences};
  const int uncovered = check_coverage(differences);
  const TemporaryFolder folder;
  const ServerProcess redis = start_redis(options, folder.path());
  ServerProcess fencepost = start_fencepost(options, folder.path());
  Duel duel{redis.socket(), fencepost.socket(), differences};
  ListeningDuel listening{redis.socket(), fencepost.socket()};
  Crowd crowd{redis.socket(), fencepost.socket(), differences};
  const auto seed = static_cast<std::uint64_t>(
      options.seed.value_or(static_cast<std::int64_t>(std::random_device{}())));
  std::cout << "seed " << seed << std::endl;
  const auto start = Clock::now();
  const auto seconds = [start] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::size_t requests = 0;
  int failures = 0;
  for (std::int64_t round = 0;
       round < options.rounds && seconds() < static_cast<double>(options.seconds); ++round) {
    const std::uint64_t round_seed = seed + static_cast<std::uint64_t>(round);
    if (round_seed % kEverySpecial == 0) {
      const std::vector<Turn> turns = ListeningGrammar{round_seed}.round(kTurnsPerRound);
      requests += turns.size();
      if (!listening.fight(turns)) continue;
      ++failures;
      if (!fencepost.alive()) throw std::runtime_error("fencepost is gone");
      show(listening, turns, round_seed);
      if (failures >= options.failures_shown) break;
      continue;
    }
    const bool is_crowd = round_seed % kEverySpecial == kCrowdAt;
    Grammar grammar{round_seed, unix_ms()};
    const std::vector<Step> steps =
        is_crowd ? grammar.crowd(kStepsPerRound) : grammar.round(kStepsPerRound);
    const Fight fight = [&duel, &crowd, is_crowd, round_seed](const std::vector<Step>& taken) {
      return is_crowd ? crowd.fight(taken) : duel.fight(taken, round_seed);
    };
    requests += steps.size();
    const auto difference = fight(steps);
    if (!difference) continue;
    ++failures;
    if (!fencepost.alive()) throw std::runtime_error("fencepost is gone");
    show(fight, steps, *difference, round_seed);
    if (failures >= options.failures_shown) break;
  }
  std::cout << requests << " requests in " << seconds() << " s, "
            << static_cast<std::int64_t>(static_cast<double>(requests) / seconds())
            << " a second; differences: " << failures << "\n";
  return failures + uncovered == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fencepost::compat

int main(int count, char** words) {
  try {
    return fencepost::compat::run(
        fencepost::compat::options_of(std::vector<std::string>(words + 1, words + count)));
  } catch (const std::exception& problem) {
    std::cerr << "oracle: " << problem.what() << "\n";
    return 2;
  }
}
