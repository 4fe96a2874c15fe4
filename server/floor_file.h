// Without a journal, a small file keeps what matters most: that fences go on rising over restarts.
//
//   fence-floor = "FENCEFLR" version:u32 bound:u64 crc:u32        24 bytes, little-endian
//
// No fence above the bound was told to anybody. It is raised by a block long before it is reached,
// so that a start which begins above it can never draw a number that was drawn before, however the
// process ended; an orderly end brings it down to the greatest that was drawn.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "journal/disk.h"
#include "server/background.h"
#include "server/engine.h"
#include "server/log.h"

namespace fencepost::server {

// The bound, 0 when there is no such file; a failure when it is damaged.
Result<std::uint64_t> read_floor(journal::Disk& disk);
// Replaces it at once, and it is safe once this returns.
Result<void> write_floor(journal::Disk& disk, std::uint64_t bound);
Result<void> remove_floor(journal::Disk& disk);

class FloorFile {
 public:
  // Raises the engine's floor above all that was told before: by the file; where there is none, by
  // a journal in the folder; and to `raise_floor` (0: by a block). A null disk, or one that does
  // not take it, is said in the log once, and nothing is kept. Disk and engine must outlive it. A
  // damaged file is a failure, unless `raise_floor` says where to begin.
  static Result<std::unique_ptr<FloorFile>> open(journal::Disk* disk,
                                                 std::optional<std::uint64_t> raise_floor,
                                                 Engine& engine, Log log);

  // Before the first turn.
  void attach(Worker& worker) { worker_ = &worker; }
  // To be called in each turn before anything is sent.
  void commit();
  // The orderly end, once nothing runs any more.
  void close();

 private:
  FloorFile(journal::Disk* disk, Engine& engine, Log log)
      : disk_{disk}, engine_{engine}, log_{std::move(log)} {}

  Result<void> begin(std::optional<std::uint64_t> raise_floor);
  Result<std::uint64_t> bound_of_before();
  Result<void> reserve(std::uint64_t bound);
  void take(const Result<void>& outcome, std::uint64_t bound);
  std::uint64_t highest() const;
  void say(LogLevel level, std::string_view line) const;

  journal::Disk* disk_;
  Engine& engine_;
  Log log_;
  Worker* worker_ = nullptr;
  bool writing_ = false;        // the worker is at it
  std::uint64_t bound_ = 0;     // as far as this thread knows
  std::uint64_t retry_at_ = 0;  // after a failure: once so much was drawn
  bool failed_ = false;
  Result<void> outcome_;
  std::mutex file_;            // who writes it
  std::uint64_t on_disk_ = 0;  // guarded by file_
};

}  // namespace fencepost::server
