// Items in the order in which their leases end.
#include "state/due_heap.h"

#include "base/check.h"

namespace fencepost::state {

bool DueHeap::earlier(const Slot& a, const Slot& b) {
  if (a.deadline != b.deadline) return a.deadline < b.deadline;
  if (a.item->database != b.item->database) return a.item->database < b.item->database;
  return a.item->key() < b.item->key();
}

// An item's due_position is its index plus one; 0 says that it is not here.
void DueHeap::place(std::size_t at, Slot slot) {
  slots_[at] = slot;
  slot.item->due_position = static_cast<std::uint32_t>(at + 1);
}

void DueHeap::rise(std::size_t at) {
  const Slot slot = slots_[at];
  while (at > 0) {
    const std::size_t parent = (at - 1) / 2;
    if (!earlier(slot, slots_[parent])) break;
    place(at, slots_[parent]);
    at = parent;
  }
  place(at, slot);
}

void DueHeap::sink(std::size_t at) {
  const Slot slot = slots_[at];
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= slots_.size()) break;
    if (child + 1 < slots_.size() && earlier(slots_[child + 1], slots_[child])) ++child;
    if (!earlier(slots_[child], slot)) break;
    place(at, slots_[child]);
    at = child;
  }
  place(at, slot);
}

void DueHeap::update(Item& item) {
  if (item.deadline == kNever) {
    remove(item);
    return;
  }
  if (item.due_position == 0) {
    check(slots_.size() < UINT32_MAX, "a place in the heap fits 32 bits");
    slots_.push_back({item.deadline, &item});
    rise(slots_.size() - 1);
    return;
  }
  const std::size_t at = item.due_position - 1;
  check(at < slots_.size() && slots_[at].item == &item, "an item knows its place in the heap");
  const bool sooner = item.deadline < slots_[at].deadline;
  slots_[at].deadline = item.deadline;
  if (sooner) {
    rise(at);
  } else {
    sink(at);
  }
}

void DueHeap::remove(Item& item) {
  if (item.due_position == 0) return;
  const std::size_t at = item.due_position - 1;
  check(at < slots_.size() && slots_[at].item == &item, "an item knows its place in the heap");
  item.due_position = 0;
  const Slot last = slots_.back();
  slots_.pop_back();
  if (at == slots_.size()) return;
  place(at, last);
  rise(at);
  sink(last.item->due_position - 1);
}

}  // namespace fencepost::state
