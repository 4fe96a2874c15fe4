// Rounds in which clients listen.
#include "tests/compat/listening.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/number.h"
#include "base/text.h"
#include "tests/compat/frames.h"
#include "tests/compat/listening_forms.h"

namespace fencepost::compat {

namespace {

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
  std::string_view form = listens ? pick(kListenerForms, random_) : pick(kListeningForms, random_);
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
  for (const ListeningForm& form : kListeningForms) note(form.form);
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
  const std::string number = std::to_string(last_word_);
  std::vector<std::string> received(side.connections.size());
  // Whoever acts comes first: what the others are told was written with its reply.
  for (std::size_t i = 0; i < side.connections.size(); ++i) {
    const std::size_t at =
        (i + static_cast<std::size_t>(turn.connection)) % side.connections.size();
    Connection& connection = *side.connections[at];
    // A first PING for a CLIENT REPLY SKIP that is still to be spent, and a last one because a
    // broadcast stands behind all that was answered in its turn of the loop.
    connection.send(to_bytes(Step{.words = {"PING", "skipped"}}));
    std::string bytes_of_turn = ask_back(connection, "next-" + number);
    bytes_of_turn += ask_back(connection, "end-" + number);
    std::vector<Frame> frames = in_one_order(frames_of(bytes_of_turn));
    // Between or behind these words is the same.
    std::erase_if(frames, [](const Frame& frame) {
      return frame.bytes.ends_with("skipped\r\n") ||
             frame.bytes.find("\r\nnext-") != std::string::npos;
    });
    if (redirects) frames = invalidations_last(std::move(frames));
    for (const Frame& frame : frames) {
      received[at] += quoted(nameless(frame.bytes, side.ids)) + " ";
    }
    received[at] += connection.problem();
  }
  return received;
}

// All that came before the word was asked back, and the word.
std::string ListeningDuel::ask_back(Connection& connection, const std::string& word) {
  connection.send(to_bytes(Step{.words = {"PING", word}}));
  return connection.receive_through("$" + std::to_string(word.size()) + "\r\n" + word + "\r\n");
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
