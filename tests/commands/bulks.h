// Replies that are lists of texts, as the tests of collections write them.
#pragma once

#include <string>
#include <string_view>

#include "tests/commands/conversation.h"

namespace fencepost::tests {

inline std::string bulk(std::string_view text) {
  return "$" + std::to_string(text.size()) + "\r\n" + std::string{text} + "\r\n";
}

// bulks("a", 1): "*2", "$1", "a", "$1", "1".
template <typename... Texts>
std::string bulks(const Texts&... texts) {
  return "*" + std::to_string(sizeof...(texts)) + "\r\n" +
         (std::string{} + ... + bulk(to_word(texts)));
}

}  // namespace fencepost::tests
