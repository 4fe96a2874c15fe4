// A walk over the whole state that writes down an image of everything.
#include "state/drawing.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "state/image.h"

namespace fencepost::state {

namespace {

// So many keys of a kilobyte make an ordinary piece.
constexpr std::size_t kBytesPerKey = 1024;

}  // namespace

void Drawing::next(std::string& piece) {
  check(!ended_, "what has ended is not drawn on");
  append_head(piece, state_);
  const std::size_t until = piece.size() + piece_bytes_;
  while (!ended_ && piece.size() < until) draw_some(piece);
}

void Drawing::draw_some(std::string& piece) {
  const auto draw = [this, &piece](const Item& item) {
    append_image(piece, state_, item.database, item.key());
  };
  if (database_ < kDatabaseCount) {
    const std::size_t keys = std::max<std::size_t>(1, piece_bytes_ / kBytesPerKey);
    cursor_ = state_.keys().peek_scan(database_, cursor_, keys, draw);
    if (cursor_ == 0) ++database_;
  } else if (!std::exchange(idle_noted_, true)) {
    state_.keys().fences().for_each([this](const IdleRecord& idle) {
      idle_.push_back({idle.database(), std::string{idle.key()}});
    });
    std::reverse(idle_.begin(), idle_.end());
  } else if (!idle_.empty()) {
    append_image(piece, state_, idle_.back().database, idle_.back().key);
    idle_.pop_back();
  } else {
    ended_ = true;
  }
}

}  // namespace fencepost::state
