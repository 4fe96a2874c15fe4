// Rounds in which clients listen: messages, events of keys, invalidations. What comes unasked has
// no place of its own in a conversation, so each turn ends with a word that every client asks back;
// all that it received by then is compared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/compat/grammar.h"
#include "tests/compat/servers.h"

namespace fencepost::compat {

// Requests that one connection sends in one go.
struct Turn {
  int connection = 0;
  std::vector<Words> requests;
};

std::string to_line(const Turn& turn);

// Makes the turns of a round: connection 0 speaks RESP2 and 1 RESP3, both listen; 2 does not.
class ListeningGrammar {
 public:
  explicit ListeningGrammar(std::uint64_t seed) : random_{seed} {}

  std::vector<Turn> round(std::size_t size);

  static constexpr int kConnections = 3;
  static std::vector<std::string> commands();

 private:
  Turn turn();
  Words request(int connection);
  Words expand(std::string_view form);
  std::string word(std::string_view name);
  template <typename Choices>
  auto& one_of(const Choices& choices) {
    return choices[random_.below(std::size(choices))];
  }

  Random random_;
  bool redirects_ = false;  // in this round invalidations may be sent to another client
};

class ListeningDuel {
 public:
  ListeningDuel(std::string redis_socket, std::string our_socket)
      : redis_socket_{std::move(redis_socket)}, our_socket_{std::move(our_socket)} {}

  // The first difference, told in two lines; null when there is none.
  std::optional<std::string> fight(const std::vector<Turn>& turns);
  // The fewest of the turns that still make one.
  std::vector<Turn> shrink(std::vector<Turn> turns);

 private:
  // One server as seen through its connections.
  struct Side {
    std::vector<std::unique_ptr<Connection>> connections;
    std::vector<std::string> ids;  // as CLIENT ID answers
  };

  Side enter(const std::string& socket);
  void leave(Side& side);
  // What each connection receives of the turn.
  std::vector<std::string> take(Side& side, const Turn& turn, bool redirects);
  std::string ask(Connection& connection, const Words& words);

  std::string redis_socket_;
  std::string our_socket_;
  std::uint64_t last_word_ = 0;
};

}  // namespace fencepost::compat
