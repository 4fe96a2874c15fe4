// A script that runs for long: others are heard meanwhile, and told BUSY.
//
// The script is in the middle of an entry, deep below receive() or tick(). What others say is
// parsed from bytes of their own and answered at once, by commands that touch no key; whoever goes
// is kept until the script has ended. Nothing is appended, nothing granted, and the script's own
// client is left alone: its request and its reply are being worked on.
#include <fmt/format.h>

#include "base/check.h"
#include "server/engine.h"

namespace fencepost::server {

namespace {

constexpr std::int64_t kLongestUs = 60'000'000;
// Looking takes time that grows with the number of clients; so long the script goes on first.
constexpr std::int64_t kBetweenLooksUs = 5'000;
// After less than this the moment is still the moment.
constexpr std::int64_t kMomentUs = 500;

}  // namespace

void Engine::begin_script(const commands::Context& context, const commands::Command& command,
                          commands::Arguments arguments) {
  script_client_ = context.session.id;
  script_request_ = {&command, arguments};
  script_began_us_ = clock_.stopwatch_us();
  next_look_us_ = 0;
}

// Asked all the time while a script runs. An answer ends the script.
std::optional<std::string> Engine::interrupt_script(bool wrote) {
  const std::int64_t now_us = clock_.stopwatch_us();
  const std::int64_t ran_us = now_us - script_began_us_;
  const std::int64_t threshold_ms = process_.settings.values.busy_reply_threshold_ms;
  commands::SlowScript& slow = process_.slow_script;
  if (!slow.runs && threshold_ms > 0 && ran_us / 1000 >= threshold_ms) {
    slow.runs = true;
    if (log_) {
      log_(LogLevel::warning,
           fmt::format("A script has run for {} ms. Others are told BUSY; SCRIPT KILL ends it "
                       "unless it has written.",
                       ran_us / 1000));
    }
  }
  slow.wrote = wrote;
  if (slow.runs && now_us >= next_look_us_) look_around(now_us);
  if (slow.killed) return "Script killed by user with SCRIPT KILL...";
  if (ran_us < kLongestUs) return std::nullopt;
  return "the script ran for 60 seconds and was ended";
}

void Engine::look_around(std::int64_t now_us) {
  next_look_us_ = now_us + kBetweenLooksUs;
  if (!process_.while_busy) return;
  process_.while_busy();
  next_look_us_ = clock_.stopwatch_us() + kBetweenLooksUs;
}

// What comes next happens now, and not when the script began.
void Engine::end_script() {
  if (is_busy() && log_) log_(LogLevel::warning, "The script has ended.");
  process_.slow_script = {};
  script_client_ = ClientId::nobody;
  script_request_ = {};
  if (clock_.stopwatch_us() - script_began_us_ >= kMomentUs) read_clock();
}

void Engine::receive_while_busy(Connection& connection, std::string_view bytes) {
  check(connection.session.id != script_client_, "the script's client is not read from");
  read_clock();
  connection.session.last_active_at = now_.log;
  connection.session.total_input_bytes += bytes.size();
  process_.statistics.input_bytes += bytes.size();
  if (connection.unfinished) {
    connection.unfinished->append(bytes);
  } else {
    connection.keep(bytes, {});
  }
  if (!connection.stopped()) go_on(connection);
  check_input_limit(connection);
}

}  // namespace fencepost::server
