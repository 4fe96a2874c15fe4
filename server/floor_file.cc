// Without a journal, a small file keeps fences rising over restarts.
#include "server/floor_file.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "journal/crc32c.h"
#include "journal/recovery.h"
#include "state/image.h"

namespace fencepost::server {

namespace {

constexpr const char* kName = "fence-floor";
constexpr const char* kUnfinishedName = "fence-floor.unfinished";
constexpr std::string_view kMagic = "FENCEFLR";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kBytes = 24;
constexpr std::size_t kCheckedBytes = 20;
// After a failure it is tried again once so many were drawn.
constexpr std::uint64_t kRetryAfter = 1000;

std::string encode(std::uint64_t bound) {
  std::string bytes{kMagic};
  ByteWriter writer{bytes};
  writer.u32(kVersion);
  writer.u64(bound);
  writer.u32(journal::crc32c(bytes));
  return bytes;
}

Result<bool> is_there(journal::Disk& disk, std::string_view name) {
  const Result<std::vector<std::string>> names = disk.list();
  if (!names) return tl::unexpected{names.error()};
  return std::find(names->begin(), names->end(), name) != names->end();
}

// The greatest fence that a journal in the folder tells of, and as many as may be missing; 0 when
// there is none.
Result<std::uint64_t> highest_in_journal(journal::Disk& disk) {
  std::uint64_t highest = 0;
  const auto see = [&highest](std::string_view batch) -> Result<void> {
    const Result<std::uint64_t> in_batch = state::highest_fence_in(batch);
    if (!in_batch) return tl::unexpected{in_batch.error()};
    highest = std::max(highest, *in_batch);
    return {};
  };
  const Result<journal::Recovered> read = journal::recover(disk, /*boot_id=*/{}, see, see);
  if (!read) return tl::unexpected{read.error()};
  return read->found.last_index > 0 ? highest + kFencesLeap : 0;
}

}  // namespace

Result<std::uint64_t> read_floor(journal::Disk& disk) {
  const Result<bool> there = is_there(disk, kName);
  if (!there) return tl::unexpected{there.error()};
  if (!*there) return 0;
  const Result<std::string> bytes = disk.read(kName, 0, kBytes + 1);
  if (!bytes) return tl::unexpected{bytes.error()};
  ByteReader reader{std::string_view{*bytes}.substr(std::min(bytes->size(), kMagic.size()))};
  const std::uint32_t version = reader.u32();
  const std::uint64_t bound = reader.u64();
  const bool whole = bytes->starts_with(kMagic) &&
                     reader.u32() == journal::crc32c(bytes->substr(0, kCheckedBytes)) &&
                     reader.done();
  if (!whole || bound > kMaxFence) return failure(fmt::format("the file {} is damaged", kName));
  if (version != kVersion) {
    return failure(fmt::format("the file {} has format {}, and this fencepost reads format {}",
                               kName, version, kVersion));
  }
  return bound;
}

Result<void> write_floor(journal::Disk& disk, std::uint64_t bound) {
  const Result<bool> left_over = is_there(disk, kUnfinishedName);
  if (!left_over) return tl::unexpected{left_over.error()};
  if (*left_over) {
    if (Result<void> removed = disk.remove(kUnfinishedName); !removed) return removed;
  }
  const Result<std::unique_ptr<journal::File>> file = disk.create(kUnfinishedName);
  if (!file) return tl::unexpected{file.error()};
  Result<void> done = (*file)->append(encode(bound));
  if (done) done = (*file)->sync();
  if (done) done = disk.rename(kUnfinishedName, kName);
  return done ? disk.sync_names() : done;
}

Result<void> remove_floor(journal::Disk& disk) {
  const Result<bool> there = is_there(disk, kName);
  if (!there) return tl::unexpected{there.error()};
  if (!*there) return {};
  Result<void> removed = disk.remove(kName);
  return removed ? disk.sync_names() : removed;
}

Result<std::unique_ptr<FloorFile>> FloorFile::open(journal::Disk* disk,
                                                   std::optional<std::uint64_t> raise_floor,
                                                   Engine& engine, Log log) {
  std::unique_ptr<FloorFile> file{new FloorFile{disk, engine, std::move(log)}};
  if (Result<void> begun = file->begin(raise_floor); !begun) return tl::unexpected{begun.error()};
  return file;
}

Result<void> FloorFile::begin(std::optional<std::uint64_t> raise_floor) {
  std::uint64_t floor = 0;
  if (disk_ != nullptr) {
    const Result<std::uint64_t> before = bound_of_before();
    const bool is_said = raise_floor && *raise_floor > 0;
    if (!before && !is_said) {
      return failure(before.error().what +
                     "; --raise-floor with a number starts all the same, above it");
    }
    floor = before.value_or(0);
  }
  if (raise_floor) {
    floor =
        std::max(floor, *raise_floor > 0 ? *raise_floor : std::min(floor, kMaxFence) + kFencesLeap);
  }
  if (floor > kMaxFence - kFencesLeap)
    return failure("the floor of fences cannot be raised so far");
  engine_.state().keys().fences().raise_floor(floor);
  if (disk_ != nullptr) take(reserve(floor + kFencesLeap), floor + kFencesLeap);
  return {};
}

// A start with a journal takes the file away, so a file that is there is newer than any journal.
Result<std::uint64_t> FloorFile::bound_of_before() {
  const Result<std::uint64_t> bound = read_floor(*disk_);
  if (!bound || *bound > 0) return bound;
  return highest_in_journal(*disk_);
}

// From any thread; never lowers it.
Result<void> FloorFile::reserve(std::uint64_t bound) {
  const std::lock_guard guard{file_};
  if (bound <= on_disk_) return {};
  if (Result<void> written = write_floor(*disk_, bound); !written) return written;
  on_disk_ = bound;
  return {};
}

void FloorFile::take(const Result<void>& outcome, std::uint64_t bound) {
  commands::Durability& durability = engine_.process().durability;
  if (outcome) {
    bound_ = std::max(bound_, bound);
    durability.kept_floor = bound_;
    if (std::exchange(failed_, false)) say(LogLevel::notice, "The floor of fences is kept again.");
    return;
  }
  retry_at_ = highest() + kRetryAfter;
  if (highest() > bound_) durability.kept_floor = 0;
  if (std::exchange(failed_, true)) return;
  say(LogLevel::warning,
      fmt::format("The floor of fences cannot be kept, so a restart may repeat numbers: {}",
                  outcome.error().what));
}

void FloorFile::commit() {
  if (disk_ == nullptr || engine_.is_applying()) return;
  const std::uint64_t drawn = highest();
  if (drawn + kFencesLeap / 2 < bound_ || (failed_ && drawn < retry_at_)) return;
  const std::uint64_t bound = drawn + kFencesLeap;
  // What nobody reserved is not told.
  if (drawn > bound_ || worker_ == nullptr) return take(reserve(bound), bound);
  if (std::exchange(writing_, true)) return;
  worker_->run([this, bound] { outcome_ = reserve(bound); },
               [this, bound] {
                 writing_ = false;
                 take(outcome_, bound);
               });
}

void FloorFile::close() {
  if (disk_ == nullptr) return;
  if (Result<void> written = write_floor(*disk_, highest()); !written) take(written, 0);
}

std::uint64_t FloorFile::highest() const {
  return engine_.state().keys().fences().highest();
}

void FloorFile::say(LogLevel level, std::string_view line) const {
  if (log_) log_(level, line);
}

}  // namespace fencepost::server
