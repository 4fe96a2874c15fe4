// Rounds in which clients listen.
#include "tests/compat/listening.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/number.h"
#include "base/text.h"
#include "tests/compat/frames.h"

namespace fencepost::compat {

namespace {

struct ListeningForm {
  int weight;
  std::string_view form;  // words in capitals stand; the others are made up; {n} is a client's id
};

// No lease ends in these rounds: when redis-server tells of that is chance.
constexpr ListeningForm kListenerForms[] = {
    {8, "SUBSCRIBE channel"},
    {3, "SUBSCRIBE channel channel"},
    {6, "PSUBSCRIBE pattern"},
    {2, "PSUBSCRIBE pattern pattern"},
    {3, "SSUBSCRIBE channel"},
    {4, "UNSUBSCRIBE channel"},
    {2, "UNSUBSCRIBE"},
    {3, "PUNSUBSCRIBE pattern"},
    {2, "PUNSUBSCRIBE"},
    {2, "SUNSUBSCRIBE channel"},
    {1, "SUNSUBSCRIBE"},
    {2, "SUBSCRIBE __redis__:invalidate"},
    {5, "PING"},
    {2, "PING text"},
    {6, "CLIENT TRACKING ON"},
    {4, "CLIENT TRACKING OFF"},
    {2, "CLIENT TRACKING ON NOLOOP"},
    {2, "CLIENT TRACKING ON OPTIN"},
    {2, "CLIENT TRACKING ON OPTOUT"},
    {3, "CLIENT TRACKING ON BCAST"},
    {3, "CLIENT TRACKING ON BCAST PREFIX prefix"},
    {2, "CLIENT TRACKING ON BCAST PREFIX prefix PREFIX prefix NOLOOP"},
    {3, "CLIENT TRACKING ON REDIRECT {0}"},
    {1, "CLIENT TRACKING ON REDIRECT {1}"},
    {1, "CLIENT TRACKING ON BCAST REDIRECT {0}"},
    {1, "CLIENT TRACKING ON REDIRECT {1} REDIRECT {0}"},
    {1, "CLIENT TRACKING ON REDIRECT 0"},
    {1, "CLIENT TRACKING ON REDIRECT text"},
    {1, "CLIENT TRACKING onoff trackword trackword"},
    {3, "CLIENT CACHING YES"},
    {3, "CLIENT CACHING NO"},
    {1, "CLIENT CACHING text"},
    {2, "CLIENT GETREDIR"},
    {4, "CLIENT TRACKINGINFO"},
    {1, "RESET"},
    {1, "HELLO 3"},
    {1, "CLIENT REPLY SKIP"},
};

constexpr ListeningForm kForms[] = {
    {12, "GET key"},
    {3, "MGET key key"},
    {2, "EXISTS key"},
    {1, "TTL key"},
    {1, "TYPE key"},
    {1, "TOUCH key"},
    {1, "STRLEN key"},
    {1, "OBJECT ENCODING key"},
    {10, "SET key text"},
    {3, "SET key text EX 100"},
    {2, "SET key text NX"},
    {2, "SET key text GET"},
    {2, "MSET key text key text"},
    {1, "MSETNX key text key text"},
    {2, "SETEX key 100 text"},
    {1, "GETSET key text"},
    {2, "GETDEL key"},
    {1, "GETEX key EX 100"},
    {1, "GETEX key PERSIST"},
    {3, "DEL key"},
    {2, "DEL key key"},
    {1, "UNLINK key"},
    {2, "EXPIRE key 100"},
    {1, "EXPIRE key -1"},
    {1, "PERSIST key"},
    {1, "INCR key"},
    {1, "INCRBYFLOAT key 1.5"},
    {1, "APPEND key text"},
    {1, "SETRANGE key 1 text"},
    {2, "RENAME key key"},
    {1, "RENAMENX key key"},
    {1, "COPY key key"},
    {1, "COPY key key REPLACE"},
    {1, "MOVE key 1"},
    {1, "SELECT 1"},
    {2, "SELECT 0"},
    {1, "FLUSHDB"},
    {1, "FLUSHALL"},
    {12, "PUBLISH channel text"},
    {3, "SPUBLISH channel text"},
    {2, "PUBSUB NUMSUB channel channel"},
    {1, "PUBSUB NUMPAT"},
    {1, "PUBSUB SHARDNUMSUB channel"},
    {1, "PUBSUB CHANNELS nothing*"},
    {1, "PUBSUB CHANNELS pattern pattern"},
    {1, "PUBSUB SHARDCHANNELS nothing*"},
    {1, "PUBSUB text"},
    {2, "CONFIG SET notify-keyspace-events events"},
    {1,
     "EVAL redis.call('publish','a','1')redis.call('get',KEYS[1])return(redis.call('incr','k9')) 1 "
     "key"},
    {1, "EVAL redis.call('set',KEYS[1],'x')redis.call('publish','a','2')return(7) 1 key"},
    {1, "EVAL return(redis.call('get',KEYS[1])) 1 key"},
};

constexpr std::string_view kChannels[] = {"a", "b", "news", "__keyspace@0__:k1",
                                          "__keyevent@0__:set"};
constexpr std::string_view kPatterns[] = {"*", "a*", "n?ws", "[ab]", "__key*", "__keyevent@0__:*"};
constexpr std::string_view kKeys[] = {"k1", "k2", "k3", "j1"};
constexpr std::string_view kPrefixes[] = {"k", "k1", "j", "x"};
constexpr std::string_view kTexts[] = {"hello", "1", "", "x y"};
constexpr std::string_view kEvents[] = {
    "Kg$lshzetdnm", "Eg$lshzetdnm", "KEg$lshzetd", "E$", "Kg", "KEm", "", "KEgn", "q"};
constexpr std::string_view kTrackWords[] = {"BCAST", "OPTIN", "OPTOUT", "NOLOOP", "PREFIX", "k"};

// Ids of clients are above all numbers that these rounds make otherwise.
constexpr std::int64_t kFirstId = 300;

// To a subscriber in RESP2, redis-server 7.0.15 writes RESP3's null where another client in RESP3
// redirects to it.
constexpr std::string_view kForeignNull = "__redis__:invalidate\r\n_\r\n";
// And RESP2's to a client in RESP3, where another in RESP2 redirects to it.
constexpr std::string_view kForeignNull3 = "$10\r\ninvalidate\r\n$-1\r\n";

// Each server has its own ids: they are shown by the number of the connection.
std::string nameless(std::string bytes, const std::vector<std::string>& ids) {
  if (bytes.find("\r\n$6\r\nserver\r\n") != std::string::npos) return "(HELLO's answer)";
  if (bytes.starts_with('*') && bytes.ends_with(kForeignNull)) {
    bytes.replace(bytes.size() - 3, 3, "$-1\r\n");
  }
  if (bytes.starts_with('>') && bytes.ends_with(kForeignNull3)) {
    bytes.replace(bytes.size() - 5, 5, "_\r\n");
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t at = bytes.find(ids[i]); at != std::string::npos; at = bytes.find(ids[i])) {
      bytes.replace(at, ids[i].size(), "(id of " + std::to_string(i) + ")");
    }
  }
  return bytes;
}

template <std::size_t Size>
std::string_view pick(const ListeningForm (&forms)[Size], Random& random) {
  std::uint64_t sum = 0;
  for (const ListeningForm& form : forms) sum += static_cast<std::uint64_t>(form.weight);
  std::uint64_t at = random.below(sum);
  for (const ListeningForm& form : forms) {
    const auto weight = static_cast<std::uint64_t>(form.weight);
    if (at < weight) return form.form;
    at -= weight;
  }
  return forms[0].form;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    const std::size_t space = text.find(' ');
    words.emplace_back(text.substr(0, space));
    if (space == std::string_view::npos) return words;
    text.remove_prefix(space + 1);
  }
}

bool redirects_something(const Turn& turn) {
  return std::any_of(turn.requests.begin(), turn.requests.end(), [](const Words& words) {
    return std::find(words.begin(), words.end(), "REDIRECT") != words.end();
  });
}

}  // namespace

std::string to_line(const Turn& turn) {
  std::string line = std::to_string(turn.connection) + ">";
  for (const Words& words : turn.requests) {
    for (const std::string& word : words) line += " " + (word.empty() ? "\"\"" : word);
    line += " ;";
  }
  return line;
}

std::vector<Turn> ListeningGrammar::round(std::size_t size) {
  redirects_ = random_.below(2) == 0;
  std::vector<Turn> turns;
  turns.push_back({2, {{"CONFIG", "SET", "notify-keyspace-events", std::string{one_of(kEvents)}}}});
  while (turns.size() < size) turns.push_back(turn());
  return turns;
}

// A transaction is a turn of its own, for in its midst nothing can be asked back.
Turn ListeningGrammar::turn() {
  Turn turn{.connection = static_cast<int>(random_.below(kConnections)), .requests = {}};
  const bool transaction = random_.below(8) == 0;
  const std::size_t count = 1 + random_.below(3);
  for (std::size_t i = 0; i < count; ++i) {
    Words words = request(turn.connection);
    // Within EXEC a second confirmation could not be told from the next reply, and RESET ends it.
    const bool fits = words[0] != "RESET" && words[0] != "HELLO" && words.back() != "SKIP" &&
                      (words[0].find("SUBSCRIBE") == std::string::npos || words.size() == 2);
    if (transaction && !fits) words = {"PING"};
    turn.requests.push_back(std::move(words));
    if (turn.requests.back()[0] == "RESET" && turn.connection == 1) {
      turn.requests.push_back({"HELLO", "3"});
    }
  }
  if (transaction) {
    turn.requests.insert(turn.requests.begin(), Words{"MULTI"});
    turn.requests.push_back({"EXEC"});
  }
  return turn;
}

Words ListeningGrammar::request(int connection) {
  const bool listens = connection != 2 && random_.below(2) == 0;
  std::string_view form = listens ? pick(kListenerForms, random_) : pick(kForms, random_);
  while (!redirects_ && form.find('{') != std::string_view::npos) {
    form = pick(kListenerForms, random_);
  }
  return expand(form);
}

Words ListeningGrammar::expand(std::string_view form) {
  Words words;
  for (const std::string& name : split(form)) words.push_back(word(name));
  return words;
}

std::string ListeningGrammar::word(std::string_view name) {
  if (name == "channel") return std::string{one_of(kChannels)};
  if (name == "pattern") return std::string{one_of(kPatterns)};
  if (name == "key") return std::string{one_of(kKeys)};
  if (name == "prefix") return std::string{one_of(kPrefixes)};
  if (name == "text") return std::string{one_of(kTexts)};
  if (name == "events") return std::string{one_of(kEvents)};
  if (name == "trackword") return std::string{one_of(kTrackWords)};
  if (name == "onoff") return random_.below(3) == 0 ? "OFF" : "ON";
  return std::string{name};
}

// "SUBSCRIBE", "CLIENT|TRACKING".
std::vector<std::string> ListeningGrammar::commands() {
  std::set<std::string> names;
  const auto note = [&names](std::string_view form) {
    const std::vector<std::string> words = split(form);
    const bool nested = words[0] == "CLIENT" || words[0] == "PUBSUB";
    names.insert(nested ? words[0] + "|" + words[1] : words[0]);
  };
  for (const ListeningForm& form : kListenerForms) note(form.form);
  for (const ListeningForm& form : kForms) note(form.form);
  return {names.begin(), names.end()};
}

std::string ListeningDuel::ask(Connection& connection, const Words& words) {
  connection.send(to_bytes(Step{.words = words}));
  const auto answer = connection.receive();
  if (!answer) throw std::runtime_error("no answer: " + connection.problem());
  return answer->bytes;
}

ListeningDuel::Side ListeningDuel::enter(const std::string& socket) {
  Side side;
  while (side.connections.size() < ListeningGrammar::kConnections) {
    auto connection = std::make_unique<Connection>(socket);
    const std::string id = ask(*connection, {"CLIENT", "ID"});
    if (parse_integer(id.substr(1, id.size() - 3)).value() < kFirstId) continue;
    side.ids.push_back(id);
    side.connections.push_back(std::move(connection));
  }
  ask(*side.connections[1], {"HELLO", "3"});
  ask(*side.connections[2], {"FLUSHALL"});
  return side;
}

// So that nobody is left from the round before: a closed connection may be noticed late.
void ListeningDuel::leave(Side& side) {
  for (const auto& connection : side.connections) {
    if (!connection->problem().empty()) continue;
    connection->send(to_bytes(Step{.words = {"RESET"}}));
    connection->receive_through("+RESET\r\n");
  }
}

std::vector<std::string> ListeningDuel::take(Side& side, const Turn& turn, bool redirects) {
  std::string bytes;
  for (Words words : turn.requests) {
    for (std::string& word : words) {
      if (word == "{0}") word = side.ids[0].substr(1, side.ids[0].size() - 3);
      if (word == "{1}") word = side.ids[1].substr(1, side.ids[1].size() - 3);
    }
    bytes += to_bytes(Step{.words = words});
  }
  side.connections[static_cast<std::size_t>(turn.connection)]->send(bytes);
  const std::string last = "end-" + std::to_string(last_word_);
  const std::string asked_back = "$" + std::to_string(last.size()) + "\r\n" + last + "\r\n";
  std::vector<std::string> received(side.connections.size());
  // Whoever acts comes first: what the others are told was written with its reply.
  for (std::size_t i = 0; i < side.connections.size(); ++i) {
    const std::size_t at =
        (i + static_cast<std::size_t>(turn.connection)) % side.connections.size();
    Connection& connection = *side.connections[at];
    // A first PING for a CLIENT REPLY SKIP that is still to be spent.
    connection.send(to_bytes(Step{.words = {"PING", "skipped"}}));
    connection.send(to_bytes(Step{.words = {"PING", last}}));
    std::vector<Frame> frames = in_one_order(frames_of(connection.receive_through(asked_back)));
    if (redirects) frames = invalidations_last(std::move(frames));
    for (const Frame& frame : frames) {
      received[at] += quoted(nameless(frame.bytes, side.ids)) + " ";
    }
    received[at] += connection.problem();
  }
  return received;
}

std::optional<std::string> ListeningDuel::fight(const std::vector<Turn>& turns) {
  const bool redirects = std::any_of(turns.begin(), turns.end(), redirects_something);
  Side redis = enter(redis_socket_);
  Side ours = enter(our_socket_);
  std::optional<std::string> difference;
  for (const Turn& turn : turns) {
    ++last_word_;
    const auto theirs = take(redis, turn, redirects);
    const auto mine = take(ours, turn, redirects);
    for (std::size_t i = 0; i < theirs.size() && !difference; ++i) {
      if (theirs[i] == mine[i]) continue;
      difference = "connection " + std::to_string(i) + " after " + to_line(turn) +
                   "\n  redis     " + theirs[i] + "\n  fencepost " + mine[i];
    }
    if (difference) break;
  }
  leave(redis);
  leave(ours);
  return difference;
}

std::vector<Turn> ListeningDuel::shrink(std::vector<Turn> turns) {
  for (std::size_t size = std::max<std::size_t>(turns.size() / 2, 1); size > 0;) {
    bool shorter = false;
    for (std::size_t at = 0; at < turns.size();) {
      std::vector<Turn> fewer = turns;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, fewer.size() - at)));
      if (!fewer.empty() && fight(fewer)) {
        turns = std::move(fewer);
        shorter = true;
      } else {
        at += size;
      }
    }
    if (!shorter) size /= 2;
  }
  return turns;
}

}  // namespace fencepost::compat
