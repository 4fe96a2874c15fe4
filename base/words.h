// Lines of text into words, with quotes: inline commands and config files are written this way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost {

// Adds the words of a line, as Redis splits them: "double quotes" with the escapes \n \r \t \b \a
// \xHH, 'single quotes' with \' alone. False when the quotes do not balance, or when something is
// glued behind a closing quote.
bool split_words(std::string_view line, std::vector<std::string>& words);

}  // namespace fencepost
