// What of a request may be shown to others: passwords may not.
#include "commands/server/redaction.h"

#include <algorithm>

#include "base/text.h"

namespace fencepost::commands {
namespace {

constexpr std::string_view kHidden = "(redacted)";
using Words = std::vector<std::string_view>;

void hide(Words& words, std::size_t first, std::size_t count) {
  const auto end = std::min(words.size(), first + count);
  for (auto at = std::min(first, end); at < end; ++at) words[at] = kHidden;
}

// HELLO 3 AUTH user password SETNAME name
void hide_in_hello(Words& words) {
  for (std::size_t at = 2; at < words.size(); ++at) {
    if (!same_word(words[at], "auth")) continue;
    hide(words, at + 1, 2);
    return;
  }
}

// CONFIG SET name value [name value ...]
void hide_in_config_set(Words& words) {
  for (std::size_t at = 2; at + 1 < words.size(); at += 2) {
    if (same_word(words[at], "requirepass") || same_word(words[at], "masterauth"))
      hide(words, at + 1, 1);
  }
}

}  // namespace

std::vector<std::string_view> redacted(std::span<const std::string_view> words) {
  Words shown{words.begin(), words.end()};
  if (shown.empty()) return shown;
  if (same_word(shown[0], "auth")) hide(shown, 1, shown.size());
  if (same_word(shown[0], "hello")) hide_in_hello(shown);
  if (same_word(shown[0], "config") && shown.size() > 2 && same_word(shown[1], "set"))
    hide_in_config_set(shown);
  return shown;
}

}  // namespace fencepost::commands
