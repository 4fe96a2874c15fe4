// Words and patterns: letter case, one-line error texts, glob patterns.
#pragma once

#include <string>
#include <string_view>

namespace fencepost {

char to_lower(char c);
char to_upper(char c);
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

// Equal but for the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);

// One line: every CR and LF becomes a space. All text that ends up in a simple or error reply goes
// through here.
std::string one_line(std::string_view text);

enum class LetterCase { exact, ignored };

// Redis's glob: ? * [abc] [^a] [a-z] and backslash.  https://redis.io/commands/keys
bool glob_matches(std::string_view pattern, std::string_view text,
                  LetterCase letters = LetterCase::exact);

// Printable ASCII stands; quotes and backslash are escaped; the rest is \n \r \t \a \b or \xHH. In
// double quotes.
std::string quoted(std::string_view bytes);

}  // namespace fencepost
