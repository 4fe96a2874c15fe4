// The printed parts of redis-compat.md: every row and every parameter without effect, in Markdown.
#include "commands/server/compat_document.h"

#include <algorithm>
#include <map>
#include <vector>

#include "commands/command.h"
#include "commands/server/settings.h"
#include "commands/server/settings_table.h"
#include "commands/table.h"

namespace fencepost::commands {
namespace {

std::string_view word_for(Compat kind) {
  switch (kind) {
    case Compat::same:
      return "same";
    case Compat::differs:
      return "differs";
    case Compat::later:
      return "later";
    case Compat::extension:
      return "extension";
  }
  return {};
}

// A bar would end the cell, in backticks too.
std::string in_a_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

struct Line {
  std::string name;  // "CLIENT LIST"
  const Command* command;

  std::string text() const {
    auto call = name;
    if (!command->syntax.empty()) call.append(" ").append(command->syntax);
    return "| `" + in_a_cell(call) + "` | " + std::string{word_for(command->compat.kind)} + " | " +
           in_a_cell(command->compat.note) + " |\n";
  }
};

// A container that does nothing by itself is not a line of its own, unless there is something to
// say of it.
bool is_a_line(const Command& command) {
  return command.run != nullptr || !command.compat.note.empty();
}

std::map<std::string_view, std::vector<Line>> lines_by_group() {
  std::map<std::string_view, std::vector<Line>> groups;
  for (const auto* command : all_commands()) {
    auto& lines = groups[command->group];
    const std::string name{command->name};
    if (is_a_line(*command)) lines.push_back({name, command});
    for (const auto& row : command->subcommands) {
      lines.push_back({name + " " + std::string{row.name}, &row});
    }
  }
  for (auto& [group, lines] : groups) {
    std::sort(lines.begin(), lines.end(),
              [](const Line& a, const Line& b) { return a.name < b.name; });
  }
  return groups;
}

// Puts `part` between the marker and the next end; false when one of them is missing.
bool replace_part(std::string& document, std::string_view name, std::string_view part) {
  const auto marker = "<!-- printed by ./dev docs: " + std::string{name} + " -->\n";
  const auto begin = document.find(marker);
  if (begin == std::string::npos) return false;
  const auto from = begin + marker.size();
  const auto end = document.find("<!-- end -->", from);
  if (end == std::string::npos) return false;
  document.replace(from, end - from, part);
  return true;
}

}  // namespace

std::string commands_in_markdown() {
  std::string text;
  for (const auto& [group, lines] : lines_by_group()) {
    text.append("\n### ").append(group).append("\n\n| command | | note |\n|---|---|---|\n");
    for (const auto& line : lines) text += line.text();
  }
  return text + "\n";
}

std::string parameters_in_markdown() {
  const SettingValues untouched;
  std::map<std::string_view, std::string> values;
  for (const auto& parameter : parameters()) {
    if (parameter.no_effect) values.emplace(parameter.name, value_of(untouched, parameter));
  }
  std::string text = "\n| parameter | at start |\n|---|---|\n";
  for (const auto& [name, value] : values) {
    const auto shown = value.empty() ? std::string{"(empty)"} : "`" + in_a_cell(value) + "`";
    text.append("| `").append(name).append("` | ").append(shown).append(" |\n");
  }
  return text + "\n";
}

Result<std::string> printed_anew(std::string_view document) {
  std::string text{document};
  if (!replace_part(text, "commands", commands_in_markdown())) {
    return failure("the document does not say where the commands are to be printed");
  }
  if (!replace_part(text, "parameters", parameters_in_markdown())) {
    return failure("the document does not say where the parameters are to be printed");
  }
  return text;
}

}  // namespace fencepost::commands
