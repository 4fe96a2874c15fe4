// A row's `syntax` text taken apart into the arguments that COMMAND DOCS lists and redis-cli draws
// its hints from.
#include "commands/server/syntax.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace fencepost::commands {
namespace {

using Kind = SyntaxArgument::Kind;
using Sequence = std::vector<SyntaxArgument>;

// Words and the signs [ ] < > | by themselves.
class Words {
 public:
  explicit Words(std::string_view text) : text_{text} { advance(); }

  std::string_view now() const { return now_; }
  bool at_end() const { return now_.empty(); }
  std::string_view take() {
    const auto word = now_;
    advance();
    return word;
  }

 private:
  static bool is_sign(char c) {
    return std::string_view{"[]<>|"}.find(c) != std::string_view::npos;
  }

  void advance() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    const auto begin = at_;
    if (at_ < text_.size() && is_sign(text_[at_])) {
      ++at_;
    } else {
      while (at_ < text_.size() && text_[at_] != ' ' && !is_sign(text_[at_])) ++at_;
    }
    now_ = text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view now_;
};

Sequence take_sequence(Words& words);

bool is_closing(std::string_view word) {
  return word.empty() || word == "]" || word == ">";
}
bool is_sign(std::string_view word) {
  return is_closing(word) || word == "[" || word == "<" || word == "|" || word == "...";
}
bool is_token(std::string_view word) {
  return !is_sign(word) &&
         std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}
bool is_value(std::string_view word) {
  return !is_sign(word) && !is_token(word);
}

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view type_of(std::string_view name) {
  constexpr std::array<std::string_view, 4> kKeys{"key", "newkey", "source", "destination"};
  constexpr std::array<std::string_view, 30> kNumbers{
      "seconds",        "milliseconds", "ms",        "s",           "n",
      "count",          "cursor",       "numkeys",   "fence",       "offset",
      "start",          "end",          "stop",      "index",       "db",
      "destination-db", "index1",       "index2",    "decrement",   "increment",
      "timeout",        "protover",     "client-id", "numreplicas", "microseconds",
      "limit",          "size",         "version",   "holders",     "posts"};
  if (is_one_of(name, kKeys)) return "key";
  if (is_one_of(name, kNumbers)) return "integer";
  if (name == "pattern") return "pattern";
  if (name == "float") return "double";
  return name.starts_with("unix-time") ? "unix-time" : "string";
}

SyntaxArgument value(std::string_view name) {
  return {.kind = Kind::value,
          .name = std::string{name},
          .token = {},
          .type = type_of(name),
          .members = {}};
}

std::string joined_names(const Sequence& members, char between) {
  std::string name;
  for (const auto& member : members) {
    if (!name.empty()) name += between;
    name += member.name;
  }
  return name;
}

SyntaxArgument group(Kind kind, Sequence members) {
  auto name = joined_names(members, '_');
  return {.kind = kind,
          .name = std::move(name),
          .token = {},
          .type = {},
          .members = std::move(members)};
}

// One argument stands for itself; several become a block.
SyntaxArgument as_one(Sequence members) {
  return members.size() == 1 ? std::move(members.front()) : group(Kind::block, std::move(members));
}

// WORD { word }
SyntaxArgument take_token(Words& words) {
  const auto token = words.take();
  Sequence values;
  while (is_value(words.now())) values.push_back(value(words.take()));
  if (values.empty()) {
    return {.kind = Kind::token,
            .name = to_lower(token),
            .token = std::string{token},
            .type = {},
            .members = {}};
  }
  auto argument = as_one(std::move(values));
  if (argument.kind == Kind::block) argument.name = to_lower(token);
  argument.token = token;
  return argument;
}

// "ID client-id [client-id ...]": the token stands once, its value several times.
bool repeats_the_value(Sequence& before, const Sequence& bracket) {
  if (bracket.size() != 1 || before.empty() || before.back().token.empty()) return false;
  auto alone = before.back();
  alone.token.clear();
  if (alone != bracket.front()) return false;
  before.back().multiple = true;
  return true;
}

// Whether a bracket only repeats the end of `before`; then that end is marked as standing several
// times.
bool repeats_the_end(Sequence& before, const Sequence& bracket) {
  if (repeats_the_value(before, bracket)) return true;
  if (before.size() < bracket.size()) return false;
  const auto from = before.end() - static_cast<std::ptrdiff_t>(bracket.size());
  if (!std::equal(from, before.end(), bracket.begin())) return false;
  Sequence repeated{std::make_move_iterator(from), std::make_move_iterator(before.end())};
  before.erase(from, before.end());
  auto argument = as_one(std::move(repeated));
  argument.multiple = true;
  argument.multiple_token = !argument.token.empty();
  before.push_back(std::move(argument));
  return true;
}

// "[" sequence "]" or "<" sequence ">". Null when it only says that the end of `before` may stand
// several times.
std::vector<SyntaxArgument> take_bracket(Words& words, Sequence& before) {
  const bool optional = words.take() == "[";
  auto inside = take_sequence(words);
  bool multiple = false;
  if (words.now() == "...") {
    multiple = true;
    words.take();
  }
  if (!words.at_end()) words.take();
  if (inside.empty() || (multiple && repeats_the_end(before, inside))) return {};
  auto argument = as_one(std::move(inside));
  argument.optional = argument.optional || optional;
  argument.multiple = argument.multiple || multiple;
  return {std::move(argument)};
}

// One term; empty when a bracket was swallowed by what stands in front of it.
Sequence take_term(Words& words, Sequence& before) {
  if (words.now() == "[" || words.now() == "<") return take_bracket(words, before);
  if (is_token(words.now())) return {take_token(words)};
  return {value(words.take())};
}

Sequence take_sequence(Words& words) {
  Sequence sequence;
  while (!is_closing(words.now()) && words.now() != "...") {
    auto term = take_term(words, sequence);
    if (term.empty()) continue;
    Sequence choices{std::move(term.front())};
    while (words.now() == "|") {
      words.take();
      Sequence nothing_before;
      for (auto& choice : take_term(words, nothing_before)) choices.push_back(std::move(choice));
    }
    sequence.push_back(choices.size() == 1 ? std::move(choices.front())
                                           : group(Kind::oneof, std::move(choices)));
  }
  return sequence;
}

}  // namespace

std::vector<SyntaxArgument> parse_syntax(std::string_view text) {
  Words words{text};
  Sequence all;
  while (!words.at_end()) {
    for (auto& argument : take_sequence(words)) all.push_back(std::move(argument));
    // A closing bracket without its opening one, or a stray "...": passed over.
    if (!words.at_end()) words.take();
  }
  return all;
}

}  // namespace fencepost::commands
