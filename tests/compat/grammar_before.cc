// What is sent in front of a random request, so that two right answers to it are the same.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "tests/compat/grammar.h"

namespace fencepost::compat {

namespace {

enum class KeysAt : std::uint8_t { first, all };

// Commands whose members have an order if, and only if, what they stand in is kept as a list.
const std::map<std::string, KeysAt, std::less<>> kOrdered = {
    {"HKEYS", KeysAt::first}, {"HVALS", KeysAt::first},    {"HGETALL", KeysAt::first},
    {"HSCAN", KeysAt::first}, {"SMEMBERS", KeysAt::first}, {"SSCAN", KeysAt::first},
    {"SINTER", KeysAt::all},  {"SDIFF", KeysAt::all},      {"ZSCAN", KeysAt::first},
};

// Of a SORT: BY a name that is the same for all members.
bool is_left_unsorted(const Words& words) {
  for (std::size_t at = 2; at + 1 < words.size(); ++at) {
    if (same_word(words[at], "BY") && words[at + 1].find('*') == std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::vector<Words> requests_before(const Words& words) {
  if (words.size() < 2) return {};
  const std::string name = to_upper(words[0]);
  // A number out of range, in whatever came before, makes redis-server 7.0.15 refuse to sort any:
  // it looks at an errno that is long past. This sets it to nothing.
  // Left unsorted, members come in the order in which they are kept, if there is one.
  if (name == "SORT" || name == "SORT_RO") {
    std::vector<Words> before = {{"BLPOP", "q0", "x"}};
    if (is_left_unsorted(words)) before.push_back({"OBJECT", "ENCODING", words[1]});
    return before;
  }
  const auto found = kOrdered.find(name);
  if (found == kOrdered.end()) return {};
  std::vector<Words> questions;
  const std::size_t end = found->second == KeysAt::first ? 2 : words.size();
  for (std::size_t at = 1; at < end; ++at) questions.push_back({"OBJECT", "ENCODING", words[at]});
  return questions;
}

}  // namespace fencepost::compat
