// A folder of the machine's.
#include "journal/real_disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace fencepost::journal {

namespace {

constexpr mode_t kFileMode = 0644;
constexpr mode_t kFolderMode = 0755;
constexpr std::string_view kLockName = "lock";

tl::unexpected<Failure> failed(std::string_view doing, const std::string& what) {
  return failure(fmt::format("{} {}: {}", doing, what, std::strerror(errno)));
}

// An open file, closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_{number} {}
  Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

class RealFile final : public File {
 public:
  RealFile(Descriptor descriptor, std::string path, std::uint64_t end)
      : descriptor_{std::move(descriptor)}, path_{std::move(path)}, end_{end} {}

  Result<void> append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(descriptor_.get(), bytes.data(), bytes.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return failed("writing to", path_);
      end_ += static_cast<std::uint64_t>(wrote);
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return {};
  }

  // The length stays what was written, so that what is reserved is never taken for content.
  Result<void> reserve(std::uint64_t bytes) override {
    int done = 0;
    do {
      done = ::fallocate(descriptor_.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(end_),
                         static_cast<off_t>(bytes));
    } while (done != 0 && errno == EINTR);
    if (done == 0 || errno == EOPNOTSUPP || errno == ENOSYS) return {};
    return failed("reserving room in", path_);
  }

  Result<void> sync() override {
    if (::fdatasync(descriptor_.get()) != 0) return failed("syncing", path_);
    return {};
  }

  Result<void> truncate(std::uint64_t size) override {
    if (::ftruncate(descriptor_.get(), static_cast<off_t>(size)) != 0) {
      return failed("shortening", path_);
    }
    end_ = size;
    return {};
  }

 private:
  Descriptor descriptor_;
  std::string path_;
  std::uint64_t end_;
};

class RealDisk final : public Disk {
 public:
  RealDisk(std::string folder, Descriptor lock)
      : folder_{std::move(folder)}, lock_{std::move(lock)} {}

  Result<std::vector<std::string>> list() override {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at{folder_, error}, end; !error && at != end;
         at.increment(error)) {
      if (at->path().filename() != kLockName) names.push_back(at->path().filename().string());
    }
    if (error) return failure(fmt::format("listing {}: {}", folder_, error.message()));
    std::sort(names.begin(), names.end());
    return names;
  }

  Result<std::unique_ptr<File>> create(const std::string& name) override {
    return open_with(name, O_CREAT | O_EXCL, 0, "making");
  }

  Result<std::unique_ptr<File>> open(const std::string& name) override {
    const Result<std::uint64_t> end = size(name);
    if (!end) return tl::unexpected{end.error()};
    return open_with(name, 0, *end, "opening");
  }

  Result<std::uint64_t> size(const std::string& name) override {
    struct stat found {};
    if (::stat(path_of(name).c_str(), &found) != 0) return failed("looking at", path_of(name));
    return static_cast<std::uint64_t>(found.st_size);
  }

  Result<std::string> read(const std::string& name, std::uint64_t offset,
                           std::uint64_t size) override {
    const Descriptor file{::open(path_of(name).c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file) return failed("opening", path_of(name));
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
      const ssize_t got = ::pread(file.get(), bytes.data() + have, bytes.size() - have,
                                  static_cast<off_t>(offset + have));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return failed("reading", path_of(name));
      if (got == 0) break;
      have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
  }

  Result<void> rename(const std::string& from, const std::string& to) override {
    if (::rename(path_of(from).c_str(), path_of(to).c_str()) != 0) {
      return failed("renaming", path_of(from));
    }
    return {};
  }

  Result<void> remove(const std::string& name) override {
    if (::unlink(path_of(name).c_str()) != 0) return failed("removing", path_of(name));
    return {};
  }

  Result<void> sync_names() override {
    const Descriptor folder{::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!folder || ::fsync(folder.get()) != 0) return failed("syncing", folder_);
    return {};
  }

 private:
  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }

  Result<std::unique_ptr<File>> open_with(const std::string& name, int flags, std::uint64_t end,
                                          std::string_view doing) {
    const std::string path = path_of(name);
    Descriptor file{::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | flags, kFileMode)};
    if (!file) return failed(doing, path);
    return std::make_unique<RealFile>(std::move(file), path, end);
  }

  std::string folder_;
  Descriptor lock_;
};

}  // namespace

Result<std::unique_ptr<Disk>> open_real_disk(const std::string& folder) {
  if (::mkdir(folder.c_str(), kFolderMode) != 0 && errno != EEXIST) {
    return failed("making the folder", folder);
  }
  const std::string path = fmt::format("{}/{}", folder, kLockName);
  Descriptor lock{::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, kFileMode)};
  if (!lock) return failed("opening", path);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return failure(
          fmt::format("the folder {} is in use by another fencepost: stop that one, or name "
                      "another folder with "
                      "--dir",
                      folder));
    }
    return failed("locking", path);
  }
  return std::make_unique<RealDisk>(folder, std::move(lock));
}

Result<DiskToRead> open_real_disk_to_read(const std::string& folder) {
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0) return failed("looking at", folder);
  if (!S_ISDIR(found.st_mode)) return failure(fmt::format("{} is no folder", folder));
  Descriptor lock{::open(fmt::format("{}/{}", folder, kLockName).c_str(), O_RDONLY | O_CLOEXEC)};
  const bool in_use = lock && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0;
  return DiskToRead{.disk = std::make_unique<RealDisk>(folder, std::move(lock)), .in_use = in_use};
}

}  // namespace fencepost::journal
