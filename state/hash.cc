// A hash: fields, each with a value.
#include "state/hash.h"

#include <array>

namespace fencepost::state {

bool Hash::set(std::string_view field, std::string_view value, const Compact& compact) {
  const auto held = fields_.insert(field);
  held.value.assign(value);
  note_step('s', {field, value});
  if (is_compact_ && (fields_.size() > compact.fields || field.size() > compact.bytes ||
                      value.size() > compact.bytes)) {
    outgrow();
  }
  return held.is_new;
}

bool Hash::erase(std::string_view field) {
  // The name may be that of the field itself.
  note_step('d', {field});
  return fields_.erase(field);
}

void Hash::outgrow() {
  if (!is_compact_) return;
  is_compact_ = false;
  fields_.forget_order();
  note_step('o', {});
}

std::size_t Hash::memory_bytes() const {
  return sizeof(*this) - sizeof(fields_) + fields_.memory_bytes();
}

void Hash::for_each(const std::function<void(std::span<const std::string_view> parts)>& see) const {
  for (std::size_t at = 0; at < fields_.size(); ++at) {
    const auto& entry = fields_.at(at);
    see(std::array<std::string_view, 2>{entry.field, entry.value});
  }
}

}  // namespace fencepost::state
