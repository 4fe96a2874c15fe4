// The patterns of SORT's BY and GET: which key, or which field of it, they name for an element.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "commands/context.h"

namespace fencepost::commands {

//   pattern = "#"                            the element itself
//           | before "*" behind [ "->" field ]
// The element takes the place of the first star. What has no star names nothing.
class SortPattern {
 public:
  // The text outlives it.
  explicit SortPattern(std::string_view text);

  // Whether it depends on the element at all.
  bool names_keys() const { return has_star_; }
  // Good until the keyspace is changed; null when there is no such string or field.
  std::optional<std::string_view> value_for(Context& context, std::string_view element) const;

 private:
  bool is_element_ = false;
  bool has_star_ = false;
  std::string_view before_;
  std::string_view behind_;
  std::string_view field_;  // empty: the key is a string
};

}  // namespace fencepost::commands
