// `fencepost --repair DIR`: makes a damaged journal one that starts, from what is left of it.
#include "server/journal_repair.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.h"
#include "journal/picture_file.h"
#include "journal/real_disk.h"
#include "journal/recovery.h"
#include "journal/salvage.h"
#include "server/journal_check.h"
#include "server/system_clock.h"
#include "state/drawing.h"
#include "state/image.h"

namespace fencepost::server {

namespace {

Result<void> write_picture(journal::Disk& disk, const state::State& state, std::uint64_t index,
                           const std::string& boot_id) {
  const Result<std::unique_ptr<journal::PictureFile>> picture =
      journal::PictureFile::create(disk, index, boot_id);
  if (!picture) return tl::unexpected{picture.error()};
  state::Drawing drawing{state};
  std::string piece;
  while (!drawing.ended()) {
    piece.clear();
    drawing.next(piece);
    const Result<std::uint64_t> added = (*picture)->add(piece);
    if (!added) return tl::unexpected{added.error()};
  }
  Result<void> done = (*picture)->end();
  if (done) done = (*picture)->file()->sync();
  return done ? (*picture)->install() : done;
}

// The first number that no file set aside before has.
Result<int> next_number(journal::Disk& disk) {
  const Result<std::vector<std::string>> names = disk.list();
  if (!names) return tl::unexpected{names.error()};
  int number = 1;
  const auto taken = [&names](const std::string& prefix) {
    return std::any_of(names->begin(), names->end(),
                       [&prefix](const std::string& name) { return name.starts_with(prefix); });
  };
  while (taken(fmt::format("lost-{}-", number))) ++number;
  return number;
}

Result<std::string> set_aside(journal::Disk& disk, const std::vector<std::string>& files) {
  const Result<int> number = next_number(disk);
  if (!number) return tl::unexpected{number.error()};
  std::string text;
  for (const std::string& name : files) {
    const std::string aside = fmt::format("lost-{}-{}", *number, name);
    if (Result<void> renamed = disk.rename(name, aside); !renamed) {
      return tl::unexpected{renamed.error()};
    }
    text += fmt::format("kept aside {}\n", aside);
  }
  if (Result<void> synced = disk.sync_names(); !synced) return tl::unexpected{synced.error()};
  return text;
}

// Above everything that any readable byte says was drawn, and, as after a loss of power, what no
// file tells of.
Result<void> leap(state::State& state, std::uint64_t drawn) {
  state::Fences& fences = state.keys().fences();
  fences.note_drawn(drawn);
  if (fences.highest() > kMaxFence - kFencesLeap)
    return failure("there are no fences left above these");
  fences.leap(kFencesLeap);
  return {};
}

Result<std::string> rebuild(journal::Disk& disk, const std::string& boot_id) {
  state::State state{/*hash_seed=*/0};
  std::uint64_t drawn_beyond = 0;  // as batches behind the damage tell
  const auto keep = [&state](std::string_view payload) {
    return state::restore_whole(state, payload);
  };
  const auto lost = [&drawn_beyond](std::string_view payload) -> Result<void> {
    const Result<std::uint64_t> highest = state::highest_fence_in(payload);
    if (!highest) return tl::unexpected{highest.error()};
    drawn_beyond = std::max(drawn_beyond, *highest);
    return {};
  };
  Result<journal::Salvaged> salvaged = journal::salvage(disk, keep, keep, lost);
  if (!salvaged) return tl::unexpected{salvaged.error()};
  if (Result<void> leapt = leap(state, drawn_beyond); !leapt) {
    return tl::unexpected{leapt.error()};
  }
  // A new index, so that it is the newest picture at once, and every file before it is older.
  // Fences have leapt, so a start in the same boot has nothing to leap for.
  Result<void> drawn = write_picture(disk, state, salvaged->highest_index + 1, boot_id);
  if (!drawn) return tl::unexpected{drawn.error()};
  const Result<std::string> aside = set_aside(disk, salvaged->files);
  if (!aside) return tl::unexpected{aside.error()};
  std::string text;
  for (const std::string& loss : salvaged->losses) text += fmt::format("damage     {}\n", loss);
  return text + fmt::format(
                    "lost       {} bytes, and in them at least {} batches\n"
                    "kept       {} batches\n{}{}"
                    "Repaired. Fences go on above {}. The files that were kept aside can be "
                    "removed once nobody wants to look into them.\n",
                    salvaged->lost_bytes, salvaged->lost_batches, salvaged->kept_batches,
                    describe_state(state), *aside, state.keys().fences().floor());
}

}  // namespace

Result<std::string> repair_journal(journal::Disk& disk, const std::string& boot_id) {
  const CheckReport report = check_journal(disk);
  switch (report.verdict) {
    case Verdict::good:
      return report.text + "There is nothing to repair.\n";
    case Verdict::torn_tail:
      return report.text + "There is nothing to repair: the next start cuts the tail off.\n";
    case Verdict::refused:
      break;
  }
  const Result<journal::Listing> listing = journal::list_files(disk);
  if (!listing) return tl::unexpected{listing.error()};
  if (listing->pictures.empty() && listing->segments.empty()) return failure(report.text);
  for (const std::string& name : listing->unfinished) {
    if (Result<void> removed = disk.remove(name); !removed) return tl::unexpected{removed.error()};
  }
  return rebuild(disk, boot_id);
}

Result<std::string> repair_journal(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return failure(fmt::format("{} is no folder", folder));
  }
  const Result<std::unique_ptr<journal::Disk>> disk = journal::open_real_disk(folder);
  if (!disk) return tl::unexpected{disk.error()};
  return repair_journal(**disk, boot_id().substr(0, journal::kMaxBootIdBytes));
}

}  // namespace fencepost::server
