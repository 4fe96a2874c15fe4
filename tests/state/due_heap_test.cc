// Leases end in order, whatever was added, moved and removed in between.
#include "state/due_heap.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace fencepost::state {

namespace {

Instant at(std::int64_t ms) {
  return Instant{Duration{ms}};
}

TEST(DueHeap, agrees_with_a_sorted_map) {
  std::vector<std::unique_ptr<Item>> items;
  for (int i = 0; i < 300; ++i) items.push_back(Item::with_text(std::to_string(i), "v"));
  DueHeap heap;
  std::map<std::pair<Instant, std::string_view>, Item*> model;
  Random random{3};
  for (int step = 0; step < 50'000; ++step) {
    Item& item = *items[random.below(items.size())];
    model.erase({item.deadline, item.key()});
    if (random.below(4) == 0) {
      heap.remove(item);
      item.deadline = kNever;
    } else {
      item.deadline = at(static_cast<std::int64_t>(random.below(100)));  // many of one moment
      heap.update(item);
      model[{item.deadline, item.key()}] = &item;
    }
    ASSERT_EQ(heap.size(), model.size());
    ASSERT_EQ(heap.front(), model.empty() ? nullptr : model.begin()->second);
    ASSERT_EQ(heap.earliest(), model.empty() ? kNever : model.begin()->first.first);
  }
}

TEST(DueHeap, an_item_that_never_ends_is_not_in_it) {
  DueHeap heap;
  const std::unique_ptr<Item> made = Item::with_text("a", "v");
  Item& item = *made;
  heap.update(item);
  EXPECT_TRUE(heap.empty());
  item.deadline = at(5);
  heap.update(item);
  EXPECT_EQ(heap.front(), &item);
  item.deadline = kNever;
  heap.update(item);
  EXPECT_TRUE(heap.empty());
  heap.remove(item);  // a second time does nothing
}

}  // namespace

}  // namespace fencepost::state
