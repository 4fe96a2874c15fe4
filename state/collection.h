// A value of many elements: hash, list, set, sorted set, stream. What the server does with any of
// them, whatever is inside, goes by this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include "state/steps.h"

namespace fencepost::state {

enum class Type : std::uint8_t { string, lock, hash, list, set, sorted_set, stream };
constexpr std::size_t kTypeCount = 7;

// "string", "lock", "hash", "zset" ...: what TYPE answers.
std::string_view type_name(Type type);

class Collection {
 public:
  Collection() = default;
  virtual ~Collection() = default;

  virtual Type type() const = 0;
  virtual std::size_t size() const = 0;
  // For COPY: the same elements, sharing nothing.
  virtual std::unique_ptr<Collection> clone() const = 0;
  // How Redis would keep it ("listpack", "quicklist" ...): what OBJECT ENCODING answers.
  virtual std::string_view encoding() const = 0;
  // What it takes, in bytes, itself included; an estimate that is linear in the elements at most.
  virtual std::size_t memory_bytes() const = 0;
  // Whether the order of the elements is part of the value: two lists may differ by it, two sets
  // never do.
  virtual bool ordered() const = 0;
  // Each element as its parts: a field and its value, a member and its score, a member alone.
  // Together they are all there is to know of the value.
  virtual void for_each(
      const std::function<void(std::span<const std::string_view> parts)>& see) const = 0;

  // For a journal; every type notes its own.
  Steps& steps() { return steps_; }
  const Steps& steps() const { return steps_; }

 protected:
  // The journal knows the other one alone.
  Collection(const Collection& /*other*/) {}
  // All that it was is gone at once, which is no step.
  Collection& operator=(const Collection& /*other*/) {
    steps_.forget();
    return *this;
  }
  void note_step(char code, std::initializer_list<std::string_view> parts) {
    steps_.note(code, {parts.begin(), parts.size()});
  }

 private:
  Steps steps_;
};

}  // namespace fencepost::state
