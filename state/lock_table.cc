// Who holds which key until when, and who waits for it: LOCK and its companions over the keyspace.
#include "state/lock_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "state/lock_parts.h"

namespace fencepost::state {

namespace {

std::unique_ptr<Waiter> as_waiter(const LockAsk& ask, Instant now) {
  auto waiter = std::make_unique<Waiter>();
  waiter->client = ask.client;
  waiter->database = ask.database;
  waiter->keys.assign(ask.keys.begin(), ask.keys.end());
  waiter->owner = ask.owner;
  waiter->mode = ask.mode;
  waiter->limit = ask.limit;
  waiter->lease = ask.lease;
  waiter->terms = {ask.grace, ask.bind, std::string{ask.meta}};
  waiter->many = ask.many;
  waiter->since = now;
  waiter->deadline = saturating_add(now, ask.wait);
  return waiter;
}

LockAnswer error(std::string text) {
  return {.kind = LockAnswer::Kind::error, .fences = {}, .error = std::move(text)};
}

LockAnswer mismatch(Standing standing, std::string_view key) {
  const std::string name{key.substr(0, 128)};
  switch (standing) {
    case Standing::mode_mismatch:
      return error("MODEMISMATCH the owner holds '" + name + "' in another mode");
    case Standing::limit_mismatch:
      return error("LIMITMISMATCH '" + name + "' is held with another LIMIT");
    case Standing::wrong_type:
      return error("WRONGTYPE Operation against a key holding the wrong kind of value");
    case Standing::free:
    case Standing::reserved:
    case Standing::own:
    case Standing::busy:
      break;
  }
  return {};
}

// A key that is named twice counts once.
std::vector<std::string_view> distinct(std::span<const std::string_view> keys) {
  std::vector<std::string_view> once;
  std::set<std::string_view> seen;
  for (const std::string_view key : keys) {
    if (keys.size() == 1 || seen.insert(key).second) once.push_back(key);
  }
  return once;
}

// Whether the places that an owner comes back for are for all that it asks now: then it keeps its
// turn.
bool cover(const std::vector<Waiter*>& places, const Waiter& request) {
  return std::all_of(request.keys.begin(), request.keys.end(), [&places](const std::string& key) {
    return std::any_of(places.begin(), places.end(), [&key](const Waiter* place) {
      return std::find(place->keys.begin(), place->keys.end(), key) != place->keys.end();
    });
  });
}

}  // namespace

LockTable::LockTable(Keyspace& keyspace, const LockLimits& limits)
    : parts_{new Parts{.keyspace = keyspace,
                       .limits = limits,
                       .holds = Holds{keyspace},
                       .queues = {},
                       .blockers = Blockers{keyspace},
                       .woken = {},
                       .refused = {},
                       .busy = false,
                       .answers = {},
                       .grants = {}}} {}

LockTable::~LockTable() = default;

// --- LOCK and LOCKMANY

LockTable::Parts::Outlook LockTable::Parts::outlook(DatabaseIndex database,
                                                    std::span<const std::string_view> keys,
                                                    std::string_view owner, Mode mode,
                                                    std::int64_t limit) {
  Outlook worst{.standing = Standing::own, .key = keys.front()};
  for (const std::string_view key : keys) {
    const Standing standing = holds.standing(database, key, owner, mode, limit);
    switch (standing) {
      case Standing::own:
        break;
      case Standing::free:
      case Standing::reserved:
        if (worst.standing == Standing::own) worst = {Standing::free, key};
        break;
      case Standing::busy:
        worst = {standing, key};
        break;
      case Standing::mode_mismatch:
      case Standing::limit_mismatch:
      case Standing::wrong_type:
        return {standing, key};
    }
  }
  return worst;
}

LockAnswer LockTable::acquire(const LockAsk& ask) {
  Parts& parts = *parts_;
  check(!ask.keys.empty() && ask.lease > Duration{0}, "the command has checked what is asked");
  const Parts::Outlook outlook =
      parts.outlook(ask.database, ask.keys, ask.owner, ask.mode, ask.limit);
  if (LockAnswer trouble = mismatch(outlook.standing, outlook.key);
      trouble.kind == LockAnswer::Kind::error) {
    return trouble;
  }
  // The way of nearly every request: the owner renews what it has, or nobody waits anywhere.
  if (outlook.standing == Standing::own) return parts.take_at_once(ask);
  if (parts.nobody_queues()) {
    if (outlook.standing == Standing::free) return parts.take_at_once(ask);
    if (ask.wait == Duration{0}) return {};
  }
  const Working working{parts.busy};
  return parts.take_or_queue(ask, outlook.standing);
}

// Every new hold is noted, for whoever has to tell its owner.
std::uint64_t LockTable::Parts::take(const HoldAsk& ask, std::uint64_t place) {
  const Taken taken = holds.take(ask);
  if (taken.is_new) {
    grants.push_back({.client = ask.client,
                      .database = ask.database,
                      .home = taken.name.home,
                      .key_hash = taken.name.key_hash,
                      .fence = taken.fence,
                      .place = place});
  }
  return taken.fence;
}

LockAnswer LockTable::Parts::take_at_once(const LockAsk& ask) {
  const HoldTerms terms{ask.grace, ask.bind, std::string{ask.meta}};
  LockAnswer answer{.kind = LockAnswer::Kind::granted, .fences = {}, .error = {}};
  for (const std::string_view key : ask.keys) {
    answer.fences.push_back(take({.database = ask.database,
                                  .key = key,
                                  .owner = ask.owner,
                                  .mode = ask.mode,
                                  .limit = ask.limit,
                                  .lease = ask.lease,
                                  .terms = &terms,
                                  .client = ask.client},
                                 0));
  }
  return answer;
}

LockAnswer LockTable::Parts::take_or_queue(const LockAsk& ask, Standing standing) {
  auto request = as_waiter(ask, keyspace.present());
  request->id = queues.next_id();
  const std::vector<Waiter*> older = queues.places_of(ask.database, ask.owner, ask.keys);
  if (!older.empty() && cover(older, *request)) {
    for (const Waiter* place : older) request->place = std::max(request->place, place->place);
  } else {
    request->place = queues.next_place();
  }
  if (standing == Standing::free && is_its_turn(*request, older)) {
    for (Waiter* place : older) leave_line(*place, WaiterAnswer::Kind::refused);
    return {.kind = LockAnswer::Kind::granted, .fences = grant(*request), .error = {}};
  }
  return enqueue(std::move(request), older, ask.wait);
}

std::vector<std::uint64_t> LockTable::Parts::grant(const Waiter& request) {
  std::vector<std::uint64_t> fences;
  for (const std::string& key : request.keys) {
    fences.push_back(take({.database = request.database,
                           .key = key,
                           .owner = request.owner,
                           .mode = request.mode,
                           .limit = request.limit,
                           .lease = request.lease,
                           .terms = &request.terms,
                           .client = request.client},
                          request.place));
  }
  return fences;
}

// --- UNLOCK, EXTEND and the rest

std::int64_t LockTable::release(DatabaseIndex database, std::span<const std::string_view> keys,
                                std::string_view owner) {
  Parts& parts = *parts_;
  const Working working{parts.busy};
  const std::vector<std::string_view> wanted = distinct(keys);
  std::int64_t count = 0;
  std::map<std::uint64_t, Waiter*> given_up;  // by id
  for (const std::string_view key : wanted) {
    const Release released = parts.holds.release(database, key, owner);
    std::vector<Waiter*> places;
    if (!parts.nobody_queues()) places = parts.queues.places_of(database, owner, key);
    if (released != Release::not_held || !places.empty()) ++count;
    if (released == Release::freed) continue;
    for (Waiter* place : places) given_up.emplace(place->id, place);
  }
  for (const auto& [id, place] : given_up) parts.leave_line(*place, WaiterAnswer::Kind::refused);
  return count;
}

std::int64_t LockTable::extend(DatabaseIndex database, std::span<const std::string_view> keys,
                               std::string_view owner, Duration lease) {
  const std::vector<std::string_view> wanted = distinct(keys);
  return std::count_if(wanted.begin(), wanted.end(), [&](std::string_view key) {
    return parts_->holds.extend(database, key, owner, lease);
  });
}

bool LockTable::break_hold(DatabaseIndex database, std::string_view key) {
  Item* item = parts_->keyspace.find(database, key);
  if (item == nullptr) return false;
  parts_->keyspace.draw(*item);
  parts_->keyspace.tell(EventClass::generic, "del", *item);
  parts_->keyspace.erase(*item);
  return true;
}

std::uint64_t LockTable::newest_fence(DatabaseIndex database, std::string_view key) {
  const Keyspace& keyspace = parts_->keyspace;
  if (const Item* item = parts_->keyspace.find(database, key)) return item->fence;
  return keyspace.fences().newest(database, key);
}

FenceVerdict LockTable::judge(DatabaseIndex database, std::string_view key, std::uint64_t fence) {
  const std::uint64_t newest = newest_fence(database, key);
  if (fence > newest) return FenceVerdict::ahead;
  if (fence == 0) return FenceVerdict::stale;
  if (fence == newest) return FenceVerdict::good;
  const Item* item = parts_->keyspace.find(database, key);
  if (item == nullptr || !item->is_lock()) return FenceVerdict::stale;
  const auto* hold = item->lock().with_fence(fence);
  return hold != nullptr && !hold->second.in_grace ? FenceVerdict::good : FenceVerdict::stale;
}

// --- clients

void LockTable::client_gone(ClientId client) {
  const Working working{parts_->busy};
  if (Waiter* waiter = parts_->queues.find_client(client)) parts_->give_up(*waiter);
  parts_->holds.end_bound(client);
}

void LockTable::all_clients_gone() {
  const Working working{parts_->busy};
  parts_->holds.end_all_bound();
}

bool LockTable::unblock(ClientId client, Unblock how) {
  Waiter* waiter = parts_->queues.find_client(client);
  if (waiter == nullptr) return false;
  parts_->answer(
      *waiter,
      how == Unblock::with_error ? WaiterAnswer::Kind::unblocked : WaiterAnswer::Kind::refused, {});
  parts_->give_up(*waiter);
  return true;
}

// The owner's place is kept, as that of any waiter whose connection goes away.
void LockTable::undo(const Grant& grant) {
  Parts& parts = *parts_;
  const HoldName name{.home = grant.home, .key_hash = grant.key_hash, .number = grant.fence};
  const std::optional<Undone> undone = parts.holds.undo(name, grant.client);
  if (!undone || grant.place == 0) return;
  if (Waiter* same = parts.queues.find_kept(undone->owner, grant.place)) {
    parts.queues.add_key(*same, undone->key);  // another key of one LOCKMANY
    return;
  }
  auto kept = std::make_unique<Waiter>();
  kept->id = parts.queues.next_id();
  kept->place = grant.place;
  kept->database = grant.database;
  kept->keys = {undone->key};
  kept->owner = undone->owner;
  kept->since = parts.keyspace.present();
  parts.keep_place(std::move(kept));
}

std::size_t LockTable::waiting_clients() const {
  return parts_->queues.present_count();
}

// --- what the keyspace reports

// Found over by a command before the reaper came by: the next in line must not lose it to that
// command.
void LockTable::lapsed(Item& item) {
  Parts& parts = *parts_;
  if (parts.queues.empty() || parts.busy) {
    parts.holds.lapse(item);
    return;
  }
  const Working working{parts.busy};
  KeyName name{item.database, std::string{item.key()}};
  parts.holds.lapse(item);
  parts.woken.erase(name);
  parts.serve(name);
}

void LockTable::freed(DatabaseIndex database, std::string_view key) {
  parts_->refused.clear();
  if (parts_->queues.find(database, key) != nullptr)
    parts_->woken.insert(KeyName{database, std::string{key}});
}

// --- time and results

void LockTable::settle() {
  Parts& parts = *parts_;
  if (parts.woken.empty()) return;
  const Working working{parts.busy};
  parts.refused.clear();
  while (!parts.woken.empty()) parts.serve(parts.woken.extract(parts.woken.begin()).value());
}

Instant LockTable::next_deadline() const {
  const Waiter* wait = parts_->queues.earliest_wait();
  const Waiter* kept = parts_->queues.earliest_kept();
  return std::min(wait != nullptr ? wait->deadline : kNever,
                  kept != nullptr ? kept->deadline : kNever);
}

bool LockTable::end_next_wait() {
  Parts& parts = *parts_;
  const Instant now = parts.keyspace.clock();
  if (Waiter* kept = parts.queues.earliest_kept(); kept != nullptr && now > kept->deadline) {
    parts.queues.remove(*kept);
    return true;
  }
  Waiter* wait = parts.queues.earliest_wait();
  if (wait == nullptr || now <= wait->deadline) return false;
  parts.answer(*wait, WaiterAnswer::Kind::refused, {});
  parts.give_up(*wait);
  return true;
}

void LockTable::take_answers(std::vector<WaiterAnswer>& into) {
  into.clear();
  std::swap(into, parts_->answers);
}

void LockTable::take_grants(std::vector<Grant>& into) {
  into.clear();
  std::swap(into, parts_->grants);
}

}  // namespace fencepost::state
