// Random requests: commands with plausible arguments, and with faults in them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace fencepost::compat {

using Words = std::vector<std::string>;
struct Form;

// What is sent next, and where.
struct Step {
  int connection = 0;
  Words words{};  // a request; empty when `raw` is sent
  // Requests sent in front of `words`, with no others between: they make its answer comparable.
  std::vector<Words> before{};
  std::string raw{};  // bytes as they are: inline commands, broken protocol
  Words
      our_words{};  // what fencepost is sent instead of `words`; then the answers are not compared
  int wait_ms = 0;  // before it: for leases to end
  bool new_turn = true;   // the replies to all before it are read first
  int replies = 1;        // how many it is answered with, unless the connection is closed
  int linger_ms = 0;      // behind it: for a wait to end, before what was heard is compared
  bool hangs_up = false;  // nothing is sent: the connection is closed, and opened anew
};

// A word that stands for the id that a connection has at the server.
std::string client_placeholder(int connection);
// Null for any other word.
std::optional<int> placed_client(std::string_view word);

// The bytes of a step, for Redis and for us.
std::string to_bytes(const Step& step);
std::string to_our_bytes(const Step& step);
// As a person would type it.
std::string to_line(const Step& step);

// What would differ though both servers are right is changed.
void make_sorts_comparable(Words& words);
void make_waits_short(Words& words);
// What is to be sent in front of that request (Step::before).
std::vector<Words> requests_before(const Words& words);

class Grammar {
 public:
  // `unix_ms` is the present moment: leases that end at a moment are made around it.
  Grammar(std::uint64_t seed, std::int64_t unix_ms) : random_{seed}, unix_ms_{unix_ms} {}

  // A conversation of about `size` requests over kConnections connections, the last of which speaks
  // RESP3.
  std::vector<Step> round(std::size_t size);

  static constexpr int kConnections = 3;
  // A conversation of those who wait for keys and those who fill them, for Crowd.
  std::vector<Step> crowd(std::size_t size);

  // The commands that rounds are made of, "GET", "CLIENT|GETNAME".
  static std::vector<std::string> commands();

 private:
  Words command();
  const Form& form();
  Words expand(std::string_view form);
  void expand_word(std::string_view word, Words& into);
  bool expand_collection_word(std::string_view word, Words& into);
  void add_options(std::string_view kind, Words& into);
  static std::span<const std::string_view> collection_options(std::string_view kind);
  std::string element();
  std::string stream_id();
  std::string letters(std::string_view word);
  std::string key();
  std::string own_key(char family, std::uint64_t count);
  std::string any_key();
  std::string member();
  Words word_of_hashes(std::string_view kind);
  Words word_of_sorting(std::string_view kind);
  static std::vector<std::string_view> options_of_sorting();
  std::string field();
  std::string field_value();
  std::string set_member();
  std::string score();
  std::string value();
  std::string number();
  std::string real();
  std::string lease(std::int64_t unit_ms);
  std::string moment(std::int64_t unit_ms);
  std::string bytes(std::size_t size);
  void spoil(Words& words);
  void make_comparable(Words& words);
  void add_lapse(std::vector<Step>& steps, int connection);
  void add_pop(std::vector<Step>& steps, int connection);
  void add_timeout(std::vector<Step>& steps, int connection);
  void add_silence(std::vector<Step>& steps, int connection);
  const Form& crowd_form();

  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  template <typename Choices>
  auto& one_of(const Choices& choices) {
    return choices[random_.below(std::size(choices))];
  }

  Random random_;
  std::int64_t unix_ms_;
  bool lapses_ = false;          // in this round keys may end by themselves
  bool wrong_types_ = false;     // in this round one key begins as no string
  std::span<const Form> focus_;  // forms that most of this round is made of
  // In this round most hashes stay listpacks and most sets stay sets of numbers, so that there is
  // an order to compare.
  bool compact_ = false;
  std::uint64_t next_ms_ = 1;  // of the stream ids that are made
  bool few_keys_ = false;      // one list and one stream
};

}  // namespace fencepost::compat
