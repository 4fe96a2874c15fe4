// Random requests for hashes and sets: what their words are.
#include "tests/compat/grammar.h"
#include "tests/compat/hash_vocabulary.h"

namespace fencepost::compat {

// By chance there is only one to choose from: else the two servers would part.
void Grammar::add_pop(std::vector<Step>& steps, int connection) {
  steps.push_back({.connection = connection, .words = {"DEL", "p"}});
  steps.push_back({.connection = connection, .words = {"SADD", "p", set_member()}});
  steps.push_back({.connection = connection, .words = {"SRANDMEMBER", "p", "-3"}});
  steps.push_back({.connection = connection, .words = {letters("SPOP"), "p"}});
}

// The word that stands for a kind; none for a kind of another family.
Words Grammar::word_of_hashes(std::string_view kind) {
  if (kind == "@hash_key") return {own_key('h', 4)};
  if (kind == "@set_key") return {own_key('s', 4)};
  if (kind == "@field") return {field()};
  if (kind == "@field_value") return {field_value()};
  if (kind == "@set_member") return {set_member()};
  if (kind == "@modest_real")
    return {compact_ ? std::to_string(random_.below(99)) + ".25" : real()};
  if (kind == "@count") return {std::string{one_of(kCounts)}};
  if (kind == "@pop_count") return {chance(60) ? "1000000" : std::string{one_of(kCounts)}};
  return {};
}

std::string Grammar::field() {
  return compact_ || chance(70) ? std::string{one_of(kFields)} : value();
}

std::string Grammar::field_value() {
  if (!compact_) return value();
  return chance(30) ? number() : bytes(random_.below(65));
}

std::string Grammar::set_member() {
  if (compact_ || chance(60)) return std::string{one_of(kMembers)};
  return chance(50) ? std::to_string(random_.below(20)) : value();
}

}  // namespace fencepost::compat
