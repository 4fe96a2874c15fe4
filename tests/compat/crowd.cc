// Several clients at once, some of whom wait for keys.
#include "tests/compat/crowd.h"

#include <chrono>
#include <stdexcept>
#include <thread>

#include "base/text.h"

namespace fencepost::compat {

namespace {

std::string bytes_for(const Step& step, const std::vector<std::string>& ids) {
  Step placed = step;
  for (std::string& word : placed.words) {
    if (const auto client = placed_client(word)) word = ids[static_cast<std::size_t>(*client)];
  }
  return to_bytes(placed);
}

std::string shown(const std::deque<Answer>& heard, const Connection& connection) {
  std::string text;
  for (const Answer& answer : heard) text += (text.empty() ? "" : " ") + quoted(answer.bytes);
  if (!connection.problem().empty()) text += " (" + connection.problem() + ")";
  return text.empty() ? "(waits)" : text;
}

// Whether any of the clients waits that CLIENT LIST tells of.
bool somebody_waits(std::string_view lines) {
  constexpr std::string_view kFlags = " flags=";
  for (std::size_t at = lines.find(kFlags); at != std::string_view::npos;
       at = lines.find(kFlags, at + 1)) {
    const std::size_t first = at + kFlags.size();
    if (lines.substr(first, lines.find(' ', first) - first).find('b') != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

Crowd::Crowd(std::string redis_socket, std::string our_socket, const Differences& differences)
    : differences_{differences} {
  redis_.socket = std::move(redis_socket);
  ours_.socket = std::move(our_socket);
}

void Crowd::Guest::listen() {
  while (auto answer = connection->receive_now()) {
    if (answer->reply.type != resp::Reply::Type::push) --owed;
    heard.push_back(std::move(*answer));
  }
}

// Whoever waits must not take from those who come after.
void Crowd::close(House& house) {
  house.guests.clear();
  while (somebody_waits(ask(house, {"CLIENT", "LIST"}).reply.text)) {
  }
}

void Crowd::open(House& house) {
  house.host = std::make_unique<Connection>(house.socket);
  for (int i = 0; i < Grammar::kConnections; ++i) house.guests.push_back(welcome(house));
  empty(*house.host);
}

Crowd::Guest Crowd::welcome(const House& house) {
  Guest guest;
  guest.connection = std::make_unique<Connection>(house.socket);
  guest.connection->send("CLIENT ID\r\n");
  const auto answer = guest.connection->receive();
  if (!answer) throw std::runtime_error("a client has no id");
  guest.id = std::to_string(answer->reply.integer);
  return guest;
}

std::optional<Difference> Crowd::fight(const std::vector<Step>& steps) {
  open(redis_);
  open(ours_);
  const auto difference = take_all(steps);
  close(redis_);
  close(ours_);
  return difference;
}

std::optional<Difference> Crowd::take_all(const std::vector<Step>& steps) {
  asked_.assign(Grammar::kConnections, {});
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t end = first + 1;
    while (end < steps.size() && !steps[end].new_turn && !steps[end].hangs_up &&
           steps[end].connection == steps[first].connection) {
      ++end;
    }
    if (steps[first].wait_ms > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds{steps[first].wait_ms});
    }
    const auto guest = static_cast<std::size_t>(steps[first].connection);
    if (steps[first].hangs_up) asked_[guest].clear();
    for (std::size_t i = first; i < end; ++i) {
      if (!steps[i].hangs_up && steps[i].replies > 0)
        asked_[guest].push_back(name_of(steps[i].words));
    }
    say(redis_, steps, first, end);
    say(ours_, steps, first, end);
    if (steps[first].linger_ms > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds{steps[first].linger_ms});
      listen_to_all(redis_);
      listen_to_all(ours_);
    }
    if (auto difference = compare(end - 1)) return difference;
    first = end;
  }
  return compare_keys(steps.size() - 1);
}

void Crowd::say(House& house, const std::vector<Step>& steps, std::size_t first, std::size_t end) {
  const auto number = static_cast<std::size_t>(steps[first].connection);
  Guest& guest = house.guests[number];
  if (steps[first].hangs_up) {
    const std::string gone = guest.id;
    guest = welcome(house);
    while (!ask(house, {"CLIENT", "LIST", "ID", gone}).reply.text.empty()) {
    }
    return;
  }
  std::vector<std::string> ids;
  for (const Guest& one : house.guests) ids.push_back(one.id);
  std::string bytes;
  for (std::size_t i = first; i < end; ++i) {
    bytes += bytes_for(steps[i], ids);
    guest.owed += steps[i].replies;
  }
  guest.connection->send(bytes);
  settle(house, number);
}

// Until that guest has heard all or waits. What a request does to others they hear before the next
// request of anybody is looked at, so one more question to the server is enough for them.
void Crowd::settle(House& house, std::size_t guest) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience{2};  // what is left of a shrunk round may never answer
  Guest& speaker = house.guests[guest];
  const auto began = Clock::now();
  for (speaker.listen(); speaker.owed > 0 && speaker.connection->problem().empty();
       speaker.listen()) {
    if (somebody_waits(ask(house, {"CLIENT", "LIST", "ID", speaker.id}).reply.text)) break;
    if (Clock::now() - began > kPatience) break;
  }
  listen_to_all(house);
}

void Crowd::listen_to_all(House& house) {
  ask(house, {"PING"});
  for (Guest& one : house.guests) one.listen();
}

Answer Crowd::ask(House& house, const Words& words) {
  house.host->send(to_bytes({.words = words}));
  auto answer = house.host->receive();
  if (!answer) throw std::runtime_error("a server does not answer: " + house.host->problem());
  return *answer;
}

std::optional<Difference> Crowd::compare(std::size_t step) {
  for (std::size_t guest = 0; guest < asked_.size(); ++guest) {
    if (auto difference = compare_guest(guest, step)) return difference;
  }
  return std::nullopt;
}

std::optional<Difference> Crowd::compare_guest(std::size_t guest, std::size_t step) {
  Guest& redis = redis_.guests[guest];
  Guest& ours = ours_.guests[guest];
  bool alike = redis.heard.size() == ours.heard.size() &&
               redis.connection->problem() == ours.connection->problem();
  for (std::size_t i = 0; alike && i < redis.heard.size(); ++i) {
    const std::string name = asked_[guest].empty() ? "" : asked_[guest].front();
    if (!asked_[guest].empty()) asked_[guest].pop_front();
    alike = differences_.allow(name, redis.heard[i], ours.heard[i], Order::open);
  }
  if (!alike) {
    return Difference{step, shown(redis.heard, *redis.connection),
                      shown(ours.heard, *ours.connection)};
  }
  redis.heard.clear();
  ours.heard.clear();
  if (!redis.connection->problem().empty()) {
    redis = welcome(redis_);
    ours = welcome(ours_);
    asked_[guest].clear();
  }
  return std::nullopt;
}

// The lists and streams of the databases that are selected.
std::optional<Difference> Crowd::compare_keys(std::size_t step) {
  const std::vector<std::string> databases = {"0", "1", "2"};
  for (const std::string& database : databases) {
    for (const char* list :
         {"q0", "q1", "q2", "x0", "x1", "x2", "z0", "z1", "z2", "z3", "k0", "k1", "k2", "k3"}) {
      for (const Words& words :
           {Words{"SELECT", database}, Words{"TYPE", list}, Words{"LRANGE", list, "0", "-1"},
            Words{"XRANGE", list, "-", "+"}, Words{"ZCARD", list}}) {
        const Answer redis = ask(redis_, words);
        const Answer ours = ask(ours_, words);
        if (redis.bytes == ours.bytes) continue;
        return Difference{step, words[0] + " " + list + ": " + quoted(redis.bytes),
                          quoted(ours.bytes)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace fencepost::compat
