// LOLWUT: a fence, of course.
#include <algorithm>
#include <cstdint>
#include <string>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/server/rows.h"
#include "commands/versions.h"

namespace fencepost::commands {
namespace {

// One line of `posts` posts, with what lies between them.
std::string line(std::int64_t posts, std::string_view post, char between) {
  constexpr std::size_t kGap = 5;
  std::string text;
  for (std::int64_t i = 0; i < posts; ++i) {
    if (i > 0) text.append(kGap, between);
    text += post;
  }
  return text + "\n";
}

std::string fence(std::int64_t posts) {
  return line(posts, ".-.", ' ') + line(posts, "| |", '=') + line(posts, "| |", ' ') +
         line(posts, "| |", '=') + line(posts, "|_|", ',');
}

// LOLWUT [VERSION version] [posts]: the version changes nothing, there is one fence.
void lolwut(Context& context, Arguments& arguments) {
  constexpr std::int64_t kMostPosts = 20;
  auto words = arguments.from(1);
  if (words.size() >= 2 && same_word(words[0], "version")) {
    if (!parse_integer(words[1])) return context.reply.error(kNotAnInteger);
    words = words.subspan(2);
  }
  const auto posts = words.empty() ? std::int64_t{7} : parse_integer(words[0]);
  if (!posts) return context.reply.error(kNotAnInteger);
  context.reply.verbatim("txt", fence(std::clamp<std::int64_t>(*posts, 1, kMostPosts)) +
                                    "fencepost ver. " + std::string{kVersion} + "\n");
}

}  // namespace

Command lolwut_command() {
  return {.name = "LOLWUT",
          .group = "server",
          .since = "5.0.0",
          .summary = "Draws a fence and tells the version.",
          .syntax = "[VERSION version] [posts]",
          .arity = at_least(1),
          .effect = Effect::read,
          .flags = Flag::fast,
          .compat = {Compat::differs, "own art"},
          .run = lolwut};
}

}  // namespace fencepost::commands
