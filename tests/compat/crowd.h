// Several clients at once, some of whom wait for keys: what each of them hears from both servers,
// and when.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/compat/differences.h"
#include "tests/compat/duel.h"
#include "tests/compat/grammar.h"
#include "tests/compat/servers.h"

namespace fencepost::compat {

// Unlike in a Duel, a request may be left without an answer: until another client's request makes
// the server give it. After each turn all that was heard by anybody is compared, and at the end
// what is left in the keys.
class Crowd {
 public:
  Crowd(std::string redis_socket, std::string our_socket, const Differences& differences);

  // Both servers are emptied, then all steps are taken.
  std::optional<Difference> fight(const std::vector<Step>& steps);

 private:
  // One client at one of the servers.
  struct Guest {
    std::unique_ptr<Connection> connection;
    std::string id;  // as CLIENT ID tells it
    std::deque<Answer> heard;
    int owed = 0;  // replies that have not come yet

    void listen();
  };
  struct House {
    std::string socket;
    std::unique_ptr<Connection> host;  // asks what the others do
    std::vector<Guest> guests;
  };

  static void open(House& house);
  static void close(House& house);
  static Guest welcome(const House& house);
  static void say(House& house, const std::vector<Step>& steps, std::size_t first, std::size_t end);
  static void settle(House& house, std::size_t guest);
  static void listen_to_all(House& house);
  static Answer ask(House& house, const Words& words);
  std::optional<Difference> take_all(const std::vector<Step>& steps);
  std::optional<Difference> compare(std::size_t step);
  std::optional<Difference> compare_guest(std::size_t guest, std::size_t step);
  std::optional<Difference> compare_keys(std::size_t step);

  House redis_;
  House ours_;
  const Differences& differences_;
  std::vector<std::deque<std::string>> asked_;  // what each guest waits to be answered
};

}  // namespace fencepost::compat
