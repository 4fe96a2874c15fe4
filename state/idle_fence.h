// What is remembered of a key that is gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"

namespace fencepost::state {

// Its newest fence, and hashes of the owners that gave it back last.
struct IdleFence {
  std::uint64_t fence = 0;
  std::vector<std::uint64_t> releasers;
};

// The same as it is kept: in one block of memory with the name, and in a line of all of them by
// age.
class IdleRecord {
 public:
  static std::unique_ptr<IdleRecord> make(DatabaseIndex database, std::string_view key,
                                          std::uint64_t fence,
                                          std::span<const std::uint64_t> releasers);
  IdleRecord(const IdleRecord&) = delete;
  IdleRecord& operator=(const IdleRecord&) = delete;
  // A block is longer than the class, so it is given back without a size.
  static void* operator new(std::size_t bytes) { return ::operator new(bytes); }
  static void operator delete(void* block) { ::operator delete(block); }

  std::string_view key() const { return {behind() + releasers().size_bytes(), key_size_}; }
  DatabaseIndex database() const { return static_cast<DatabaseIndex>(place_ >> kFenceBits); }
  std::uint64_t fence() const { return place_ & kMaxFence; }
  std::span<const std::uint64_t> releasers() const {
    return {reinterpret_cast<const std::uint64_t*>(behind()), releaser_count_};
  }

  IdleRecord* older = nullptr;
  IdleRecord* newer = nullptr;

 private:
  IdleRecord(DatabaseIndex database, std::string_view key, std::uint64_t fence,
             std::span<const std::uint64_t> releasers);
  static void* operator new(std::size_t, void* block) { return block; }
  const char* behind() const { return reinterpret_cast<const char*>(this + 1); }

  static constexpr unsigned kFenceBits = 53;
  static_assert(kMaxFence >> kFenceBits == 0);

  std::uint64_t place_;  // the fence, and above its bits the database
  std::uint32_t key_size_;
  std::uint32_t releaser_count_;
};

}  // namespace fencepost::state
