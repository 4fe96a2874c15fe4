// The patterns of SORT's BY and GET.
#include "commands/key/sort_pattern.h"

#include "commands/collection.h"
#include "commands/lookup.h"
#include "state/hash.h"

namespace fencepost::commands {

SortPattern::SortPattern(std::string_view text) {
  // Redis looks for signs up to the first zero byte.
  const std::string_view looked_at = text.substr(0, text.find('\0'));
  is_element_ = looked_at == "#";
  const std::size_t star = looked_at.find('*');
  has_star_ = star != std::string_view::npos;
  if (!has_star_) return;
  before_ = text.substr(0, star);
  const std::size_t arrow = looked_at.find("->", star + 1);
  const bool has_field = arrow != std::string_view::npos && arrow + 2 < looked_at.size();
  behind_ = text.substr(star + 1, has_field ? arrow - star - 1 : std::string_view::npos);
  if (has_field) field_ = text.substr(arrow + 2);
}

std::optional<std::string_view> SortPattern::value_for(Context& context,
                                                       std::string_view element) const {
  if (is_element_) return element;
  if (!has_star_) return std::nullopt;
  const std::string key = std::string{before_}.append(element).append(behind_);
  const state::Item* item = read_key(context, key);
  if (item == nullptr) return std::nullopt;
  if (field_.empty()) {
    return item->is_string() ? std::optional<std::string_view>{item->text()} : std::nullopt;
  }
  if (!is_a<state::Hash>(*item)) return std::nullopt;
  const std::string* value = static_cast<const state::Hash&>(item->collection()).find(field_);
  return value == nullptr ? std::nullopt : std::optional<std::string_view>{*value};
}

}  // namespace fencepost::commands
