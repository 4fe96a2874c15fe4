// A row's `syntax` text taken apart into the arguments that COMMAND DOCS lists and redis-cli draws
// its hints from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"

namespace fencepost::commands {

// One argument. Which members say something depends on the kind:
//   value   a word of the caller's: `type` as COMMAND DOCS names it (key, string, integer, double,
//   pattern, unix-time);
//           `token` is the word that stands in front of it, if any
//   token   a fixed word alone
//   block   `members` one after another, behind `token` if there is one
//   oneof   one of `members`
struct SyntaxArgument {
  enum class Kind : std::uint8_t { value, token, block, oneof };
  Kind kind = Kind::value;
  std::string name;
  std::string token;
  std::string_view type;
  bool optional = false;
  bool multiple = false;        // may stand several times
  bool multiple_token = false;  // and its token each time
  std::vector<SyntaxArgument> members;

  bool operator==(const SyntaxArgument&) const = default;
};

// The grammar, as redis.io prints arguments:
//
//   sequence  = { choice }
//   choice    = term { "|" term }
//   term      = WORD { word }        a token and the values behind it
//             | word                 a value
//             | "[" sequence "]"     may be left out
//             | "<" sequence ">"     brackets for the eye alone
//   "..."     as the last word of a bracket: it may stand several times. When a bracket repeats
//   what stands right in
//             front of it ("key [key ...]", "key value [key value ...]"), the two are one argument.
//
// WORD has no lower-case letter. The type of a value follows from its name. Text that breaks the
// grammar is a fault of the row: an unclosed bracket is closed at the end.
std::vector<SyntaxArgument> parse_syntax(std::string_view text);

}  // namespace fencepost::commands
