// Words of requests for values of many elements.
#include <map>

#include "tests/compat/grammar.h"
#include "tests/compat/sorted_set_vocabulary.h"
#include "tests/compat/vocabulary_collections.h"

namespace fencepost::compat {

std::span<const std::string_view> Grammar::collection_options(std::string_view kind) {
  using Options = std::vector<std::string_view>;
  static const std::map<std::string_view, Options> kOptions = {
      {"@zadd_options", {"NX", "XX", "GT", "LT", "CH", "INCR"}},
      {"@range_options", {"WITHSCORES", "REV", "LIMIT @offset @offset", "LIMIT 0 @offset"}},
      {"@combine_options",
       {"WEIGHTS @score @score", "AGGREGATE SUM", "AGGREGATE MIN", "AGGREGATE MAX",
        "AGGREGATE @junk", "WITHSCORES", "LIMIT @offset"}},
      {"@lpos_options", {"RANK @offset", "COUNT @offset", "MAXLEN @offset", "RANK @number"}},
      {"@pop_options", {"COUNT @offset", "COUNT 2"}},
      // Without "~" MINID may leave a node all of whose entries are gone: there a later XDEL ends
      // redis-server 7.0.15 with a failed assertion.
      {"@trim_options",
       {"MAXLEN @small", "MAXLEN = @small", "MAXLEN ~ @small", "MINID ~ @stream_id", "LIMIT @small",
        "LIMIT @number", "NOMKSTREAM"}},
      {"@count_options", {"COUNT @small", "COUNT @number"}},
      {"@setid_options",
       {"ENTRIESADDED @small", "MAXDELETEDID @stream_id", "ENTRIESADDED @number"}},
      {"@info_options", {"FULL", "FULL COUNT @small", "COUNT @number"}},
  };
  const auto found = kOptions.find(kind);
  return found == kOptions.end() ? std::span<const std::string_view>{} : found->second;
}

bool Grammar::expand_collection_word(std::string_view word, Words& into) {
  if (word == "@list_key") {
    into.push_back(own_key('q', few_keys_ ? 1 : 3));
  } else if (word == "@stream_key") {
    into.push_back(own_key('x', few_keys_ ? 1 : 3));
  } else if (word == "@element") {
    into.push_back(element());
  } else if (word == "@side") {
    into.push_back(letters(chance(48) ? "LEFT" : chance(96) ? "RIGHT" : "MIDDLE"));
  } else if (word == "@small") {
    into.push_back(std::to_string(random_.below(8)));
  } else if (word == "@node_bytes") {
    into.push_back(std::to_string(2048 * (1 + random_.below(3))));
  } else if (word == "@stream_id") {
    into.push_back(stream_id());
  } else if (word == "@known_id") {
    into.push_back(chance(40) ? "$" : stream_id());
  } else if (word == "@range_end") {
    into.push_back(chance(20) ? "-" : chance(25) ? "+" : (chance(25) ? "(" : "") + stream_id());
  } else if (word == "@zset_key") {
    into.push_back(own_key('z', few_keys_ ? 1 : 4));
  } else if (word == "@lex_key") {
    into.push_back("l" + std::to_string(random_.below(3)));
  } else if (word == "@member") {
    into.push_back(member());
  } else if (word == "@score") {
    into.push_back(score());
  } else if (word == "@score_end") {
    into.push_back(chance(70) ? (chance(30) ? "(" : "") + score()
                              : std::string{one_of(kScoreEnds)});
  } else if (word == "@lex_end") {
    into.push_back(std::string{one_of(kLexEnds)});
  } else if (word == "@numkeys") {
    into.push_back(chance(70) ? std::to_string(random_.below(4)) : number());
  } else if (word == "@crowd_script") {
    into.push_back(std::string{one_of(kCrowdScripts)});
  } else if (word == "@crowd_store") {
    into.push_back(std::string{one_of(kCrowdStores)});
  } else if (word == "@client") {
    into.push_back(client_placeholder(static_cast<int>(random_.below(kConnections))));
  } else {
    return false;
  }
  return true;
}

// A key of one family, and sometimes any.
std::string Grammar::own_key(char family, std::uint64_t count) {
  if (chance(6)) return key();
  return family + std::to_string(random_.below(count));
}

// One of each family, or a new name. Not those that are mostly sorted: a set that is left unsorted
// has no order that LIMIT could cut, and see make_sorts_comparable().
std::string Grammar::any_key() {
  constexpr std::string_view kFamilyLetters = "hsqxyuvk";
  const char family = kFamilyLetters[random_.below(kFamilyLetters.size())];
  return family + std::to_string(random_.below(3));
}

// Few, so that they meet; some are too long for what Redis keeps small.
std::string Grammar::member() {
  if (chance(88)) return "m" + std::to_string(random_.below(14));
  return chance(50) ? value() : bytes(36 + random_.below(10));
}

std::string Grammar::score() {
  switch (random_.below(12)) {
    case 0:
      return real();
    case 1:
      return std::string{chance(50) ? "inf" : "-inf"};
    case 2:
      return std::to_string(static_cast<int>(random_.below(200)) - 100) + ".5";
    case 3:
      return std::to_string(random_.next() % 100'000'000'000'000'000);
    case 4:
      return chance(80) ? "-0" : value();
    default:
      return std::to_string(static_cast<int>(random_.below(9)) - 3);
  }
}

// Few of them, so that they are found again.
std::string Grammar::element() {
  return chance(75) ? std::string(1 + random_.below(2), static_cast<char>('a' + random_.below(3)))
                    : value();
}

// Ids that mostly rise, for a stream takes no other ones.
std::string Grammar::stream_id() {
  if (chance(2)) return number();
  if (chance(2)) return std::string{one_of(kStreamIds)};
  next_ms_ += random_.below(3);
  const std::uint64_t ms = chance(60) ? next_ms_ : random_.below(next_ms_ + 1);
  std::string id = std::to_string(ms);
  if (chance(80)) id += chance(20) ? "-*" : "-" + std::to_string(random_.below(4));
  return id;
}

}  // namespace fencepost::compat
