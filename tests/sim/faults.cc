// What goes wrong: the process is killed, power is lost, the disk is full or fails or is slow, the
// wall clock steps, nothing runs for a while.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "journal/recovery.h"
#include "state/image.h"
#include "world.h"

namespace fencepost::sim {

namespace {

// A start reads a journal whose last batch is that old at most, and a beat: so much longer a lease
// may become by it, besides the time in which nothing ran.
constexpr std::int64_t kLongestSilenceMs = 500 + 110;

}  // namespace

void World::fault() {
  ++outcome_.faults;
  switch (random_.below(13)) {
    case 0:
    case 1:
    case 2:
      return restart(End::killed);
    case 3:
    case 4:
    case 5:
      return restart(End::power_lost);
    case 6:
      return restart(End::orderly);
    case 7:
    case 8:
      say("the disk is full");
      machine_.disk->fill_up(true);
      break;
    case 9:
      say("the disk fails");
      machine_.disk->break_down(true);
      break;
    case 10:
      say("syncs fail or are slow");
      if (chance(40)) {
        machine_.disk->break_syncs(true);
      } else {
        return life_->worker.slow_down(between(100, 3000));
      }
      break;
    case 11: {
      const std::int64_t step = between(-100'000'000, 100'000'000);
      say(fmt::format("the wall clock steps by {} ms", step));
      machine_.wall_ms += step;
      return;
    }
    default: {
      const std::int64_t ms = between(100, 6000);
      say(fmt::format("nothing runs for {} ms", ms));
      return machine_.pass(ms);
    }
  }
  disk_troubled_ = true;
  disk_mends_at_ = machine_.real_ms + between(10, 2000);
}

void World::mend_disk() {
  machine_.disk->fill_up(false);
  machine_.disk->break_down(false);
  machine_.disk->break_syncs(false);
  disk_mends_at_ = INT64_MAX;
}

void World::restart(End end) {
  const std::int64_t began = last_turn_ms_;  // a tick could be written then
  end_life(end);
  machine_.pass(chance(50) ? between(0, 50) : between(0, 5000));
  if (end == End::power_lost) machine_.lose_power(random_);
  if (chance(30)) machine_.wall_ms += between(-10'000'000, 10'000'000);
  const bool calm = !disk_troubled_ && end != End::power_lost;
  start();
  ++outcome_.restarts;
  const std::int64_t most = machine_.real_ms - began + kLongestSilenceMs;
  if (calm && witness_.lengthened_ms() > most) {
    throw Violation{fmt::format("a lease became longer by {} ms over an outage of {}",
                                witness_.lengthened_ms(), machine_.real_ms - began)};
  }
}

void World::end_life(End end) {
  say(end == End::killed ? "--- kill -9" : end == End::orderly ? "--- shutdown" : "--- power lost");
  if (end == End::orderly) {
    life_->engine.begin_shutdown();
    look();
    turn();
    while (!connections_.empty()) disconnect(connections_.begin()->first);
    while (!life_->worker.idle()) {
      machine_.pass(1);
      life_->worker.go_on();
    }
    life_->persistence->close();
  } else if (!life_->worker.idle() && chance(50)) {
    life_->worker.go_on();  // it may have synced, and nobody heard of it
  }
  connections_.clear();
  for (Client& client : clients_) client.connection = ClientId::nobody;
  witness_.ended(end, machine_.real_ms);
  // As a process ends: the picture that it drew stays where it is.
  machine_.disk->stop_changes(end != End::orderly);
  life_ = nullptr;
  machine_.disk->stop_changes(false);
}

void World::start() {
  if (chance(70)) mend_disk();
  if (!digests_.empty()) check_digest();
  while (!try_to_start()) {
    if (disk_mends_at_ == INT64_MAX) throw Violation{outcome_.trace.back()};
    mend_disk();
  }
  disk_troubled_ = disk_mends_at_ != INT64_MAX;
  last_index_ = life_->persistence->last_index();
  witness_.recovered(life_->engine, life_->clock.now().log, machine_.real_ms);
}

bool World::try_to_start() {
  server::Engine::Options options;
  options.hash_seed = random_.next();
  options.chance_seed = random_.next();
  constexpr const char* kModes[] = {"always", "always", "everysec", "no"};
  mode_ = kModes[random_.below(4)];
  for (const auto& [name, value] :
       {std::pair<std::string, std::string>{"appendfsync", mode_},
        {"fence-idle-keys", std::to_string(idle_fences_)},
        {"auto-aof-rewrite-min-size", std::to_string(3000 + random_.below(30'000))}}) {
    if (const Result<void> set = options.settings.set_at_start(name, value); !set) {
      throw Violation{set.error().what};
    }
  }
  auto life = std::make_unique<Life>(machine_, random_, options);
  options_.log.boot_id = machine_.boot_id();
  auto opened = server::Persistence::open(
      *machine_.disk, options_, life->engine, life->clock,
      [this](server::LogLevel, std::string_view line) { say("log: " + std::string{line}); });
  if (!opened) {
    outcome_.trace.push_back("it does not start: " + opened.error().what);
    return false;
  }
  life->persistence = std::move(*opened);
  // Nothing is large here, and what is said of large values is to be tried.
  state::State& state = life->engine.state();
  state.changed_keys().begin(state.keys().fences().floor(), /*small=*/0);
  life->persistence->attach(life->worker, life->beat);
  life_ = std::move(life);
  say(fmt::format("--- it runs, appendfsync {}", mode_));
  return true;
}

// What the journal comes to is what the state was when its last batch was written.
void World::check_digest() {
  state::State state{random_.next()};
  const auto restore = [&state](std::string_view batch) { return state::restore(state, batch); };
  const Result<journal::Recovered> found =
      journal::recover(*machine_.disk, machine_.boot_id(), restore, restore);
  if (!found) throw Violation{"the journal cannot be read back: " + found.error().what};
  // What was behind it never was.
  digests_.erase(digests_.upper_bound(found->found.last_index), digests_.end());
  const auto before = digests_.find(found->found.last_index);
  if (before == digests_.end()) return;
  ++outcome_.digests;
  const std::string what = difference(before->second, digest_of(state));
  if (!what.empty()) throw Violation{"at index " + std::to_string(before->first) + " " + what};
}

// All faults are over, and everybody goes: nothing stays held, and the next one is served.
void World::come_to_rest() {
  mend_disk();
  if (!life_->engine.process().durability.refusal.empty()) pass(500);
  restart(chance(50) ? End::killed : End::orderly);
  if (disk_mends_at_ != INT64_MAX) mend_disk();
  for (Client& client : clients_) client.asked.clear();
  pass(40'000);
  for (const LockKey& key : kLockKeys) {
    if (life_->engine.state().locks().view(0, key.name)) {
      throw Violation{fmt::format("{} is held or waited for by nobody who is there", key.name)};
    }
  }
  Client& last = clients_[0];
  connect(0);
  last.asked = {{.kind = Request::Kind::lock,
                 .words = {"LOCK", "x0", "o0", "PX", "1000"},
                 .keys = {"x0"},
                 .owner = "o0",
                 .lease_ms = 1000}};
  ask(0);
  pass(200);
  if (!last.asked.empty()) throw Violation{"all is well again, and a request is not answered"};
  restart(End::power_lost);
}

}  // namespace fencepost::sim
