// Chance, passed in: the same seed gives the same run.
#pragma once

#include <cstdint>

namespace fencepost {

// SplitMix64 (Steele, Lea, Flood 2014): seeding is one store, for every entry brings a seed of its
// own and most need nothing of it.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_{seed} {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
  }
  // Uniform in [0, end); 0 when end is 0.
  std::uint64_t below(std::uint64_t end) {
    if (end == 0) return 0;
    // The first 2^64 mod end values would make the low remainders likelier.
    const std::uint64_t uneven = (0 - end) % end;
    std::uint64_t drawn = next();
    while (drawn < uneven) drawn = next();
    return drawn % end;
  }

 private:
  std::uint64_t state_;
};

}  // namespace fencepost
