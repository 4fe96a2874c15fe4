// Keeps the state on disk.
#include "server/persistence.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "server/persistence_drawing.h"
#include "state/image.h"

namespace fencepost::server {

namespace {

constexpr std::uint64_t kBeatMs = 100;
// A slice of a millisecond at each: a third of the time is for the picture when there is nothing
// else.
constexpr std::uint64_t kBeatWhileDrawingMs = 2;
// While there are leases, log time is noted at least this often: so much longer a lease may become
// over a restart.
constexpr Duration kLongestSilence{500};
constexpr Duration kSecond{1000};

}  // namespace

Persistence::Persistence(journal::Disk& disk, Options options, Engine& engine,
                         ContinuedClock& clock, Log log)
    : disk_{disk},
      options_{std::move(options)},
      engine_{engine},
      clock_{clock},
      log_{std::move(log)} {
  options_.log.boot_id.resize(std::min(options_.log.boot_id.size(), journal::kMaxBootIdBytes));
}

Persistence::~Persistence() = default;

void Persistence::attach(Worker& worker, Beat& beat) {
  worker_ = &worker;
  beat_ = &beat;
  set_beat();
}

// The work is done in commit(), which every turn of the loop calls: a beat makes a turn.
void Persistence::set_beat() {
  if (beat_ != nullptr) beat_->every(drawing_ ? kBeatWhileDrawingMs : kBeatMs);
}

bool Persistence::syncs_always() const {
  return engine_.process().settings.values.append_fsync == "always";
}

void Persistence::commit() {
  // Others are told BUSY meanwhile, which needs no journal.
  if (is_loading() || engine_.is_applying()) return;
  const Instant now = clock_.now().log;
  const bool ticks = is_silent(now);
  if (ticks) engine_.tick();
  // From here on nobody is told what a power cut takes back. What was told before may not be synced
  // yet, and an answer of this turn may rest on it: so there is something to wait for.
  if (syncs_always() && !synced_always_) engine_.state().changed_keys().want_batch();
  synced_always_ = syncs_always();
  if (!collect_turn() && ticks) {
    state::append_head(batch_, engine_.state());
    pending_.push_back({0, batch_});
  }
  const bool all = append_pending();
  sync_before_too_many_draws();
  release_written();
  const bool second_over = now >= next_second_;
  const bool by_the_second = engine_.process().settings.values.append_fsync != "no";
  if (syncs_always() || engine_.sync_is_awaited() || (second_over && by_the_second) ||
      (drawing_ && drawing_->walk.ended())) {
    start_sync();
  }
  if (second_over) {
    next_second_ = now + kSecond;
    // As Redis counts them: what was begun a second ago has not ended.
    const bool late = by_the_second && syncing_ && now >= sync_began_ + kSecond;
    if (late) ++engine_.process().durability.late_syncs;
  }
  if (all) {
    rewrite_if_grown();
    draw_on(options_.draw_us);
  }
  report();
}

// False when nothing has changed since the last time; then batch_ is empty.
bool Persistence::collect_turn() {
  batch_.clear();
  const std::uint64_t number = engine_.collect(batch_);
  if (number > 0) pending_.push_back({number, batch_});
  return number > 0;
}

// Without a lease nobody minds when it is.
bool Persistence::is_silent(Instant now) const {
  return pending_.empty() && engine_.state().keys().next_deadline() != kNever &&
         now >= last_append_ + kLongestSilence;
}

// False when some are left, for the disk does not take them.
bool Persistence::append_pending() {
  while (!pending_.empty()) {
    const Batch& batch = pending_.front();
    const Result<std::uint64_t> index = batches_->append(batch.bytes);
    if (!index) {
      refuse(index.error().what);
      return false;
    }
    last_append_ = clock_.now().log;
    if (batch.number > 0) appended_.push_back({*index, batch.number});
    written_number_ = std::max(written_number_, batch.number);
    pending_.pop_front();
  }
  // Room for what comes is asked for before it is promised.
  constexpr std::uint64_t kRoom = 64 * 1024;
  if (Result<void> room = batches_->make_room(kRoom); !room) {
    refuse(room.error().what);
    return true;
  }
  if (!sync_failed_ && !engine_.process().durability.refusal.empty()) {
    engine_.process().durability.refusal.clear();
    engine_.process().durability.last_write_failed = false;
    say(LogLevel::notice, "The journal can be written again.");
  }
  return true;
}

void Persistence::refuse(std::string_view why) {
  commands::Durability& durability = engine_.process().durability;
  durability.last_write_failed = true;
  std::string refusal = fmt::format("MISCONF Errors writing to the AOF file: {}", why);
  if (durability.refusal == refusal) return;
  say(LogLevel::warning, fmt::format("Writes are refused: {}", why));
  durability.refusal = std::move(refusal);
}

// Under `everysec` and `no` an answer leaves once it is written.
void Persistence::release_written() {
  if (syncs_always()) return;
  std::uint64_t number = 0;
  while (!appended_.empty()) {
    number = appended_.front().number;
    appended_.pop_front();
  }
  if (number > 0) engine_.committed(number);
}

// Under `always` once it is synced, by whichever sync.
void Persistence::release_synced() {
  std::uint64_t number = 0;
  while (!appended_.empty() && appended_.front().index <= batches_->durable_index()) {
    number = appended_.front().number;
    appended_.pop_front();
  }
  if (number > 0) engine_.committed(number);
}

// One at a time; what comes meanwhile is for the next one.
void Persistence::start_sync() {
  if (syncing_ || sync_failed_ || worker_ == nullptr) return;
  const bool for_picture = drawing_ && drawing_->walk.ended();
  if (!for_picture && batches_->durable_index() == batches_->last_index()) {
    release_synced();
    return engine_.synced(written_number_);
  }
  number_at_point_ = for_picture ? 0 : written_number_;
  sync_point_ = for_picture ? drawing_->point : batches_->sync_point();
  if (for_picture) drawing_->syncing = true;
  fences_at_point_ = engine_.state().keys().fences().highest();
  syncing_ = true;
  sync_began_ = clock_.now().log;
  worker_->run(
      [this] {
        const std::int64_t began = clock_.stopwatch_us();
        sync_outcome_ = sync_point_.sync();
        sync_took_us_ = clock_.stopwatch_us() - began;
      },
      [this] { end_sync(sync_outcome_, sync_took_us_); });
}

void Persistence::end_sync(const Result<void>& outcome, std::int64_t took_us) {
  syncing_ = false;
  commands::Durability& durability = engine_.process().durability;
  ++durability.syncs;
  durability.last_sync_us = took_us;
  durability.max_sync_us = std::max(durability.max_sync_us, took_us);
  if (!outcome) {
    // The kernel may have dropped what it could not write, and would say yes the next time.
    sync_failed_ = true;
    refuse(outcome.error().what + "; until a restart nothing is promised any more");
    if (drawing_ && drawing_->syncing) end_drawing(outcome);
    return;
  }
  batches_->synced(sync_point_);
  fences_at_sync_ = fences_at_point_;
  engine_.synced(number_at_point_);
  release_synced();
  if (drawing_ && drawing_->syncing) end_drawing(drawing_->writer->install());
}

// A leap after a loss of power covers this many numbers, and no more may be drawn unsynced.
void Persistence::sync_before_too_many_draws() {
  if (sync_failed_ ||
      engine_.state().keys().fences().highest() < fences_at_sync_ + options_.most_draws) {
    return;
  }
  const journal::SyncPoint point = batches_->sync_point();
  if (Result<void> synced = point.sync(); !synced) {
    sync_failed_ = true;
    return refuse(synced.error().what + "; until a restart nothing is promised any more");
  }
  batches_->synced(point);
  fences_at_sync_ = engine_.state().keys().fences().highest();
}

void Persistence::report() {
  commands::Durability& durability = engine_.process().durability;
  durability.bytes = batches_->bytes();
  durability.sync_in_progress = syncing_;
  durability.rewriting = drawing_ != nullptr;
  durability.waiting_batches = pending_.size();
}

void Persistence::close() {
  check(!syncing_, "workers have ended");
  if (is_loading()) return;
  drawing_ = nullptr;
  collect_turn();
  if (!append_pending() || sync_failed_) {
    return say(LogLevel::warning, "The journal could not be brought to an orderly end.");
  }
  if (Result<void> closed = batches_->close(); !closed) {
    say(LogLevel::warning, fmt::format("The journal could not be closed: {}", closed.error().what));
  }
}

void Persistence::say(LogLevel level, std::string_view line) const {
  if (log_) log_(level, line);
}

}  // namespace fencepost::server
