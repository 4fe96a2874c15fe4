// Pictures of the state, so that the journal does not grow for ever.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/persistence.h"
#include "server/persistence_drawing.h"

namespace fencepost::server {

bool Persistence::begin_rewrite() {
  if (drawing_) return false;
  // What cannot be appended yet would come behind a picture that has it.
  if (!pending_.empty()) return false;
  Result<std::unique_ptr<journal::PictureWriter>> writer = batches_->begin_picture();
  if (!writer) {
    engine_.process().durability.last_rewrite_failed = true;
    say(LogLevel::warning, fmt::format("No picture can be begun: {}", writer.error().what));
    return false;
  }
  engine_.state().changed_keys().begin_picture();
  drawing_ = std::make_unique<Drawing>(Drawing{
      .writer = std::move(*writer), .walk = state::Drawing{engine_.state(), options_.piece_bytes}});
  engine_.process().durability.rewriting = true;
  engine_.process().durability.rewrite_began_s = unix_s();
  set_beat();
  say(LogLevel::notice, "A new picture of the state is being drawn.");
  return true;
}

void Persistence::rewrite_if_grown() {
  if (drawing_ || !engine_.process().durability.refusal.empty()) return;
  const commands::SettingValues& values = engine_.process().settings.values;
  const commands::Durability& durability = engine_.process().durability;
  if (values.rewrite_percentage == 0) return;
  const auto minimum = static_cast<std::uint64_t>(values.rewrite_min_bytes);
  const std::uint64_t grown =
      durability.base_bytes / 100 * static_cast<std::uint64_t>(values.rewrite_percentage);
  if (batches_->bytes() < std::max(minimum, durability.base_bytes + grown)) return;
  if (!begin_rewrite()) engine_.process().durability.base_bytes = batches_->bytes();
}

void Persistence::draw_on(std::int64_t budget_us) {
  if (!drawing_ || drawing_->walk.ended()) return;
  if (Result<void> drawn = draw_slice(budget_us); !drawn) end_drawing(drawn);
}

// A turn's share. Everything that the picture has seen is in the journal by then: this runs after
// the turn's batch was appended, and drawing changes nothing.
Result<void> Persistence::draw_slice(std::int64_t budget_us) {
  const std::int64_t until = clock_.stopwatch_us() + budget_us;
  std::string piece;
  do {
    piece.clear();
    drawing_->walk.next(piece);
    if (Result<void> added = drawing_->writer->add(piece); !added) return added;
  } while (!drawing_->walk.ended() && clock_.stopwatch_us() < until);
  if (!drawing_->walk.ended()) return {};
  Result<journal::SyncPoint> point = drawing_->writer->end();
  if (!point) return tl::unexpected{point.error()};
  drawing_->point = std::move(*point);
  return {};
}

void Persistence::end_drawing(const Result<void>& outcome) {
  commands::Durability& durability = engine_.process().durability;
  durability.last_rewrite_failed = !outcome.has_value();
  drawing_ = nullptr;
  set_beat();
  durability.rewriting = false;
  durability.base_bytes = batches_->bytes();
  if (!outcome) {
    return say(LogLevel::warning,
               fmt::format("The picture was given up: {}", outcome.error().what));
  }
  durability.last_save_s = unix_s();
  durability.last_rewrite_took_s = durability.last_save_s - durability.rewrite_began_s;
  ++durability.rewrites;
  say(LogLevel::notice, "The picture is in place.");
}

std::int64_t Persistence::unix_s() {
  const Now now = clock_.now();
  return to_unix_ms(now.log, now) / 1000;
}

// SAVE: all of it at once, while everybody waits, as with Redis.
Result<void> Persistence::save_now() {
  if (drawing_) return failure("a picture is being drawn already");
  // What happened in this turn is not in the journal yet.
  collect_turn();
  if (!append_pending()) return failure("the journal cannot be written; see the log");
  if (!begin_rewrite()) return failure("no picture can be begun; see the log");
  while (drawing_ && !drawing_->walk.ended()) draw_on(/*budget_us=*/1'000'000);
  if (!drawing_) return failure("the picture was given up; see the log");
  const journal::SyncPoint point = drawing_->point;
  Result<void> done = point.sync();
  if (done) {
    batches_->synced(point);
    done = drawing_->writer->install();
  }
  end_drawing(done);
  return done;
}

}  // namespace fencepost::server
