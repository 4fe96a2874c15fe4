// What a connection received, taken apart into replies and what came unasked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::compat {

// One reply, or one message or invalidation, as bytes.
struct Frame {
  std::string bytes;
  bool unasked = false;
};

// All that stands in `bytes`, in order. redis-server 7.0.15 puts messages into the midst of EXEC's
// reply; such are taken out and stand behind the reply that they were found in. Bytes that are no
// reply are one last frame.
std::vector<Frame> frames_of(std::string_view bytes);

// The same with all that may differ made alike: neighbouring messages of one PUBLISH to several
// patterns, and neighbouring farewells of one UNSUBSCRIBE, in the order of their bytes.
std::vector<Frame> in_one_order(std::vector<Frame> frames);

// The same with invalidations behind all else.
std::vector<Frame> invalidations_last(std::vector<Frame> frames);

}  // namespace fencepost::compat
