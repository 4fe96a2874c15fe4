// How long things took, in nanoseconds: buckets that are 1/64 of their value wide, so that a
// percentile is off by less than 2 %.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace fencepost::load {

class Histogram {
 public:
  void add(std::uint64_t value) {
    ++buckets_[bucket_of(value)];
    ++count_;
  }
  void clear() { *this = Histogram{}; }
  std::uint64_t count() const { return count_; }

  // The value that `share` (0 to 1) of all values do not exceed; 0 when there are none.
  double percentile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      seen += buckets_[bucket];
      if (seen > wanted || (seen == count_ && seen > 0)) return middle_of(bucket);
    }
    return 0;
  }

 private:
  static constexpr unsigned kBits = 6;
  static constexpr std::size_t kSteps = std::size_t{1} << kBits;

  // Values below 64 have a bucket each; above, each power of two has 64.
  static std::size_t bucket_of(std::uint64_t value) {
    if (value < kSteps) return value;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - kBits - 1;
    return (shift + 1) * kSteps + ((value >> shift) - kSteps);
  }
  static double middle_of(std::size_t bucket) {
    if (bucket < kSteps) return static_cast<double>(bucket);
    const std::size_t shift = bucket / kSteps - 1;
    const std::uint64_t low = (bucket % kSteps + kSteps) << shift;
    return static_cast<double>(low) + static_cast<double>(std::uint64_t{1} << shift) / 2;
  }

  std::vector<std::uint64_t> buckets_ = std::vector<std::uint64_t>((64 - kBits + 1) * kSteps);
  std::uint64_t count_ = 0;
};

}  // namespace fencepost::load
