// What HRANDFIELD, SRANDMEMBER, ZRANDMEMBER and SPOP have in common: how many, and which.
#include "commands/chance.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/limits.h"
#include "base/sample.h"
#include "commands/lookup.h"

namespace fencepost::commands {

std::optional<std::int64_t> random_count_or_reply(Context& context, std::string_view text) {
  const auto count = integer_or_reply(context, text);
  if (count && *count == INT64_MIN) {
    context.reply.error(
        "ERR value is out of range, value must between -9223372036854775807 and "
        "9223372036854775807");
    return std::nullopt;
  }
  return count;
}

std::vector<std::size_t> choose(Random& random, std::size_t size, std::size_t count) {
  check(count <= size, "there are as many to choose from");
  std::vector<std::size_t> positions(count);
  if (count == size) {
    std::iota(positions.begin(), positions.end(), std::size_t{0});
  } else {
    positions = sample(random, count, size);
    std::sort(positions.begin(), positions.end());
  }
  return positions;
}

std::size_t results_or_cut(Context& context, std::size_t size, std::int64_t count) {
  constexpr std::size_t kShortestElement = 6;  // an empty one, as a bulk string
  if (count >= 0) return std::min(static_cast<std::size_t>(count), size);
  const auto results = static_cast<std::size_t>(-count);
  if (results > kMaxReplyBytes / kShortestElement) context.reply.cut();
  return results;
}

}  // namespace fencepost::commands
