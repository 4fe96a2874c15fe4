// A text in sixteen bytes, for values of many elements: up to 15 bytes in place, a longer one on
// the heap.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace fencepost::state {

class Element {
 public:
  explicit Element(std::string_view text);
  Element(const Element& other) : Element{other.view()} {}
  Element(Element&& other) noexcept : bytes_{std::exchange(other.bytes_, {})} {}
  Element& operator=(Element other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Element() {
    if (is_outside()) release();
  }

  std::string_view view() const { return is_outside() ? outside() : inside(); }
  // What it takes besides its own sixteen bytes.
  std::size_t heap_bytes() const;

 private:
  // The last byte says how many of the others are used, or that they point to a block: its size,
  // then the text.
  static constexpr std::size_t kInPlace = 15;
  static constexpr char kOutside = 16;

  bool is_outside() const { return bytes_[kInPlace] == kOutside; }
  std::string_view inside() const {
    return {bytes_.data(), static_cast<std::size_t>(bytes_[kInPlace])};
  }
  std::string_view outside() const;
  char* block() const;
  void release();

  alignas(void*) std::array<char, kInPlace + 1> bytes_{};
};

}  // namespace fencepost::state
