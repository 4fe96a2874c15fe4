// Chance, passed in: the same seed gives the same run.
#pragma once

#include <cstdint>
#include <random>

namespace fencepost {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_{seed} {}

  std::uint64_t next() { return engine_(); }
  // Uniform in [0, end); 0 when end is 0.
  std::uint64_t below(std::uint64_t end) {
    if (end == 0) return 0;
    return std::uniform_int_distribution<std::uint64_t>{0, end - 1}(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace fencepost
