// Conversations of those who wait for keys and those who fill them.
#include "base/number.h"
#include "tests/compat/grammar.h"
#include "tests/compat/vocabulary_collections.h"

namespace fencepost::compat {

namespace {

constexpr std::string_view kPlaceholder = "{client ";

}  // namespace

std::string client_placeholder(int connection) {
  return std::string{kPlaceholder} + std::to_string(connection) + "}";
}

std::optional<int> placed_client(std::string_view word) {
  if (!word.starts_with(kPlaceholder)) return std::nullopt;
  word.remove_prefix(kPlaceholder.size());
  word.remove_suffix(1);
  const auto number = parse_integer(word);
  return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
}

// SWAPDB makes keys ready in whatever order Redis finds them: with one key there is no other.
std::vector<Step> Grammar::crowd(std::size_t size) {
  few_keys_ = chance(20);
  std::vector<Step> steps;
  steps.push_back({.connection = kConnections - 1, .words = {"HELLO", "3"}});
  while (steps.size() < size) {
    const int connection = static_cast<int>(random_.below(kConnections));
    if (chance(2)) {
      steps.push_back({.connection = connection, .hangs_up = true});
    } else if (chance(2)) {
      add_timeout(steps, connection);
    } else if (chance(2)) {
      add_silence(steps, connection);
    } else if (few_keys_ && chance(10)) {
      steps.push_back({.connection = connection, .words = {"SWAPDB", "0", "1"}});
    } else {
      const std::uint64_t turn = chance(80) ? 1 : 1 + random_.below(4);
      for (std::uint64_t i = 0; i < turn; ++i) {
        steps.push_back(
            {.connection = connection, .words = expand(crowd_form().text), .new_turn = i == 0});
      }
    }
  }
  return steps;
}

// A wait that is over when its answer is compared, on both servers. A connection that may wait for
// something else would begin this wait at some other time.
void Grammar::add_timeout(std::vector<Step>& steps, int connection) {
  steps.push_back({.connection = connection, .hangs_up = true});
  steps.push_back(
      {.connection = connection, .words = {"HELLO", std::to_string(2 + random_.below(2))}});
  Words words =
      expand(chance(50) ? "BLPOP @list_key 0.02" : "XREAD BLOCK 20 STREAMS @stream_key $");
  if (chance(30)) words = expand("BLMOVE @list_key @list_key @side @side 0.02");
  steps.push_back({.connection = connection, .words = std::move(words), .linger_ms = 60});
}

// A request whose reply is not wanted.
void Grammar::add_silence(std::vector<Step>& steps, int connection) {
  steps.push_back({.connection = connection, .words = {"DISCARD"}});
  steps.push_back({.connection = connection, .words = {"CLIENT", "REPLY", "SKIP"}, .replies = 0});
  steps.push_back({.connection = connection,
                   .words = expand("BLPOP @list_key 0"),
                   .new_turn = false,
                   .replies = 0});
  steps.push_back({.connection = connection, .words = {"PING"}, .new_turn = false});
}

}  // namespace fencepost::compat
