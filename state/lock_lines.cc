// Who stands in line for which key: joining, leaving, and whose turn it is.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "state/deadlock.h"
#include "state/lock_parts.h"

namespace fencepost::state {

// --- joining

// The new copy takes the older ones' place; whoever waited with them is answered nil. A copy that
// does not wait leaves the place kept, if there was one.
LockAnswer LockTable::Parts::enqueue(std::unique_ptr<Waiter> request,
                                     const std::vector<Waiter*>& older, Duration wait) {
  if (wait > Duration{0}) {
    if (std::string refusal = refusal_to_queue(*request, older); !refusal.empty()) {
      return {.kind = LockAnswer::Kind::error, .fences = {}, .error = std::move(refusal)};
    }
  }
  for (Waiter* place : older) leave_line(*place, WaiterAnswer::Kind::refused);
  if (wait == Duration{0}) {
    if (!older.empty()) keep_place(std::move(request));
    return {};
  }
  blockers.line_grew(queues.add(std::move(request)));
  drop_kept_places();
  return {.kind = LockAnswer::Kind::waiting, .fences = {}, .error = {}};
}

std::string LockTable::Parts::refusal_to_queue(const Waiter& request,
                                               const std::vector<Waiter*>& older) {
  const auto leaving_here = static_cast<std::size_t>(std::count_if(
      older.begin(), older.end(), [](const Waiter* place) { return place->present(); }));
  if (queues.present_count() - leaving_here >= limits.max_waiters) {
    return "QUEUEFULL no more than " + std::to_string(limits.max_waiters) +
           " may wait (lock-max-waiters-total)";
  }
  std::size_t bytes = queues.present_bytes() + Queues::bytes_of(request);
  for (const Waiter* place : older) bytes -= place->present() ? Queues::bytes_of(*place) : 0;
  if (bytes > limits.max_waiters_bytes) {
    return "QUEUEFULL those who wait may take no more than " +
           std::to_string(limits.max_waiters_bytes) + " bytes (lock-max-waiters-bytes)";
  }
  for (const std::string& key : request.keys) {
    const Queues::Line* line = queues.find(request.database, key);
    if (line != nullptr && line->size() >= limits.max_waiters_per_key + leaving_here) {
      return "QUEUEFULL no more than " + std::to_string(limits.max_waiters_per_key) +
             " may wait for '" + key.substr(0, 128) + "' (lock-max-waiters)";
    }
  }
  // Nobody waits for an owner that holds nothing another wants and stands before nobody: it can
  // close no circle.
  const bool is_last =
      std::all_of(request.keys.begin(), request.keys.end(), [&](const std::string& key) {
        const Queues::Line* line = queues.find(request.database, key);
        return line == nullptr || line->rbegin()->first < request.place;
      });
  if (is_last && !blockers.may_block(request.owner, queues) &&
      queues.present_of(request.owner).empty())
    return {};
  const auto circle = DeadlockSearch{keyspace, queues}.find(request, older);
  return circle ? "DEADLOCK " + describe(*circle) : std::string{};
}

// --- leaving

void LockTable::Parts::answer(const Waiter& waiter, WaiterAnswer::Kind kind,
                              std::vector<std::uint64_t> fences) {
  if (!waiter.present()) return;
  answers.push_back(
      {.client = waiter.client, .kind = kind, .many = waiter.many, .fences = std::move(fences)});
}

// Where it stood first, whoever stood behind may go now.
void LockTable::Parts::wake_lines(const Waiter& waiter) {
  for (const std::string& key : waiter.keys) {
    if (const Queues::Line* line = queues.find(waiter.database, key)) {
      if (line->begin()->first > waiter.place) woken.insert(KeyName{waiter.database, key});
    } else {
      blockers.holder_changed(waiter.database, key);
    }
  }
}

// Leaves for good.
void LockTable::Parts::leave_line(Waiter& waiter, WaiterAnswer::Kind kind) {
  answer(waiter, kind, {});
  const std::unique_ptr<Waiter> gone = queues.remove(waiter);
  wake_lines(*gone);
}

// Leaves the lines unanswered, and may come back to its place.
void LockTable::Parts::give_up(Waiter& waiter) {
  std::unique_ptr<Waiter> gone = queues.remove(waiter);
  wake_lines(*gone);
  keep_place(std::move(gone));
}

void LockTable::Parts::keep_place(std::unique_ptr<Waiter> absent) {
  if (limits.queue_hold == Duration{0}) return;
  absent->client = ClientId::nobody;
  absent->deadline = saturating_add(keyspace.present(), limits.queue_hold);
  queues.add(std::move(absent));
  drop_kept_places();
}

// Places of those who are away make room for those who are there: the oldest goes first.
void LockTable::Parts::drop_kept_places() {
  while (Waiter* oldest = queues.earliest_kept()) {
    const bool fits = queues.absent_count() <= limits.max_waiters &&
                      queues.absent_bytes() + queues.present_bytes() <= limits.max_waiters_bytes;
    if (fits) return;
    queues.remove(*oldest);
  }
}

// --- turns

bool LockTable::Parts::is_its_turn(const Waiter& request, const std::vector<Waiter*>& leaving) {
  return std::all_of(request.keys.begin(), request.keys.end(), [&](const std::string& key) {
    const Queues::Line* line = queues.find(request.database, key);
    if (line == nullptr) return true;
    // As many as are leaving are passed by, and no more are looked at.
    auto ahead = line->begin();
    while (ahead != line->end() && ahead->first < request.place &&
           std::find(leaving.begin(), leaving.end(), ahead->second) != leaving.end()) {
      ++ahead;
    }
    if (ahead == line->end() || ahead->first >= request.place) return true;
    const Standing here =
        holds.standing(request.database, key, request.owner, request.mode, request.limit);
    return here == Standing::own || here == Standing::reserved;
  });
}

bool LockTable::Parts::may_be_granted(const Waiter& waiter) {
  if (!is_its_turn(waiter, {})) return false;
  const std::vector<std::string_view> keys{waiter.keys.begin(), waiter.keys.end()};
  const Outlook now = outlook(waiter.database, keys, waiter.owner, waiter.mode, waiter.limit);
  return now.standing == Standing::free || now.standing == Standing::own;
}

// Who alone has the key, or alone keeps it by a grace and may take it in whatever mode; if anybody.
std::optional<std::string_view> LockTable::Parts::sole_keeper(const Item* item) {
  if (item == nullptr) return std::nullopt;
  if (item->is_string()) return item->text();
  if (!item->is_lock() || item->lock().size() != 1) return std::nullopt;
  const auto& [owner, hold] = *item->lock().holds().begin();
  if (!hold.in_grace) return std::nullopt;
  return owner;
}

// Who was looked at is not looked at again before somebody else was granted something.
bool LockTable::Parts::may_go(const Waiter& waiter) {
  if (refused.contains(waiter.id)) return false;
  if (may_be_granted(waiter)) return true;
  refused.insert(waiter.id);
  return false;
}

// The front of the line, if it may; else an owner that was given the key in another way (SET,
// RENAME), or whose own grace keeps the others out, wherever it stands.
Waiter* LockTable::Parts::next_in_line(const KeyName& name) {
  const Queues::Line* line = queues.find(name.database, name.key);
  if (line == nullptr) return nullptr;
  if (Waiter* front = line->begin()->second; may_go(*front)) return front;
  if (const auto keeper = sole_keeper(keyspace.find(name.database, name.key))) {
    for (Waiter* place : queues.places_of(name.database, *keeper, name.key)) {
      if (place->present()) return may_go(*place) ? place : nullptr;
    }
  }
  return nullptr;
}

void LockTable::Parts::serve(const KeyName& name) {
  blockers.holder_changed(name.database, name.key);
  for (Waiter* next = next_in_line(name); next != nullptr; next = next_in_line(name)) {
    const std::unique_ptr<Waiter> granted = queues.remove(*next);
    answer(*granted, WaiterAnswer::Kind::granted, grant(*granted));
    refused.clear();
    wake_lines(*granted);  // it no longer stands before those behind it at its other keys
  }
}

}  // namespace fencepost::state
