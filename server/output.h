// What one connection has still to be sent, in blocks: replies are written at the open end, the
// transport takes blocks away at the other. Big output is never moved or copied: a block that has
// grown is set aside as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fencepost::server {

// Emptied blocks, kept so that a connection that speaks again needs no memory of its own, and one
// that is silent holds none.
class BlockPool {
 public:
  static constexpr std::size_t kBlockBytes = 16 * 1024;

  std::string take();
  // Keeps it if it is of ordinary size and not too many are kept.
  void give(std::string block);

 private:
  std::vector<std::string> spare_;
};

class Output {
 public:
  // Where replies are appended. The block comes from the pool when there is none.
  std::string& open(BlockPool& pool);
  // Sets the open block aside if it has grown enough. To be called between replies.
  void seal_if_large();
  // Moves all there is to the end of `blocks`.
  void take(std::vector<std::string>& blocks);
  // Forgets what was not taken.
  void drop(BlockPool& pool);
  // That many bytes have left for the kernel.
  void written(std::size_t bytes) { written_ += bytes; }

  // Positions in the stream of all bytes that were ever appended.
  std::uint64_t end() const { return sealed_end_ + open_.size(); }
  std::uint64_t written_end() const { return written_; }
  // Appended, and not yet with the kernel.
  std::size_t pending() const { return static_cast<std::size_t>(end() - written_); }
  bool has_untaken() const { return !open_.empty() || !sealed_.empty(); }

 private:
  void seal();

  std::string open_;
  std::vector<std::string> sealed_;  // in order, none empty
  std::uint64_t sealed_end_ = 0;     // the position where open_ begins
  std::uint64_t written_ = 0;
};

}  // namespace fencepost::server
