// A picture of the state that is being drawn, a slice each turn.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "journal/batch_log.h"
#include "server/persistence.h"
#include "state/item.h"

namespace fencepost::server {

// First the keys, database by database, then what is remembered of keys that are gone. A key that
// changes behind the drawing's back is in a batch behind the picture.
struct Persistence::Drawing {
  std::unique_ptr<journal::PictureWriter> writer;
  DatabaseIndex database = 0;
  std::uint64_t cursor = 0;
  bool idle_noted = false;
  std::vector<state::KeyName> idle;  // still to be drawn, from the back
  bool ended = false;                // all is drawn: `point` is to be synced
  bool syncing = false;
  journal::SyncPoint point;
};

}  // namespace fencepost::server
