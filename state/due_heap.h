// Items in the order in which their leases end: a binary heap whose members know their place.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "state/item.h"
#include "state/steady_vector.h"

namespace fencepost::state {

// O(log n) to add, move and remove; O(1) to see the earliest. Equal deadlines stand in the order of
// their names, so that the order of lapses does not depend on how the heap came about.
class DueHeap {
 public:
  bool empty() const { return slots_.empty(); }
  std::size_t size() const { return slots_.size(); }
  Instant earliest() const { return slots_.empty() ? kNever : slots_[0].deadline; }
  Item* front() const { return slots_.empty() ? nullptr : slots_[0].item; }

  // Files the item under its deadline, wherever it stood; one that never ends is taken out.
  void update(Item& item);
  void remove(Item& item);

 private:
  struct Slot {
    Instant deadline;
    Item* item;
  };

  static bool earlier(const Slot& a, const Slot& b);
  void place(std::size_t at, Slot slot);
  void rise(std::size_t at);
  void sink(std::size_t at);

  SteadyVector<Slot> slots_;
};

}  // namespace fencepost::state
