// A picture of the state that is being drawn, a slice each turn.
#pragma once

#include <memory>

#include "journal/batch_log.h"
#include "server/persistence.h"
#include "state/drawing.h"

namespace fencepost::server {

// A key that changes behind the drawing's back is in a batch behind the picture.
struct Persistence::Drawing {
  std::unique_ptr<journal::PictureWriter> writer;
  state::Drawing walk;  // once it has ended, `point` is to be synced
  bool syncing = false;
  journal::SyncPoint point{};
};

}  // namespace fencepost::server
