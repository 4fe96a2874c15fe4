// `fencepost --check DIR`: reads a journal without changing anything and says what is in it.
#include "server/journal_check.h"

#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "journal/real_disk.h"
#include "journal/recovery.h"
#include "state/image.h"

namespace fencepost::server {

namespace {

using journal::Listing;
using journal::Recovered;

struct Counts {
  std::size_t keys = 0;
  std::size_t leased_texts = 0;
  std::size_t shared_locks = 0;
  std::size_t shared_holds = 0;
};

Counts count(const state::State& state) {
  Counts counts;
  state.keys().peek_all([&counts](const state::Item& item) {
    ++counts.keys;
    if (item.is_string() && item.deadline != kNever) ++counts.leased_texts;
    if (!item.is_lock()) return;
    ++counts.shared_locks;
    counts.shared_holds += item.lock().size();
  });
  return counts;
}

std::string describe_files(journal::Disk& disk, const Listing& listing) {
  std::string text;
  const auto line = [&disk, &text](std::string_view kind, const std::string& name) {
    text += fmt::format("{:<10} {}, {} bytes\n", kind, name, disk.size(name).value_or(0));
  };
  for (const std::uint64_t last : listing.pictures) line("picture", journal::picture_name(last));
  for (const std::uint64_t first : listing.segments) line("segment", journal::segment_name(first));
  for (const std::string& name : listing.unfinished) line("unfinished", name);
  return text;
}

std::string describe_end(const Recovered& recovered) {
  const journal::Found& found = recovered.found;
  if (recovered.cut_segment) {
    return fmt::format(
        "end        torn: {} bytes, in {} from byte {} on, are not whole and were never said to "
        "be safe; a start cuts them off\n",
        found.cut_bytes, found.cut_from, recovered.cut_at);
  }
  if (found.clean) return "end        in order, by a shutdown\n";
  return "end        not by a shutdown: the process was killed, or runs, or power was lost\n";
}

}  // namespace

std::string describe_state(const state::State& state) {
  const Counts counts = count(state);
  const state::Fences& fences = state.keys().fences();
  return fmt::format(
      "keys       {}; of these {} texts with a lease (exclusive locks are such), {} locks held by "
      "several with {} holds\n"
      "fences     floor {}, highest {}, leapt to {}; {} counters of keys that are gone\n"
      "log time   {} ms\n",
      counts.keys, counts.leased_texts, counts.shared_locks, counts.shared_holds, fences.floor(),
      fences.highest(), fences.leapt_to(), fences.idle_count(),
      state.clock().time_since_epoch().count());
}

CheckReport check_journal(journal::Disk& disk) {
  const Result<Listing> listing = journal::list_files(disk);
  if (!listing) return {.verdict = Verdict::refused, .text = listing.error().what + "\n"};
  CheckReport report{.verdict = Verdict::refused, .text = describe_files(disk, *listing)};
  if (listing->pictures.empty() && listing->segments.empty()) {
    report.text += "There is no journal in this folder.\n";
    return report;
  }
  state::State state{/*hash_seed=*/0};
  std::uint64_t pieces = 0;
  std::uint64_t batches = 0;
  const auto restore = [&state](std::uint64_t& counted) {
    return [&state, &counted](std::string_view payload) {
      ++counted;
      return state::restore(state, payload);
    };
  };
  // Whose boot wrote it makes no difference to what is in it.
  const Result<Recovered> recovered =
      journal::recover(disk, /*boot_id=*/{}, restore(pieces), restore(batches));
  if (!recovered) {
    report.text += fmt::format(
        "read       {} pieces of a picture and {} batches, up to the damage\n{}"
        "REFUSED: {}.\nA start would refuse it too. Take a copy of the folder; then "
        "`fencepost --repair` keeps what can be read, behind the damage too.\n",
        pieces, batches, describe_state(state), recovered.error().what);
    return report;
  }
  report.text += fmt::format(
      "read       {} pieces of a picture and {} batches, up to index {}\n{}{}", pieces, batches,
      recovered->found.last_index, describe_state(state), describe_end(*recovered));
  report.verdict = recovered->cut_segment ? Verdict::torn_tail : Verdict::good;
  report.text += recovered->cut_segment ? "Good, but for a torn tail.\n" : "Good.\n";
  return report;
}

CheckReport check_journal(const std::string& folder) {
  const Result<journal::DiskToRead> opened = journal::open_real_disk_to_read(folder);
  if (!opened) return {.verdict = Verdict::refused, .text = opened.error().what + "\n"};
  CheckReport report = check_journal(*opened->disk);
  if (opened->in_use) {
    report.text +=
        "A server runs on it: what it wrote meanwhile may look torn, or have gone to a newer "
        "file.\n";
  }
  return report;
}

}  // namespace fencepost::server
