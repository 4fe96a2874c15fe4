// A disk in memory that notes everything that is done to it, and can lose its power after any of
// it.
#include "recording_disk.h"

#include <algorithm>

namespace fencepost::tests {

namespace {

constexpr std::uint64_t kSector = 512;

}  // namespace

class RecordingFile final : public journal::File {
 public:
  RecordingFile(RecordingDisk& disk, RecordingDisk::FileNumber file) : disk_{disk}, file_{file} {}

  Result<void> append(std::string_view bytes) override {
    if (disk_.broken_) return failure("input/output error");
    if (disk_.full_) {
      // As a real one: a part of it may fit.
      bytes = bytes.substr(0, bytes.size() / 2);
    }
    disk_.contents_[file_].append(bytes);
    disk_.log_.push_back(
        {.kind = RecordingDisk::Kind::append, .file = file_, .text = std::string{bytes}});
    return disk_.full_ ? failure("no space left on device") : Result<void>{};
  }
  Result<void> reserve(std::uint64_t) override {
    return disk_.full_ ? failure("no space left on device") : Result<void>{};
  }
  Result<void> sync() override {
    if (disk_.broken_ || disk_.syncs_broken_) return failure("input/output error");
    disk_.log_.push_back({.kind = RecordingDisk::Kind::sync, .file = file_});
    return {};
  }
  Result<void> truncate(std::uint64_t size) override {
    disk_.contents_[file_].resize(static_cast<std::size_t>(size));
    disk_.log_.push_back({.kind = RecordingDisk::Kind::truncate, .file = file_, .size = size});
    return {};
  }

 private:
  RecordingDisk& disk_;
  RecordingDisk::FileNumber file_;
};

Result<std::vector<std::string>> RecordingDisk::list() {
  std::vector<std::string> names;
  for (const auto& [name, file] : names_) names.push_back(name);
  return names;
}

Result<std::unique_ptr<journal::File>> RecordingDisk::create(const std::string& name) {
  if (broken_) return failure("input/output error");
  if (names_.contains(name)) return failure(name + " exists");
  const FileNumber file = ++last_file_;
  names_.emplace(name, file);
  contents_[file];
  log_.push_back({.kind = Kind::create, .file = file, .text = name});
  return std::make_unique<RecordingFile>(*this, file);
}

Result<std::unique_ptr<journal::File>> RecordingDisk::open(const std::string& name) {
  const auto found = names_.find(name);
  if (found == names_.end()) return failure("no " + name);
  return std::make_unique<RecordingFile>(*this, found->second);
}

Result<std::uint64_t> RecordingDisk::size(const std::string& name) {
  const auto found = names_.find(name);
  if (found == names_.end()) return failure("no " + name);
  return contents_[found->second].size();
}

Result<std::string> RecordingDisk::read(const std::string& name, std::uint64_t offset,
                                        std::uint64_t size) {
  const auto found = names_.find(name);
  if (found == names_.end()) return failure("no " + name);
  const std::string& bytes = contents_[found->second];
  if (offset >= bytes.size()) return std::string{};
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

Result<void> RecordingDisk::rename(const std::string& from, const std::string& to) {
  if (!names_.contains(from)) return failure("no " + from);
  log_.push_back({.kind = Kind::rename, .text = from, .new_name = to});
  apply(log_.back(), names_);
  return {};
}

Result<void> RecordingDisk::remove(const std::string& name) {
  if (stopped_) return failure("the process is gone");
  if (!names_.contains(name)) return failure("no " + name);
  log_.push_back({.kind = Kind::remove, .text = name});
  apply(log_.back(), names_);
  return {};
}

Result<void> RecordingDisk::sync_names() {
  if (broken_ || syncs_broken_) return failure("input/output error");
  log_.push_back({.kind = Kind::sync_names});
  return {};
}

void RecordingDisk::put(const std::string& name, std::string bytes) {
  const FileNumber file = ++last_file_;
  names_[name] = file;
  contents_[file] = std::move(bytes);
}

void RecordingDisk::apply(const Step& step, Names& names) {
  if (step.kind == Kind::create) names[step.text] = step.file;
  if (step.kind == Kind::remove) names.erase(step.text);
  if (step.kind == Kind::rename) {
    names[step.new_name] = names.at(step.text);
    names.erase(step.text);
  }
}

// Names that were not synced are kept up to some point of them: a file system writes them in order.
// A removal or a new name of a file does not wait for what is in it.
std::unique_ptr<RecordingDisk> RecordingDisk::after(std::size_t steps, Loss loss,
                                                    Random& random) const {
  std::size_t names_safe = 0;
  std::size_t unsynced_names = 0;
  std::map<FileNumber, std::uint64_t> safe;
  auto found = std::make_unique<RecordingDisk>();
  found->last_file_ = last_file_;
  found->names_ = names_before_;
  found->contents_ = contents_before_;
  for (const auto& [file, bytes] : contents_before_) safe[file] = bytes.size();
  for (std::size_t i = 0; i < steps; ++i) {
    const Step& step = log_[i];
    std::string& content = found->contents_[step.file];
    switch (step.kind) {
      case Kind::append:
        content.append(step.text);
        break;
      case Kind::truncate:
        content.resize(static_cast<std::size_t>(step.size));
        safe[step.file] = std::min(safe[step.file], step.size);
        break;
      case Kind::sync:
        safe[step.file] = content.size();
        break;
      case Kind::sync_names:
        names_safe = i + 1;
        unsynced_names = 0;
        break;
      case Kind::create:
      case Kind::rename:
      case Kind::remove:
        ++unsynced_names;
    }
  }
  std::size_t names_kept = unsynced_names;
  if (loss == Loss::unsynced) names_kept = 0;
  if (loss == Loss::torn || loss == Loss::reordered) names_kept = random.below(unsynced_names + 1);
  for (std::size_t i = 0; i < steps; ++i) {
    const Step& step = log_[i];
    const bool about_names =
        step.kind == Kind::create || step.kind == Kind::rename || step.kind == Kind::remove;
    if (!about_names) continue;
    if (i >= names_safe && names_kept-- == 0) break;
    apply(step, found->names_);
  }
  for (auto& [name, file] : found->names_) found->damage(file, safe[file], loss, random);
  found->names_before_ = found->names_;
  found->contents_before_ = found->contents_;
  return found;
}

void RecordingDisk::damage(FileNumber file, std::uint64_t safe, Loss loss, Random& random) {
  std::string& bytes = contents_[file];
  const std::uint64_t unsafe = bytes.size() - safe;
  if (unsafe == 0) return;
  switch (loss) {
    case Loss::nothing:
      return;
    case Loss::unsynced:
      return bytes.resize(static_cast<std::size_t>(safe));
    case Loss::torn: {
      const std::uint64_t sectors = bytes.size() / kSector + 1;
      const std::uint64_t cut = random.below(sectors + 1) * kSector;
      return bytes.resize(
          static_cast<std::size_t>(std::clamp<std::uint64_t>(cut, safe, bytes.size())));
    }
    case Loss::reordered:
      for (std::uint64_t at = safe / kSector * kSector; at < bytes.size(); at += kSector) {
        if (random.below(2) == 0) continue;
        const std::uint64_t from = std::max(at, safe);
        const std::uint64_t to = std::min<std::uint64_t>(at + kSector, bytes.size());
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                  bytes.begin() + static_cast<std::ptrdiff_t>(to), '\0');
      }
  }
}

}  // namespace fencepost::tests
