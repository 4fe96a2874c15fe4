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
  // The state must outlive it. A piece has about that many bytes.
  explicit Drawing(const State& state, std::size_t piece_bytes = kPieceBytes)
      : state_{state}, piece_bytes_{piece_bytes} {}

  // Appends the next piece, which is a batch as image.h has it.
  void next(std::string& piece);
  // Everything has been drawn.
  bool ended() const { return ended_; }

  static constexpr std::size_t kPieceBytes = 64 * 1024;

 private:
  void draw_some(std::string& piece);

  const State& state_;
  std::size_t piece_bytes_;
  DatabaseIndex database_ = 0;
  std::uint64_t cursor_ = 0;
  bool idle_noted_ = false;
  std::vector<KeyName> idle_;  // still to be drawn, from the back
  bool ended_ = false;
};

}  // namespace fencepost::state
