// CONFIG REWRITE on disk: written beside the file, made sure of, moved into its place.
#include "server/config_rewrite.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "commands/server/config_file.h"

namespace fencepost::server {

namespace {

constexpr mode_t kModeOfANewFile = 0600;  // it may hold requirepass

tl::unexpected<Failure> system_failure() {
  return failure(std::system_category().message(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_{number} {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

// Where the symbolic links end: that file is replaced, not the link.
std::string real_path(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string real{resolved};
  std::free(resolved);
  return real;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

struct Found {
  std::string text;
  mode_t mode = kModeOfANewFile;
};

Result<Found> read_file(const std::string& path) {
  Found found;
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.is_open()) {
    if (errno == ENOENT) return found;
    return system_failure();
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return system_failure();
  found.mode = status.st_mode & 0777;
  std::array<char, 4096> piece{};
  while (true) {
    const ssize_t size = ::read(file.number(), piece.data(), piece.size());
    if (size == 0) return found;
    if (size > 0) {
      found.text.append(piece.data(), static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return system_failure();
    }
  }
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

// Writes the text to `path`, which mkostemp completes, and makes sure of it.
bool write_beside(std::string& path, std::string_view text, mode_t mode) {
  Descriptor file{::mkostemp(path.data(), O_CLOEXEC)};
  return file.is_open() && ::fchmod(file.number(), mode) == 0 && write_all(file.number(), text) &&
         ::fsync(file.number()) == 0 && file.close();
}

bool sync_folder(const std::string& path) {
  const Descriptor folder{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  return folder.is_open() && ::fsync(folder.number()) == 0;
}

}  // namespace

Result<void> rewrite_config_file(const std::string& path, const commands::Settings& settings) {
  const std::string real = real_path(path);
  const Result<Found> found = read_file(real);
  if (!found) return tl::unexpected{found.error()};
  const std::string text = commands::rewritten_config(found->text, settings);
  std::string beside = fmt::format("{}.XXXXXX", real);
  if (!write_beside(beside, text, found->mode) || ::rename(beside.c_str(), real.c_str()) != 0) {
    const int why = errno;
    ::unlink(beside.c_str());
    return failure(std::system_category().message(why));
  }
  if (!sync_folder(folder_of(real))) return system_failure();
  return {};
}

}  // namespace fencepost::server
