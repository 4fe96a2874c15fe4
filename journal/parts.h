// A payload that is too large for one frame comes as several, one behind the other, all with its
// index: its beginning, more of it, the last of it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "journal/frame.h"

namespace fencepost::journal {

// So many bytes at most are in one frame, unless somebody wants it otherwise.
constexpr std::size_t kPartBytes = std::size_t{64} << 20;

// Calls `write` for each frame that the payload takes; that of one alone is of kind `whole`. Ends
// at the first failure.
Result<void> in_parts(FrameKind whole, std::string_view payload, std::size_t part_bytes,
                      const std::function<Result<void>(FrameKind, std::string_view)>& write);

// Of a frame in a segment: whether a batch is whole with it.
inline bool ends_batch(FrameKind kind) {
  return kind == FrameKind::batch || kind == FrameKind::last;
}

// Puts the frames of one payload together again.
class Parts {
 public:
  enum class Step : std::uint8_t { whole, more, misplaced };

  // `whole`: payload() is there. `misplaced`: it goes on with what was not begun, or does not go on
  // with what was; then nothing is begun any more.
  Step add(const Frame& frame);
  // Good until the next frame.
  std::string_view payload() const { return payload_; }
  bool begun() const { return begun_; }
  std::size_t bytes() const { return bytes_.size(); }
  void drop();

 private:
  Step misplaced();

  bool begun_ = false;
  std::string bytes_;
  std::string_view payload_;
};

}  // namespace fencepost::journal
