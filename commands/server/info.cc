// INFO: what the server knows of itself, section by section.
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/server/info_sections.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

bool asks_for(std::string_view word, const InfoSection& section) {
  if (same_word(word, "all") || same_word(word, "everything")) return true;
  if (same_word(word, "default")) return section.by_default;
  return same_word(word, section.name);
}

bool wanted(Arguments& arguments, const InfoSection& section) {
  if (arguments.size() == 1) return section.by_default;
  for (const auto word : arguments.from(1)) {
    if (asks_for(word, section)) return true;
  }
  return false;
}

// INFO [section [section ...]]: a name that is none says nothing.
void info(Context& context, Arguments& arguments) {
  InfoText text;
  for (const auto& section : info_sections()) {
    if (!wanted(arguments, section)) continue;
    text.heading(section.heading);
    section.write(context, text);
  }
  context.reply.verbatim("txt", text.text());
}

}  // namespace

Command info_command() {
  return {
      .name = "INFO",
      .group = "server",
      .since = "1.0.0",
      .summary = "What the server knows of itself, as text.",
      .syntax = "[section [section ...]]",
      .complexity = "O(1)",
      .arity = at_least(1),
      .effect = Effect::session,
      .flags = Flag::loading | Flag::stale,
      .categories = Category::dangerous,
      .compat =
          {Compat::differs,
           "fewer fields, a section of its own: locks; redis_version says what clients may expect"},
      .run = info,
      .tips = "nondeterministic_output request_policy:all_shards response_policy:special"};
}

}  // namespace fencepost::commands
