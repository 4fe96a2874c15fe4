// Counters behind INFO. The engine counts; CONFIG RESETSTAT sets back.
#include "commands/server/statistics.h"

#include <cstddef>

namespace fencepost::commands {

std::uint64_t CommandStatistics::percentile_us(double share) const {
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < by_magnitude.size(); ++i) {
    counted += by_magnitude[i];
    const auto wanted = share * static_cast<double>(calls);
    if (counted != 0 && static_cast<double>(counted) >= wanted) return std::uint64_t{1} << i;
  }
  return 0;
}

}  // namespace fencepost::commands
