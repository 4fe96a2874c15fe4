// What of a request may be shown to others: passwords may not.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace fencepost::commands {

// The same words with "(redacted)" for each secret: those of AUTH, of HELLO ... AUTH, and of CONFIG
// SET requirepass. SLOWLOG and MONITOR show requests through it. The words are views of what came
// in.
std::vector<std::string_view> redacted(std::span<const std::string_view> words);

}  // namespace fencepost::commands
