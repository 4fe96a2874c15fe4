// The words of one request, the command's name first. Views into bytes that live for the call.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace fencepost::commands {

class Arguments {
 public:
  explicit Arguments(std::span<const std::string_view> words) : words_{words} {}

  std::size_t size() const { return words_.size(); }
  std::string_view operator[](std::size_t at) const { return words_[at]; }
  std::span<const std::string_view> all() const { return words_; }
  std::span<const std::string_view> from(std::size_t first) const { return words_.subspan(first); }
  std::span<const std::string_view> between(std::size_t first, std::size_t end) const {
    return words_.subspan(first, end - first);
  }

 private:
  std::span<const std::string_view> words_;
};

}  // namespace fencepost::commands
