// A list: elements in an order, reached at both ends and by their position.
#include "state/list.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"

namespace fencepost::state {

namespace {

// A short list is that long at most, and a long one that becomes as short as the other is a short
// one again: far enough apart that a list does not go to and fro.
constexpr std::size_t kLongestShort = 128;
constexpr std::size_t kShortestLong = 32;

template <typename Elements>
auto iterator_at(Elements& elements, std::size_t position) {
  return elements.begin() + static_cast<std::ptrdiff_t>(position);
}

template <typename Elements>
void drop_from(Elements& elements, List::End end, std::size_t count) {
  const std::size_t rest = elements.size() - count;
  if (end == List::End::front) {
    elements.erase(elements.begin(), iterator_at(elements, count));
  } else {
    elements.erase(iterator_at(elements, rest), elements.end());
  }
}

template <typename Elements>
std::size_t remove_from(Elements& elements, std::string_view text, List::End from,
                        std::uint64_t most) {
  std::size_t removed = 0;
  const auto is_meant = [text, most, &removed](const Element& element) {
    if (removed == most || element.view() != text) return false;
    ++removed;
    return true;
  };
  if (from == List::End::front) {
    elements.erase(std::remove_if(elements.begin(), elements.end(), is_meant), elements.end());
  } else {
    const auto kept = std::remove_if(elements.rbegin(), elements.rend(), is_meant);
    elements.erase(elements.begin(), kept.base());
  }
  return removed;
}

}  // namespace

std::size_t List::size() const {
  return std::visit([](const auto& elements) { return elements.size(); }, elements_);
}

std::string_view List::at(std::size_t position) const {
  return std::visit(
      [position](const auto& elements) {
        check(position < elements.size(), "a position is within the list");
        return elements[position].view();
      },
      elements_);
}

void List::push(End end, std::string_view text) {
  note_step(end == End::front ? 'f' : 'b', {text});
  if (size() == kLongestShort) lengthen();
  std::visit(
      [end, text](auto& elements) {
        elements.emplace(end == End::front ? elements.begin() : elements.end(), text);
      },
      elements_);
}

Element List::pop(End end) {
  check(size() > 0, "only a list with elements gives one");
  note_drop(end, 1);
  Element popped = std::visit(
      [end](auto& elements) {
        Element& meant = end == End::front ? elements.front() : elements.back();
        Element taken = std::move(meant);
        drop_from(elements, end, 1);
        return taken;
      },
      elements_);
  shorten();
  return popped;
}

void List::drop(End end, std::size_t count) {
  check(count <= size(), "no more goes than there is");
  note_drop(end, count);
  std::visit([end, count](auto& elements) { drop_from(elements, end, count); }, elements_);
  shorten();
}

void List::set(std::size_t position, std::string_view text) {
  check(position < size(), "a position is within the list");
  note_step('p', {std::to_string(position), text});
  std::visit([position, text](auto& elements) { elements[position] = Element{text}; }, elements_);
}

bool List::insert(Side side, std::string_view pivot, std::string_view text) {
  note_step(side == Side::before ? 'i' : 'a', {pivot, text});
  if (size() == kLongestShort) lengthen();
  return std::visit(
      [side, pivot, text](auto& elements) {
        auto found =
            std::find_if(elements.begin(), elements.end(),
                         [pivot](const Element& element) { return element.view() == pivot; });
        if (found == elements.end()) return false;
        elements.emplace(side == Side::before ? found : std::next(found), text);
        return true;
      },
      elements_);
}

std::size_t List::remove(std::string_view text, End from, std::uint64_t most) {
  note_step(from == End::front ? 'r' : 'R', {text, std::to_string(most)});
  const std::size_t removed = std::visit(
      [text, from, most](auto& elements) { return remove_from(elements, text, from, most); },
      elements_);
  shorten();
  return removed;
}

void List::keep(std::size_t first, std::size_t count) {
  check(first <= size() && count <= size() - first, "what is kept is there");
  drop(End::back, size() - first - count);
  drop(End::front, first);
}

void List::note_drop(End end, std::size_t count) {
  if (count > 0) note_step(end == End::front ? 'F' : 'B', {std::to_string(count)});
}

std::size_t List::memory_bytes() const {
  return std::visit(
      [](const auto& elements) {
        std::size_t bytes = sizeof(List) + elements.size() * sizeof(Element);
        for (const Element& element : elements) bytes += element.heap_bytes();
        return bytes;
      },
      elements_);
}

void List::for_each(const std::function<void(std::span<const std::string_view> parts)>& see) const {
  for (std::size_t position = 0; position < size(); ++position) {
    const std::string_view element = at(position);
    see({&element, 1});
  }
}

void List::lengthen() {
  Short* elements = std::get_if<Short>(&elements_);
  if (elements == nullptr) return;
  elements_ = Long{std::move_iterator{elements->begin()}, std::move_iterator{elements->end()}};
}

void List::shorten() {
  Long* elements = std::get_if<Long>(&elements_);
  if (elements == nullptr || elements->size() > kShortestLong) return;
  elements_ = Short{std::move_iterator{elements->begin()}, std::move_iterator{elements->end()}};
}

}  // namespace fencepost::state
