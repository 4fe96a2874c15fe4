// Different numbers by chance.
#include "base/sample.h"

#include <algorithm>
#include <unordered_set>

namespace fencepost {

std::vector<std::size_t> sample(Random& random, std::size_t count, std::size_t end) {
  std::vector<std::size_t> drawn;
  std::unordered_set<std::size_t> is_drawn;
  for (std::size_t last = end - std::min(count, end); last < end; ++last) {
    std::size_t one = random.below(last + 1);
    if (!is_drawn.insert(one).second) one = last;
    is_drawn.insert(one);
    drawn.push_back(one);
  }
  return drawn;
}

}  // namespace fencepost
