// Keeps the state on disk: at the start the state is made of the journal, then every turn's changes
// are appended to it before anybody is told of them.
//
// appendfsync says when an answer may leave: `always` once its batch is synced, by a worker, one
// sync at a time, for all batches that came in meanwhile; `everysec` and `no` once it is written,
// which a kill of the process cannot undo, and a power cut can for what was not synced.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "base/time.h"
#include "journal/batch_log.h"
#include "journal/disk.h"
#include "journal/recovery.h"
#include "server/background.h"
#include "server/engine.h"
#include "server/log.h"
#include "state/drawing.h"

namespace fencepost::server {

class Persistence {
 public:
  struct Options {
    journal::BatchLog::Options log;
    // So many numbers may be drawn between two syncs, and so far fences leap when some may be lost:
    // further than was drawn and than may still have been told.
    std::uint64_t most_draws = kFencesLeap / 2;
    std::uint64_t leap = kFencesLeap;
    // A picture is drawn in pieces of about so many bytes, in each turn for so long.
    std::size_t piece_bytes = state::Drawing::kPieceBytes;
    std::int64_t draw_us = 1000;
    // Fences are to go on above this; 0: above what they are by `leap`.
    std::optional<std::uint64_t> raise_floor{};
  };

  // Reads the journal on the disk into the engine's state, and lets log time go on from where it
  // ends. Disk, engine and clock must outlive it.
  static Result<std::unique_ptr<Persistence>> open(journal::Disk& disk, Options options,
                                                   Engine& engine, ContinuedClock& clock, Log log);
  // The same in slices, with load_on(): the engine says LOADING meanwhile.
  static Result<std::unique_ptr<Persistence>> begin(journal::Disk& disk, Options options,
                                                    Engine& engine, ContinuedClock& clock, Log log);
  ~Persistence();
  Persistence(const Persistence&) = delete;
  Persistence& operator=(const Persistence&) = delete;

  bool is_loading() const { return recovery_ != nullptr; }
  // Reads on for about so long. False once all is there. A failure is damage, and final.
  Result<bool> load_on(std::int64_t budget_us);

  // Before the first turn; both must outlive the last one. Work that the worker has is to be waited
  // for before this goes.
  void attach(Worker& worker, Beat& beat);
  // To be called in each turn before anything is sent; does nothing while it is loading.
  void commit();
  // The orderly end, once nothing runs any more. What is not loaded yet is left as it is.
  void close();
  // Of the newest batch in the journal.
  std::uint64_t last_index() const { return batches_->last_index(); }

 private:
  // A batch that the engine has given, or a tick.
  struct Batch {
    std::uint64_t number = 0;  // as the engine counts; 0: a tick
    std::string bytes;
  };
  // What was appended, for finding the engine's number by the log's index.
  struct Appended {
    std::uint64_t index = 0;
    std::uint64_t number = 0;
  };
  struct Drawing;

  Persistence(journal::Disk& disk, Options options, Engine& engine, ContinuedClock& clock, Log log);

  // loading (persistence_loading.cc)
  Result<void> begin_loading();
  tl::unexpected<Failure> refused(const Failure& why) const;
  Result<void> end_loading();
  void tell_what_was_found();
  Result<void> leap_if_needed();
  void make_holds_stale();
  std::size_t key_count() const;

  bool collect_turn();
  bool append_pending();
  bool is_silent(Instant now) const;
  void release_written();
  void release_synced();
  void start_sync();
  void end_sync(const Result<void>& outcome, std::int64_t took_us);
  void sync_before_too_many_draws();
  void refuse(std::string_view why);
  void report();

  // pictures (persistence_picture.cc)
  bool begin_rewrite();
  void rewrite_if_grown();
  void draw_on(std::int64_t budget_us);
  Result<void> draw_slice(std::int64_t budget_us);
  void set_beat();
  void end_drawing(const Result<void>& outcome);
  Result<void> save_now();
  std::int64_t unix_s();

  bool syncs_always() const;
  void say(LogLevel level, std::string_view line) const;

  journal::Disk& disk_;
  Options options_;
  Engine& engine_;
  ContinuedClock& clock_;
  Log log_;
  std::unique_ptr<journal::Recovery> recovery_;  // while it is loading
  std::unique_ptr<journal::BatchLog> batches_;   // from then on
  std::deque<Batch> pending_;                    // could not be appended yet
  std::deque<Appended> appended_;  // since the last commit that the engine was told of
  std::uint64_t written_number_ = 0;
  std::unique_ptr<Drawing> drawing_;

  Worker* worker_ = nullptr;
  Beat* beat_ = nullptr;  // ticks, the second's sync, attempts after a failure
  bool syncing_ = false;
  Instant sync_began_{};
  journal::SyncPoint sync_point_;
  Result<void> sync_outcome_;
  std::int64_t sync_took_us_ = 0;
  std::uint64_t number_at_point_ = 0;  // the engine's number of the newest batch in sync_point_
  std::uint64_t fences_at_sync_ = 0;
  std::uint64_t fences_at_point_ = 0;
  Instant next_second_{};
  Instant last_append_{};
  bool sync_failed_ = false;
  bool synced_always_ = true;  // at the last commit, and for what was read at the start
  std::string batch_;
};

}  // namespace fencepost::server
