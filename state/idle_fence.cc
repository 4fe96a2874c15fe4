// What is remembered of a key that is gone.
#include "state/idle_fence.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace fencepost::state {

std::unique_ptr<IdleRecord> IdleRecord::make(DatabaseIndex database, std::string_view key,
                                             std::uint64_t fence,
                                             std::span<const std::uint64_t> releasers) {
  const std::size_t bytes = sizeof(IdleRecord) + releasers.size_bytes() + key.size();
  return std::unique_ptr<IdleRecord>{new (::operator new(bytes))
                                         IdleRecord{database, key, fence, releasers}};
}

IdleRecord::IdleRecord(DatabaseIndex database, std::string_view key, std::uint64_t fence,
                       std::span<const std::uint64_t> releasers)
    : place_{fence | std::uint64_t{database} << kFenceBits},
      key_size_{static_cast<std::uint32_t>(key.size())},
      releaser_count_{static_cast<std::uint32_t>(releasers.size())} {
  auto* into = reinterpret_cast<std::uint64_t*>(this + 1);
  std::copy(releasers.begin(), releasers.end(), into);
  std::memcpy(into + releasers.size(), key.data(), key.size());
}

}  // namespace fencepost::state
