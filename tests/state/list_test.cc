// Lists against a plain deque, over both of their shapes; the elements by themselves.
#include "state/list.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::state {
namespace {

using End = List::End;

std::vector<std::string> elements_of(const List& list) {
  std::vector<std::string> elements;
  list.for_each(
      [&elements](std::span<const std::string_view> parts) { elements.emplace_back(parts[0]); });
  return elements;
}

List list_of(const std::vector<std::string>& elements) {
  List list;
  for (const std::string& element : elements) list.push(End::back, element);
  return list;
}

TEST(Element, KeepsAnyBytesInPlaceOrOnTheHeap) {
  for (const std::size_t size : {0U, 1U, 14U, 15U, 16U, 17U, 300U, 70'000U}) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 37);
    const Element element{text};
    EXPECT_EQ(element.view(), text);
    EXPECT_EQ(element.heap_bytes() > 0, size > 15);
    const Element copy{element};
    EXPECT_EQ(copy.view(), text);
    Element other{"other"};
    other = copy;
    EXPECT_EQ(other.view(), text);
    const Element moved{std::move(other)};
    EXPECT_EQ(moved.view(), text);
  }
  EXPECT_EQ(sizeof(Element), 16U);
}

TEST(List, TakesElementsAtBothEnds) {
  List list;
  list.push(End::back, "b");
  list.push(End::front, "a");
  list.push(End::back, "a text that is too long to be kept in place");
  EXPECT_EQ(list.size(), 3U);
  EXPECT_EQ(list.at(0), "a");
  EXPECT_EQ(list.pop(End::back).view(), "a text that is too long to be kept in place");
  EXPECT_EQ(list.pop(End::front).view(), "a");
  EXPECT_EQ(list.pop(End::front).view(), "b");
  EXPECT_EQ(list.size(), 0U);
}

TEST(List, InsertsNextToTheFirstPivot) {
  List list = list_of({"a", "b", "a"});
  EXPECT_TRUE(list.insert(List::Side::after, "a", "x"));
  EXPECT_TRUE(list.insert(List::Side::before, "b", "y"));
  EXPECT_FALSE(list.insert(List::Side::before, "nope", "z"));
  EXPECT_EQ(elements_of(list), (std::vector<std::string>{"a", "x", "y", "b", "a"}));
}

TEST(List, RemovesFromEitherEnd) {
  List list = list_of({"a", "b", "a", "c", "a"});
  EXPECT_EQ(list.remove("a", End::back, 2), 2U);
  EXPECT_EQ(elements_of(list), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(list.remove("a", End::front, UINT64_MAX), 1U);
  EXPECT_EQ(list.remove("a", End::front, UINT64_MAX), 0U);
  EXPECT_EQ(elements_of(list), (std::vector<std::string>{"b", "c"}));
}

TEST(List, ACopySharesNothing) {
  List list = list_of({"a", "b"});
  const auto copy = list.clone();
  list.set(0, "x");
  list.drop(End::back, 1);
  EXPECT_EQ(elements_of(static_cast<const List&>(*copy)), (std::vector<std::string>{"a", "b"}));
}

TEST(List, SmallElementsTakeLittle) {
  List list;
  for (int i = 0; i < 100'000; ++i) list.push(End::back, "ticket:123456");
  EXPECT_LT(list.memory_bytes(), 100'000U * 20);
}

// One change to a list and to what it is compared with; positions are taken modulo the size.
struct Move {
  int what;
  std::size_t at;
  std::string text;
};

void apply(const Move& move, List& list, std::deque<std::string>& model) {
  const std::size_t size = model.size();
  const std::size_t at = size == 0 ? 0 : move.at % size;
  switch (move.what) {
    case 0:
      for (std::size_t i = 0; i < move.at % 200; ++i) {
        list.push(End::front, move.text);
        model.push_front(move.text);
      }
      return;
    case 1:
      for (std::size_t i = 0; i < move.at % 200; ++i) {
        list.push(End::back, move.text + std::to_string(i % 3));
        model.push_back(move.text + std::to_string(i % 3));
      }
      return;
    case 2:
      if (size == 0) return;
      RC_ASSERT(list.pop(End::front).view() == model.front());
      return model.pop_front();
    case 3:
      list.drop(End::back, at);
      return model.resize(size - at);
    case 4:
      if (size == 0) return;
      list.set(at, move.text);
      model[at] = move.text;
      return;
    case 5: {
      const auto found = std::find(model.begin(), model.end(), move.text);
      RC_ASSERT(list.insert(List::Side::before, move.text, "new") == (found != model.end()));
      if (found != model.end()) model.insert(found, "new");
      return;
    }
    case 6: {
      std::size_t removed = 0;
      for (std::size_t i = model.size(); i > 0 && removed < move.at; --i) {
        if (model[i - 1] != move.text) continue;
        model.erase(model.begin() + static_cast<std::ptrdiff_t>(i - 1));
        ++removed;
      }
      RC_ASSERT(list.remove(move.text, End::back, move.at) == removed);
      return;
    }
    default: {
      const std::size_t count = (size - at) / 2;
      list.keep(at, count);
      model = {model.begin() + static_cast<std::ptrdiff_t>(at),
               model.begin() + static_cast<std::ptrdiff_t>(at + count)};
    }
  }
}

RC_GTEST_PROP(List, DoesWhatADequeDoes, ()) {
  List list;
  std::deque<std::string> model;
  const auto texts =
      std::vector<std::string>{"a", "b", "c", "a long text of some forty characters"};
  const int moves = *rc::gen::inRange(1, 40);
  for (int i = 0; i < moves; ++i) {
    const Move move{.what = *rc::gen::inRange(0, 8),
                    .at = *rc::gen::inRange<std::size_t>(0, 400),
                    .text = texts[*rc::gen::inRange<std::size_t>(0, texts.size())]};
    apply(move, list, model);
    RC_ASSERT(list.size() == model.size());
    RC_ASSERT(elements_of(list) == std::vector<std::string>(model.begin(), model.end()));
  }
}

}  // namespace
}  // namespace fencepost::state
