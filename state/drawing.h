// A walk over the whole state, piece by piece, that writes down an image of everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "state/item.h"
#include "state/state.h"

namespace fencepost::state {

// First the keys, database by database, then what is remembered of keys that are gone. The state
// may change in between: what changed behind the walk's back is for whoever notes changes.
class Drawing {
 public:
  // The state must outlive it.
  explicit Drawing(const State& state) : state_{state} {}

  // Appends the next piece, which is a batch as image.h has it, of about `bytes` bytes.
  void next(std::string& piece, std::size_t bytes = kPieceBytes);
  // Everything has been drawn.
  bool ended() const { return ended_; }

  static constexpr std::size_t kPieceBytes = 64 * 1024;

 private:
  void draw_some(std::string& piece);

  const State& state_;
  DatabaseIndex database_ = 0;
  std::uint64_t cursor_ = 0;
  bool idle_noted_ = false;
  std::vector<KeyName> idle_;  // still to be drawn, from the back
  bool ended_ = false;
};

}  // namespace fencepost::state
