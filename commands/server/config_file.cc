// Config files in Redis's format.
#include "commands/server/config_file.h"

#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/words.h"
#include "commands/server/settings_table.h"

namespace fencepost::commands {

namespace {

constexpr std::string_view kRewriteHeading = "# Added by CONFIG REWRITE";

// Takes the next line from the front, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool says_nothing(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '#';
}

Result<void> apply_line(std::string_view line, Settings& settings) {
  std::vector<std::string> words;
  if (!split_words(line, words)) return failure("quotes do not balance");
  if (words.empty()) return {};
  const std::string name = words.front();
  words.erase(words.begin());
  return settings.set_at_start(name, words);
}

// The parameter that a line sets; null when it says nothing or is beyond understanding.
const Parameter* parameter_of(std::string_view line) {
  std::vector<std::string> words;
  if (says_nothing(line) || !split_words(line, words) || words.empty()) return nullptr;
  return find_parameter(words.front());
}

bool needs_quotes(std::string_view word) {
  return word.empty() || word != one_line(word) ||
         word.find_first_of(" \t\v\f\"'\\") != std::string_view::npos ||
         quoted(word).size() != word.size() + 2;
}

std::string line_for(const Parameter& parameter, const SettingValues& values) {
  const std::string value = value_of(values, parameter);
  const bool as_words = parameter.several_words && !value.empty();
  return fmt::format("{} {}", parameter.name,
                     !as_words && needs_quotes(value) ? quoted(value) : value);
}

// What the lines for this parameter say, all taken together, starting from the defaults.
std::string value_said(std::string_view text, const Parameter& parameter) {
  Settings said;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (parameter_of(line) != &parameter) continue;
    // A line that cannot be applied leaves the value as it is, and so is written anew.
    static_cast<void>(apply_line(line, said));
  }
  return value_of(said.values, parameter);
}

}  // namespace

Result<void> apply_config(std::string_view text, Settings& settings) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (says_nothing(line)) continue;
    const Result<void> applied = apply_line(line, settings);
    if (!applied) return failure(fmt::format("line {}: {}", number, applied.error().what));
  }
  return {};
}

std::string rewritten_config(std::string_view text, const Settings& settings) {
  const SettingValues defaults;
  std::set<std::string_view> named;    // parameters that the old text names
  std::set<std::string_view> changed;  // those of them whose lines are replaced
  std::string result;
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = take_line(left);
    const Parameter* parameter = parameter_of(line);
    if (parameter != nullptr && named.insert(parameter->name).second &&
        value_said(text, *parameter) != value_of(settings.values, *parameter)) {
      changed.insert(parameter->name);
      result.append(line_for(*parameter, settings.values)).append("\n");
    } else if (parameter == nullptr || !changed.contains(parameter->name)) {
      result.append(line).append("\n");
    }
  }
  bool has_heading = text.find(kRewriteHeading) != std::string_view::npos;
  for (const Parameter& parameter : parameters()) {
    if (named.contains(parameter.name)) continue;
    if (value_of(settings.values, parameter) == value_of(defaults, parameter)) continue;
    if (!has_heading) result.append(kRewriteHeading).append("\n");
    has_heading = true;
    result.append(line_for(parameter, settings.values)).append("\n");
  }
  return result;
}

}  // namespace fencepost::commands
