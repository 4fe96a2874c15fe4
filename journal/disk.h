// The few things that the journal does with files. The real one is in real_disk.h; tests have one
// that notes what was done and loses power at any point of it, and one that fails.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fencepost::journal {

// A file that only grows. Closed when it goes.
class File {
 public:
  virtual ~File() = default;
  // At its end, all of it or a failure; after a failure an unknown part of it may be there.
  virtual Result<void> append(std::string_view bytes) = 0;
  // Makes sure that so many bytes more can be appended without the disk being full. Where a file
  // system cannot promise that, it succeeds.
  virtual Result<void> reserve(std::uint64_t bytes) = 0;
  // What was appended survives a power cut once this has returned. May take long; may be called
  // from another thread than append().
  virtual Result<void> sync() = 0;
  // Cuts off what is behind the first `size` bytes.
  virtual Result<void> truncate(std::uint64_t size) = 0;
};

// One folder, whose files go by their names in it.
class Disk {
 public:
  virtual ~Disk() = default;
  virtual Result<std::vector<std::string>> list() = 0;  // in order
  // A new file; one that is there already is a failure.
  virtual Result<std::unique_ptr<File>> create(const std::string& name) = 0;
  virtual Result<std::unique_ptr<File>> open(const std::string& name) = 0;
  virtual Result<std::uint64_t> size(const std::string& name) = 0;
  // Up to `size` bytes from `offset` on; fewer only at the end.
  virtual Result<std::string> read(const std::string& name, std::uint64_t offset,
                                   std::uint64_t size) = 0;
  // What has the new name is replaced at once.
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> remove(const std::string& name) = 0;
  // Names that were made, changed or removed survive a power cut once this has returned.
  virtual Result<void> sync_names() = 0;
};

}  // namespace fencepost::journal
