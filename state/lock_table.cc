// Who holds which key until when, and who waits for it: LOCK and its companions over the keyspace.
#include "state/lock_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"
#include "state/deadlock.h"
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

// Marks the lines as being worked on, for a scope.
class Working {
 public:
  explicit Working(bool& busy) : busy_{busy}, before_{busy} { busy_ = true; }
  ~Working() { busy_ = before_; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  bool& busy_;
  bool before_;
};

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

bool LockTable::Parts::is_its_turn(const Waiter& request, const std::vector<Waiter*>& leaving) {
  return std::all_of(request.keys.begin(), request.keys.end(), [&](const std::string& key) {
    const Queues::Line* line = queues.find(request.database, key);
    if (line == nullptr) return true;
    const auto end = line->lower_bound(request.place);
    const bool first = std::all_of(line->begin(), end, [&leaving](const auto& ahead) {
      return std::find(leaving.begin(), leaving.end(), ahead.second) != leaving.end();
    });
    if (first) return true;
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
                      .key_hash = keyspace.hash_of(ask.key),
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
  const std::vector<Waiter*> older =
      queues.places_of(ask.database, ask.owner, [&ask](std::string_view key) {
        return std::find(ask.keys.begin(), ask.keys.end(), key) != ask.keys.end();
      });
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

// The new copy takes the older ones' place; whoever waited with them is answered nil. A copy that
// does not wait leaves the place kept, if there was one.
LockAnswer LockTable::Parts::enqueue(std::unique_ptr<Waiter> request,
                                     const std::vector<Waiter*>& older, Duration wait) {
  if (wait > Duration{0}) {
    if (std::string refusal = refusal_to_queue(*request, older); !refusal.empty()) {
      return error(std::move(refusal));
    }
  }
  for (Waiter* place : older) leave_line(*place, WaiterAnswer::Kind::refused);
  if (wait == Duration{0}) {
    if (!older.empty()) keep_place(std::move(request));
    return {};
  }
  blockers.line_grew(queues.add(std::move(request)));
  return {.kind = LockAnswer::Kind::waiting, .fences = {}, .error = {}};
}

std::string LockTable::Parts::refusal_to_queue(const Waiter& request,
                                               const std::vector<Waiter*>& older) {
  const auto leaving_here = static_cast<std::size_t>(std::count_if(
      older.begin(), older.end(), [](const Waiter* place) { return place->present(); }));
  if (queues.present_count() - leaving_here >= limits.max_waiters) {
    return "QUEUEFULL " + std::to_string(limits.max_waiters) +
           " clients are waiting (lock-max-waiters-total)";
  }
  for (const std::string& key : request.keys) {
    const Queues::Line* line = queues.find(request.database, key);
    if (line != nullptr && line->size() >= limits.max_waiters_per_key + leaving_here) {
      return "QUEUEFULL " + std::to_string(limits.max_waiters_per_key) + " clients wait for '" +
             key.substr(0, 128) + "' (lock-max-waiters)";
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

// --- lines

void LockTable::Parts::answer(const Waiter& waiter, WaiterAnswer::Kind kind,
                              std::vector<std::uint64_t> fences) {
  if (!waiter.present()) return;
  answers.push_back(
      {.client = waiter.client, .kind = kind, .many = waiter.many, .fences = std::move(fences)});
}

// Whoever stood behind may go now.
void LockTable::Parts::wake_lines(const Waiter& waiter) {
  for (const std::string& key : waiter.keys) {
    if (queues.find(waiter.database, key) != nullptr) {
      woken.insert(KeyName{waiter.database, key});
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
  while (queues.absent_count() > limits.max_waiters) queues.remove(*queues.earliest_kept());
}

// Who alone has the key, or alone keeps it by a grace and may take it in whatever mode; else null.
const std::string* LockTable::Parts::sole_keeper(const Item* item) {
  if (item == nullptr) return nullptr;
  if (item->is_string()) return &item->text();
  if (!item->is_lock() || item->lock().size() != 1) return nullptr;
  const auto& [owner, hold] = *item->lock().holds().begin();
  return hold.in_grace ? &owner : nullptr;
}

// An owner that was given the key in another way (SET, RENAME), or whose own grace keeps the others
// out, goes first wherever it stands; else the front of the line.
Waiter* LockTable::Parts::next_in_line(const KeyName& name) {
  const Queues::Line* line = queues.find(name.database, name.key);
  if (line == nullptr) return nullptr;
  if (const std::string* keeper = sole_keeper(keyspace.find(name.database, name.key))) {
    const auto places = queues.places_of(name.database, *keeper,
                                         [&name](std::string_view key) { return key == name.key; });
    for (Waiter* place : places) {
      if (place->present()) return place;
    }
  }
  return line->begin()->second;
}

void LockTable::Parts::serve(const KeyName& name) {
  blockers.holder_changed(name.database, name.key);
  for (Waiter* next = next_in_line(name); next != nullptr && may_be_granted(*next);
       next = next_in_line(name)) {
    const std::unique_ptr<Waiter> granted = queues.remove(*next);
    answer(*granted, WaiterAnswer::Kind::granted, grant(*granted));
    wake_lines(*granted);  // it no longer stands before those behind it at its other keys
  }
}

void LockTable::settle() {
  Parts& parts = *parts_;
  if (parts.woken.empty()) return;
  const Working working{parts.busy};
  while (!parts.woken.empty()) parts.serve(parts.woken.extract(parts.woken.begin()).value());
}

// --- UNLOCK, EXTEND and the rest

std::int64_t LockTable::release(DatabaseIndex database, std::span<const std::string_view> keys,
                                std::string_view owner) {
  Parts& parts = *parts_;
  const Working working{parts.busy};
  const std::vector<std::string_view> wanted = distinct(keys);
  std::vector<Waiter*> places;
  if (!parts.nobody_queues()) {
    places = parts.queues.places_of(database, owner, [&wanted](std::string_view key) {
      return std::find(wanted.begin(), wanted.end(), key) != wanted.end();
    });
  }
  std::int64_t count = 0;
  std::set<Waiter*> given_up;
  for (const std::string_view key : wanted) {
    const Release released = parts.holds.release(database, key, owner);
    bool in_line = false;
    for (Waiter* place : places) {
      if (std::find(place->keys.begin(), place->keys.end(), key) == place->keys.end()) continue;
      in_line = true;
      if (released != Release::freed) given_up.insert(place);
    }
    if (released != Release::not_held || in_line) ++count;
  }
  for (Waiter* place : places) {
    if (given_up.contains(place)) parts.leave_line(*place, WaiterAnswer::Kind::refused);
  }
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
  const IdleFence* idle = keyspace.fences().find(database, key);
  return idle != nullptr ? idle->fence : keyspace.fences().floor();
}

FenceVerdict LockTable::judge(DatabaseIndex database, std::string_view key, std::uint64_t fence) {
  const std::uint64_t newest = newest_fence(database, key);
  if (fence > newest) return FenceVerdict::ahead;
  if (fence == 0) return FenceVerdict::stale;
  if (fence == newest) return FenceVerdict::good;
  const Item* item = parts_->keyspace.find(database, key);
  if (item == nullptr || !item->is_lock()) return FenceVerdict::stale;
  const auto& holds = item->lock().holds();
  const bool live = std::any_of(holds.begin(), holds.end(), [fence](const auto& hold) {
    return hold.second.fence == fence && !hold.second.in_grace;
  });
  return live ? FenceVerdict::good : FenceVerdict::stale;
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
  std::string key;
  const auto owner =
      parts.holds.undo(grant.database, grant.key_hash, grant.fence, grant.client, key);
  if (!owner || grant.place == 0) return;
  const auto places =
      parts.queues.places_of(grant.database, *owner, [](std::string_view) { return true; });
  const auto same = std::find_if(places.begin(), places.end(), [&grant](const Waiter* place) {
    return place->place == grant.place && !place->present();
  });
  if (same != places.end()) {
    (*same)->keys.push_back(key);  // another key of one LOCKMANY
    return;
  }
  auto kept = std::make_unique<Waiter>();
  kept->id = parts.queues.next_id();
  kept->place = grant.place;
  kept->database = grant.database;
  kept->keys = {key};
  kept->owner = *owner;
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
  KeyName name{item.database, item.key};
  parts.holds.lapse(item);
  parts.woken.erase(name);
  parts.serve(name);
}

void LockTable::freed(DatabaseIndex database, std::string_view key) {
  if (parts_->queues.find(database, key) != nullptr)
    parts_->woken.insert(KeyName{database, std::string{key}});
}

// --- time and results

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
