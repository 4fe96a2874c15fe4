// A fingerprint of the state: two servers that agree on every key, value and fence answer the same
// one.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "state/state.h"

namespace fencepost::commands {

// 160 bits. For finding out by accident that two states differ; not proof against somebody who
// wants them to look alike.
class Digest {
 public:
  // The fingerprint of one value, of its type, and of its holders.
  static Digest of_value(const state::Item& item);
  // Of all keys in all databases, in whatever order they stand; zero when there are none. Which
  // keys have a lease counts; how much of it is left does not.
  static Digest of_state(state::State& state);

  // 40 hexadecimal digits.
  std::string text() const;

 private:
  // Takes the bytes in, and where they end.
  void mix(std::string_view bytes);
  void mix(std::uint64_t number);
  static void mix_elements(Digest& digest, const state::Collection& collection);
  // Joins another in, so that the order of joining does not matter.
  void join(const Digest& other);

  std::array<std::uint64_t, 3> lanes_{};
};

}  // namespace fencepost::commands
