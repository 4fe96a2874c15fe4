// A disk in memory that notes everything that is done to it, and can lose its power after any of
// it.
//
// What had been synced survives a power cut. Of what had not, each form of loss leaves something
// else; a real disk may do any of them. Names are made and removed in order, as a file system with
// a journal of its own does it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "journal/disk.h"

namespace fencepost::tests {

enum class Loss : std::uint8_t {
  nothing,    // the process was killed; the kernel lives on
  unsynced,   // all that was not synced is gone
  torn,       // the last file is cut within what was not synced, at a sector
  reordered,  // of what was not synced, some sectors are there and some read as zeros
};

class RecordingDisk final : public journal::Disk {
 public:
  Result<std::vector<std::string>> list() override;
  Result<std::unique_ptr<journal::File>> create(const std::string& name) override;
  Result<std::unique_ptr<journal::File>> open(const std::string& name) override;
  Result<std::uint64_t> size(const std::string& name) override;
  Result<std::string> read(const std::string& name, std::uint64_t offset,
                           std::uint64_t size) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& name) override;
  Result<void> sync_names() override;

  // How many things were done so far.
  std::size_t steps() const { return log_.size(); }
  // The disk as it is found after the first `steps` of them and then a loss.
  std::unique_ptr<RecordingDisk> after(std::size_t steps, Loss loss, Random& random) const;

  // From now on no byte more fits.
  void fill_up(bool full) { full_ = full; }
  // Everything that is written or synced from now on fails.
  void break_down(bool broken) { broken_ = broken; }
  // Nothing that is done from now on happens: so a process that was killed cleans nothing up.
  void stop_changes(bool stopped) { stopped_ = stopped; }
  // Syncing alone fails.
  void break_syncs(bool broken) { syncs_broken_ = broken; }
  // For tests of damage.
  std::string& content(const std::string& name) { return contents_.at(names_.at(name)); }
  void put(const std::string& name, std::string bytes);

 private:
  friend class RecordingFile;
  using FileNumber = std::size_t;
  struct Step {
    enum class Kind : std::uint8_t { append, truncate, sync, create, rename, remove, sync_names };
    Kind kind = Kind::sync_names;
    FileNumber file = 0;
    std::uint64_t size = 0;  // truncate
    std::string text{};      // append: the bytes; create, remove: the name; rename: the old one
    std::string new_name{};  // rename
  };
  using Kind = Step::Kind;
  using Names = std::map<std::string, FileNumber>;

  static void apply(const Step& step, Names& names);
  void damage(FileNumber file, std::uint64_t safe, Loss loss, Random& random);

  Names names_;
  std::map<FileNumber, std::string> contents_;
  FileNumber last_file_ = 0;
  std::vector<Step> log_;
  // What was there, and safe, before the first step.
  Names names_before_;
  std::map<FileNumber, std::string> contents_before_;
  bool full_ = false;
  bool broken_ = false;
  bool syncs_broken_ = false;
  bool stopped_ = false;
};

}  // namespace fencepost::tests
