// A sequence that grows and shrinks at its end without moving the elements it has: the longest step
// is one allocation.
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"

namespace fencepost::state {

// Blocks of 1, 1, 2, 4, 8 ... elements. Where an element stands, its position tells by the place of
// the highest bit. An empty one has no block.
template <typename T>
class SteadyVector {
 public:
  SteadyVector() = default;
  SteadyVector(const SteadyVector& other) {
    for (std::size_t at = 0; at < other.size_; ++at) push_back(other[at]);
  }
  SteadyVector(SteadyVector&& other) noexcept
      : blocks_{std::exchange(other.blocks_, {})}, size_{std::exchange(other.size_, 0)} {}
  SteadyVector& operator=(SteadyVector other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~SteadyVector() { clear(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t at) { return *place(at); }
  const T& operator[](std::size_t at) const { return *place(at); }
  T& back() { return *place(size_ - 1); }

  T& push_back(T element) {
    const std::size_t block = block_of(size_);
    if (block == blocks_.size()) blocks_.push_back(Allocator{}.allocate(length_of(block)));
    T* made = std::construct_at(place(size_), std::move(element));
    ++size_;
    return *made;
  }

  // One empty block is kept, so that a size that goes to and fro allocates nothing.
  void pop_back() {
    check(size_ > 0, "there is a last element to take away");
    std::destroy_at(&back());
    --size_;
    if (blocks_.size() > block_of(size_) + 2) drop_block();
  }

  void clear() {
    for (std::size_t at = 0; at < size_; ++at) std::destroy_at(place(at));
    size_ = 0;
    while (!blocks_.empty()) drop_block();
    blocks_.shrink_to_fit();
  }

  // What the blocks take.
  std::size_t memory_bytes() const {
    const std::size_t capacity = blocks_.empty() ? 0 : std::size_t{1} << (blocks_.size() - 1);
    return capacity * sizeof(T) + blocks_.capacity() * sizeof(T*);
  }

 private:
  using Allocator = std::allocator<T>;

  static std::size_t block_of(std::size_t at) {
    return static_cast<std::size_t>(std::bit_width(at));
  }
  static std::size_t length_of(std::size_t block) {
    return block == 0 ? 1 : std::size_t{1} << (block - 1);
  }
  T* place(std::size_t at) const { return blocks_[block_of(at)] + (at - std::bit_floor(at)); }

  void drop_block() {
    T* block = blocks_.back();
    blocks_.pop_back();
    Allocator{}.deallocate(block, length_of(blocks_.size()));
  }

  std::vector<T*> blocks_;
  std::size_t size_ = 0;
};

}  // namespace fencepost::state
