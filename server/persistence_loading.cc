// The journal becomes the state, a slice at a time, so that others are heard meanwhile.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/limits.h"
#include "server/floor_file.h"
#include "server/persistence.h"
#include "server/persistence_drawing.h"
#include "state/image.h"

namespace fencepost::server {

Result<std::unique_ptr<Persistence>> Persistence::begin(journal::Disk& disk, Options options,
                                                        Engine& engine, ContinuedClock& clock,
                                                        Log log) {
  std::unique_ptr<Persistence> made{
      new Persistence{disk, std::move(options), engine, clock, std::move(log)}};
  if (Result<void> begun = made->begin_loading(); !begun) return tl::unexpected{begun.error()};
  return made;
}

Result<std::unique_ptr<Persistence>> Persistence::open(journal::Disk& disk, Options options,
                                                       Engine& engine, ContinuedClock& clock,
                                                       Log log) {
  Result<std::unique_ptr<Persistence>> made =
      begin(disk, std::move(options), engine, clock, std::move(log));
  while (made && (*made)->is_loading()) {
    if (Result<bool> more = (*made)->load_on(/*budget_us=*/1'000'000); !more) {
      return tl::unexpected{more.error()};
    }
  }
  return made;
}

Result<void> Persistence::begin_loading() {
  // What cannot be used is refused before anything is changed.
  if (const Result<std::uint64_t> kept = read_floor(disk_); !kept) {
    return tl::unexpected{kept.error()};
  }
  const auto restore = [this](std::string_view batch) {
    return state::restore(engine_.state(), batch);
  };
  Result<std::unique_ptr<journal::Recovery>> recovery =
      journal::Recovery::begin(disk_, options_.log.boot_id, restore, restore);
  if (!recovery) return refused(recovery.error());
  recovery_ = std::move(*recovery);
  engine_.begin_loading();
  return {};
}

// Whoever reads it may be woken at night: where to look, and at what.
tl::unexpected<Failure> Persistence::refused(const Failure& why) const {
  const std::string& folder = engine_.process().settings.values.directory;
  return failure(
      fmt::format("{}. `fencepost --check {}` says what is in the folder", why.what, folder));
}

Result<bool> Persistence::load_on(std::int64_t budget_us) {
  check(is_loading(), "what was read is not read again");
  const std::int64_t until = clock_.stopwatch_us() + budget_us;
  do {
    const Result<bool> more = recovery_->step();
    if (!more) return refused(more.error());
    if (!*more) {
      if (Result<void> ended = end_loading(); !ended) return tl::unexpected{ended.error()};
      return false;
    }
  } while (clock_.stopwatch_us() < until);
  engine_.note_loading(recovery_->bytes_read(), recovery_->bytes_in_all());
  return true;
}

// Log time goes on from where the journal ends, and the moments of whoever is there already with
// it.
Result<void> Persistence::end_loading() {
  Result<std::unique_ptr<journal::BatchLog>> log =
      journal::BatchLog::go_on(disk_, options_.log, recovery_->take());
  if (!log) return tl::unexpected{log.error()};
  recovery_ = nullptr;
  batches_ = std::move(*log);
  state::State& state = engine_.state();
  const Instant before = clock_.now().log;
  if (batches_->found().last_index > 0) clock_.continue_from(state.clock());
  engine_.end_loading(clock_.now().log - before);
  tell_what_was_found();
  engine_.keep_journal();
  if (Result<void> leapt = leap_if_needed(); !leapt) return leapt;
  // What this changes is written down with the first batch.
  state.all_clients_gone();
  fences_at_sync_ = state.keys().fences().highest();
  commands::Durability& durability = engine_.process().durability;
  durability.enabled = true;
  durability.begin_rewrite = [this] { return begin_rewrite(); };
  durability.save = [this] { return save_now(); };
  durability.base_bytes = batches_->bytes();
  report();
  return {};
}

void Persistence::tell_what_was_found() {
  const journal::Found& found = batches_->found();
  engine_.process().durability.unclean_start = !found.clean;
  if (found.cut_bytes > 0) {
    say(LogLevel::warning, fmt::format("The journal had a torn tail: {} bytes were cut off {}.",
                                       found.cut_bytes, found.cut_from));
  }
  say(LogLevel::notice,
      fmt::format("The journal was read: {} keys, {} batches.", key_count(), found.batches));
}

std::size_t Persistence::key_count() const {
  std::size_t count = 0;
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    count += engine_.state().keys().size(database);
  }
  return count;
}

// What the journal knows as held may have been given to others since, by a server that kept no
// journal: whoever has such a fence must not pass for the newest.
void Persistence::make_holds_stale() {
  engine_.state().keys().draw_all_anew();
  say(LogLevel::warning,
      "A server ran without the journal since: locks that the journal knows are there again, and "
      "their fences are stale.");
}

// Under `always` nothing that was told can be lost. After a kill of the process alone nothing is
// lost either, for the kernel lives on. Else the newest numbers may be gone: then, or when somebody
// asks for it, fences leap, and that is safe before anybody is served.
Result<void> Persistence::leap_if_needed() {
  const journal::Found& found = batches_->found();
  commands::Durability& durability = engine_.process().durability;
  state::Fences& fences = engine_.state().keys().fences();
  const std::uint64_t highest = fences.highest();
  std::uint64_t to = highest;
  if (found.power_lost) {
    to += options_.leap;
    durability.leapt = true;
    say(LogLevel::warning,
        "What was answered last may be lost: the machine went down without a shutdown of the "
        "server. So every fence is drawn far above what it was.");
  }
  // Of a time without a journal.
  const Result<std::uint64_t> kept = read_floor(disk_);
  if (!kept) return tl::unexpected{kept.error()};
  const bool ran_without_journal = *kept > highest;
  to = std::max(to, *kept);
  if (options_.raise_floor) {
    const std::uint64_t wanted = *options_.raise_floor;
    to = std::max(to, wanted > 0 ? wanted : highest + options_.leap);
  }
  if (to == highest) {
    if (options_.raise_floor) say(LogLevel::notice, fmt::format("Fences are at {} already.", to));
    return remove_floor(disk_);
  }
  // There have to be numbers left behind it.
  if (to > kMaxFence - options_.leap) return failure("the floor of fences cannot be raised so far");
  fences.leap(to - highest);
  if (ran_without_journal) make_holds_stale();
  std::string batch;
  if (!state::append_changes(batch, engine_.state())) state::append_head(batch, engine_.state());
  say(LogLevel::notice, fmt::format("Fences go on above {}.", to));
  if (Result<void> noted = batches_->append_safely(batch); !noted) return noted;
  return remove_floor(disk_);
}

}  // namespace fencepost::server
