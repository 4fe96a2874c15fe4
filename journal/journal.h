// Order and durability of entries. The engine appends; committed entries come back, in order, to be
// applied.
#pragma once

#include <functional>

#include "journal/entry.h"

namespace fencepost::journal {

class Journal {
 public:
  using Apply = std::function<void(const Entry&)>;

  virtual ~Journal() = default;
  // Takes the entry in; `apply` (given at construction) sees it once it is committed: within this
  // call for the in-memory journal, later for one that waits for a disk or a quorum. Views in the
  // entry live until this returns.
  virtual void append(const Entry& entry) = 0;
};

}  // namespace fencepost::journal
