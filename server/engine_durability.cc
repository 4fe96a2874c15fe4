// What waits for the journal. A request is applied at once, and its answer stays here until the
// batch that it is part of is kept: nobody is told what a crash could take back. Who asks for
// nothing that changed since does not wait.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "server/engine.h"
#include "state/image.h"

namespace fencepost::server {

using commands::Arguments;
using commands::Effect;

void Engine::keep_journal() {
  journal_kept_ = true;
  kept_floor_ = state_.keys().fences().floor();
  state_.changed_keys().begin(kept_floor_);
}

// An entry may be told to others than its own client, and an answer that changed nothing may tell
// of what an entry before it did: both wait for all that there is.
void Engine::hold_back(Connection& connection) const {
  connection.held_until = collected_ + 1;
}

// The batch after the last one is waited for only while there is something to be put into it.
bool Engine::is_held_back(const Connection& connection) const {
  return journal_kept_ && is_beyond(connection, committed_);
}

// What it did, or was told of, is not all in the batches up to `safe`.
bool Engine::is_beyond(const Connection& connection, std::uint64_t safe) const {
  if (connection.held_until <= safe) return false;
  return connection.held_until <= collected_ || safe < collected_ || !state_.changed_keys().empty();
}

std::uint64_t Engine::collect(std::string& batch) {
  check(!applying_, "a batch holds whole entries");
  if (state_.changed_keys().empty()) return 0;
  std::unordered_set<std::uint64_t> hashes;
  for (const state::KeyName& name : state_.changed_keys().names()) {
    hashes.insert(state_.keys().hash_of(name.key));
  }
  uncertain_.push_back(
      {.number = ++collected_, .keys = std::move(hashes), .floor = state_.keys().fences().floor()});
  state::append_changes(batch, state_);
  return collected_;
}

void Engine::committed(std::uint64_t number) {
  check(number <= collected_, "only what was collected is kept");
  committed_ = std::max(committed_, number);
  for (; !uncertain_.empty() && uncertain_.front().number <= committed_; uncertain_.pop_front()) {
    kept_floor_ = uncertain_.front().floor;
  }
  for (const ClientId client : std::exchange(held_back_, {})) {
    if (Connection* connection = find(client)) mark_dirty(*connection);
  }
}

// A read that tells of something that is not kept yet waits as well, or it would tell what a crash
// takes back. What it reads goes by its keys; one that names none, or names them elsewhere, may
// read anything.
void Engine::hold_if_uncertain(Connection& connection, const commands::Resolved& found,
                               const Arguments& arguments) {
  const commands::Command& command = *found.command;
  if (command.effect != Effect::read) return;
  if (uncertain_.empty() && state_.changed_keys().empty()) return;
  const bool names_all = !has(command.flags, commands::Flag::movable_keys) &&
                         !has(command.flags, commands::Flag::effect_of_inner);
  const std::vector<std::size_t> keys = commands::key_positions(command, arguments);
  const bool about_locks = has(command.categories, commands::Category::lock);
  const DatabaseIndex database = connection.session.database;
  bool uncertain = keys.empty() || !names_all;
  for (const std::size_t at : keys) {
    uncertain = uncertain || may_have_changed(database, arguments[at]) ||
                (about_locks && has_a_new_floor(database, arguments[at]));
  }
  if (uncertain) hold_back(connection);
}

bool Engine::may_have_changed(DatabaseIndex database, std::string_view key) const {
  if (state_.changed_keys().contains(database, key)) return true;
  const std::uint64_t hash = state_.keys().hash_of(key);
  return std::any_of(uncertain_.begin(), uncertain_.end(),
                     [hash](const Uncertain& batch) { return batch.keys.contains(hash); });
}

// A key without a counter above it has the floor for its newest fence, and another key's counter
// that was dropped has raised that.
bool Engine::has_a_new_floor(DatabaseIndex database, std::string_view key) const {
  const state::Fences& fences = state_.keys().fences();
  return fences.floor() > kept_floor_ && state_.keys().peek(database, key) == nullptr &&
         fences.newest(database, key) == fences.floor();
}

}  // namespace fencepost::server
