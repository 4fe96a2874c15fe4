// What one connection has still to be sent, in blocks.
#include "server/output.h"

#include <iterator>

namespace fencepost::server {

namespace {

constexpr std::size_t kMostSpareBlocks = 64;
// Twice the ordinary: a block is set aside after the reply that made it grow beyond kBlockBytes.
constexpr std::size_t kLargestSpareBytes = 2 * BlockPool::kBlockBytes + 1024;

}  // namespace

std::string BlockPool::take() {
  if (spare_.empty()) {
    std::string block;
    block.reserve(1024);
    return block;
  }
  std::string block = std::move(spare_.back());
  spare_.pop_back();
  return block;
}

void BlockPool::give(std::string block) {
  if (block.capacity() > kLargestSpareBytes || spare_.size() >= kMostSpareBlocks) return;
  block.clear();
  spare_.push_back(std::move(block));
}

std::string& Output::open(BlockPool& pool) {
  // Only a block from the pool has room beyond what std::string holds within itself.
  if (open_.empty() && open_.capacity() < 64) open_ = pool.take();
  return open_;
}

void Output::seal_if_large() {
  if (open_.size() >= BlockPool::kBlockBytes) seal();
}

void Output::seal() {
  sealed_end_ += open_.size();
  sealed_.push_back(std::exchange(open_, std::string{}));
}

void Output::take(std::vector<std::string>& blocks) {
  blocks.insert(blocks.end(), std::make_move_iterator(sealed_.begin()),
                std::make_move_iterator(sealed_.end()));
  // A burst's list of blocks is not kept: idle connections are to be small.
  if (!sealed_.empty()) sealed_ = {};
  if (open_.empty()) return;
  sealed_end_ += open_.size();
  blocks.push_back(std::exchange(open_, std::string{}));
}

void Output::drop(BlockPool& pool) {
  std::vector<std::string> blocks;
  take(blocks);
  for (std::string& block : blocks) pool.give(std::move(block));
}

}  // namespace fencepost::server
