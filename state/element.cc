// A text in sixteen bytes, or on the heap.
#include "state/element.h"

#include <cstring>

#include "base/check.h"

namespace fencepost::state {

Element::Element(std::string_view text) {
  if (text.size() <= kInPlace) {
    text.copy(bytes_.data(), text.size());
    bytes_[kInPlace] = static_cast<char>(text.size());
    return;
  }
  const std::size_t size = text.size();
  char* made = new char[sizeof(size) + size];
  std::memcpy(made, &size, sizeof(size));
  std::memcpy(made + sizeof(size), text.data(), size);
  std::memcpy(bytes_.data(), &made, sizeof(made));
  bytes_[kInPlace] = kOutside;
}

char* Element::block() const {
  check(is_outside(), "only a long text has a block");
  char* at = nullptr;
  std::memcpy(&at, bytes_.data(), sizeof(at));
  return at;
}

std::string_view Element::outside() const {
  const char* at = block();
  std::size_t size = 0;
  std::memcpy(&size, at, sizeof(size));
  return {at + sizeof(size), size};
}

std::size_t Element::heap_bytes() const {
  constexpr std::size_t kBlockOverhead = 16;
  return is_outside() ? kBlockOverhead + sizeof(std::size_t) + outside().size() : 0;
}

void Element::release() {
  delete[] block();
}

}  // namespace fencepost::state
