// Setting parameters by name: at start, and by CONFIG SET, all or none.
#include "commands/server/settings.h"

#include <fmt/format.h>

#include "base/text.h"
#include "commands/server/settings_table.h"

namespace fencepost::commands {

namespace {

bool is_glob(std::string_view pattern) {
  return pattern.find_first_of("[*?") != std::string_view::npos;
}

bool same_name_before(const std::vector<std::pair<std::string, std::string>>& pairs,
                      std::size_t at) {
  for (std::size_t before = 0; before < at; ++before) {
    if (same_word(pairs[before].first, pairs[at].first)) return true;
  }
  return false;
}

tl::unexpected<Failure> config_set_failed(std::string_view name, std::string_view why) {
  return failure(
      fmt::format("ERR CONFIG SET failed (possibly related to argument '{}') - {}", name, why));
}

// The name that answers speak of: the parameter's own, or its alias when that was used.
std::string_view spoken_name(const Parameter& parameter, std::string_view word) {
  return same_word(word, parameter.name) ? parameter.name : parameter.alias;
}

// Whether each pair may be set at all, before any value is looked at.
Result<void> check_names(const std::vector<std::pair<std::string, std::string>>& pairs) {
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const std::string& name = pairs[at].first;
    const Parameter* parameter = find_parameter(name);
    if (parameter == nullptr) {
      return failure(
          fmt::format("ERR Unknown option or number of arguments for CONFIG SET - '{}'", name));
    }
    if (parameter->change == Parameter::Change::at_start) {
      return config_set_failed(spoken_name(*parameter, name), "can't set immutable config");
    }
    if (same_name_before(pairs, at)) {
      return config_set_failed(spoken_name(*parameter, name), "duplicate parameter");
    }
  }
  return {};
}

Result<void> set_one(SettingValues& values, const std::string& name, const std::string& text) {
  const Parameter& parameter = *find_parameter(name);
  const std::string before = value_of(values, parameter);
  Result<void> set = set_value(values, parameter, text);
  if (!set) return config_set_failed(spoken_name(parameter, name), set.error().what);
  if (parameter.change == Parameter::Change::at_start_or_same &&
      value_of(values, parameter) != before) {
    return config_set_failed(spoken_name(parameter, name), "can't set immutable config");
  }
  return {};
}

}  // namespace

Result<void> Settings::set_at_start(std::string_view name, std::string_view value) {
  const Parameter* parameter = find_parameter(name);
  if (parameter == nullptr) return failure(fmt::format("unknown parameter '{}'", name));
  Result<void> set = set_value(values, *parameter, value);
  if (!set) return failure(fmt::format("{}: {}", parameter->name, set.error().what));
  return {};
}

Result<void> Settings::set_at_start(std::string_view name, std::span<const std::string> words) {
  const Parameter* parameter = find_parameter(name);
  if (parameter == nullptr) return failure(fmt::format("unknown parameter '{}'", name));
  if (words.empty() || (words.size() > 1 && !parameter->several_words)) {
    return failure(fmt::format("{}: wrong number of arguments", parameter->name));
  }
  return set_at_start(name, fmt::format("{}", fmt::join(words, " ")));
}

Result<void> Settings::check_together() const {
  if (values.locks.default_ttl > values.locks.max_ttl) {
    return failure("lock-default-ttl must not be above lock-max-ttl");
  }
  return {};
}

Result<void> Settings::set_at_run_time(
    const std::vector<std::pair<std::string, std::string>>& pairs) {
  Result<void> named = check_names(pairs);
  if (!named) return named;
  Settings changed;
  changed.values = values;
  for (const auto& [name, text] : pairs) {
    Result<void> set = set_one(changed.values, name, text);
    if (!set) return set;
  }
  const Result<void> together = changed.check_together();
  if (!together) return config_set_failed(pairs.back().first, together.error().what);
  if (listen_at && changed.values.port != values.port) {
    const Result<void> listening = listen_at(changed.values.port);
    if (!listening) return config_set_failed("port", listening.error().what);
  }
  values = std::move(changed.values);
  if (on_change) on_change();
  return {};
}

std::map<std::string, std::string> Settings::matching(
    const std::vector<std::string_view>& patterns) const {
  std::map<std::string, std::string> found;
  for (const Parameter& parameter : parameters()) {
    for (const std::string_view name : {parameter.name, parameter.alias}) {
      if (name.empty()) continue;
      for (const std::string_view pattern : patterns) {
        const bool matches = is_glob(pattern) ? glob_matches(pattern, name, LetterCase::ignored)
                                              : same_word(pattern, name);
        if (!matches) continue;
        found.emplace(is_glob(pattern) ? name : pattern, value_of(values, parameter));
        break;
      }
    }
  }
  return found;
}

std::vector<std::string_view> Settings::names() {
  std::vector<std::string_view> all;
  for (const Parameter& parameter : parameters()) all.push_back(parameter.name);
  return all;
}

std::vector<std::string_view> Settings::set_without_effect() const {
  const SettingValues defaults;
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.no_effect) continue;
    if (value_of(values, parameter) != value_of(defaults, parameter)) {
      names.push_back(parameter.name);
    }
  }
  return names;
}

}  // namespace fencepost::commands
