// What was done to a value of many parts since a journal has it, so that a journal need not be told
// of the whole value again for each element that comes or goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace fencepost::state {

// Each with its code and its parts; whoever knows the type knows what they mean. None are kept of a
// value that no journal has, nor once they are more than the value itself.
class Steps {
 public:
  // A journal has all of the value, in so many bytes, among what came behind that picture.
  void begin(std::uint64_t picture, std::size_t image_bytes);
  // What was noted leads from what the journal has behind that picture to the value as it is.
  bool lead_on_from(std::uint64_t picture) const {
    return log_ != nullptr && log_->picture == picture;
  }
  // The journal has what they come to.
  void taken();
  // No journal has this value under its present name.
  void forget() { log_ = nullptr; }

  bool are_noted() const { return log_ != nullptr; }
  void note(char code, std::span<const std::string_view> parts) {
    if (log_ != nullptr) add(code, parts);
  }
  // Steps, each code:u8 count:number part:text*. Only while they lead on.
  std::string_view bytes() const { return log_->bytes; }

 private:
  struct Log {
    std::uint64_t picture = 0;
    std::size_t most_bytes = 0;
    std::string bytes;
  };

  void add(char code, std::span<const std::string_view> parts);

  std::unique_ptr<Log> log_;
};

}  // namespace fencepost::state
