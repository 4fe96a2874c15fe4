// The databases 0..15: which keys exist, with which value, until when, and which fence each drew.
#include "state/keyspace.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace fencepost::state {

Keyspace::Keyspace(std::uint64_t hash_seed, KeyspaceListener& listener)
    : hash_seed_{hash_seed}, listener_{listener}, fences_{hash_seed} {
  databases_.reserve(kDatabaseCount);
  for (int i = 0; i < kDatabaseCount; ++i) databases_.emplace_back(hash_seed);
  std::iota(homes_.begin(), homes_.end(), DatabaseIndex{0});
}

std::uint64_t Keyspace::hash_of(std::string_view bytes) const {
  return name_hash(bytes, hash_seed_);
}

Spot Keyspace::look(DatabaseIndex database, std::string_view key) {
  check(database < kDatabaseCount, "a client is in one of the databases");
  Spot spot{database, key, hash_of(key), nullptr};
  spot.item = databases_[database].find(spot.hash, key);
  // A lapse may hand the key to the next in line or leave a grace, so look again; each lapse moves
  // the deadline on.
  while (spot.item != nullptr && is_over(*spot.item)) {
    listener_.lapsed(*spot.item);
    spot.item = databases_[database].find(spot.hash, key);
  }
  return spot;
}

const Item* Keyspace::peek(DatabaseIndex database, std::string_view key) const {
  return databases_[database].find(hash_of(key), key);
}

Item* Keyspace::peek(DatabaseIndex database, std::string_view key) {
  return databases_[database].find(hash_of(key), key);
}

Item* Keyspace::find_hashed(DatabaseIndex database, std::uint64_t hash,
                            const std::function<bool(const Item&)>& wanted) {
  return databases_[database].find_hashed(hash, wanted);
}

Item* Keyspace::random(DatabaseIndex database, Random& random) {
  for (;;) {
    Item* item = databases_[database].random(random);
    if (item == nullptr || !is_over(*item)) return item;
    listener_.lapsed(*item);
  }
}

// What is over ends first, and then is looked for again: its end may hand keys over and end others.
std::uint64_t Keyspace::scan(DatabaseIndex database, std::uint64_t cursor, std::size_t count,
                             const std::function<void(Item&)>& see) {
  std::vector<Item*> items;
  std::uint64_t next = databases_[database].collect(cursor, count, items);
  std::vector<std::string> over;
  for (const Item* item : items) {
    if (is_over(*item)) over.emplace_back(item->key());
  }
  if (!over.empty()) {
    for (const std::string& key : over) find(database, key);
    items.clear();
    next = databases_[database].collect(cursor, count, items);
  }
  for (Item* item : items) {
    if (!is_over(*item)) see(*item);
  }
  return next;
}

std::uint64_t Keyspace::peek_scan(DatabaseIndex database, std::uint64_t cursor, std::size_t count,
                                  const std::function<void(const Item&)>& see) const {
  std::vector<Item*> items;
  const std::uint64_t next = databases_[database].collect(cursor, count, items);
  for (const Item* item : items) see(*item);
  return next;
}

void Keyspace::peek_all(const std::function<void(const Item&)>& see) const {
  constexpr std::size_t kAtATime = 512;
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    std::uint64_t cursor = 0;
    do {
      cursor = peek_scan(database, cursor, kAtATime, see);
    } while (cursor != 0);
  }
}

void Keyspace::for_each(DatabaseIndex database, const std::function<void(Item&)>& see) {
  constexpr std::size_t kAtATime = 512;
  std::uint64_t cursor = 0;
  do {
    cursor = scan(database, cursor, kAtATime, see);
  } while (cursor != 0);
}

Item& Keyspace::create(const Spot& spot, Value value, Instant deadline) {
  listener_.event(EventClass::new_key, "new", spot.database, spot.key);
  return create_told(spot, std::move(value), deadline);
}

Item& Keyspace::create_told(const Spot& spot, Value value, Instant deadline) {
  return make(spot, Item::with_value(spot.key, std::move(value)), deadline);
}

Item& Keyspace::create_text(const Spot& spot, std::string_view text, Instant deadline) {
  listener_.event(EventClass::new_key, "new", spot.database, spot.key);
  return make(spot, Item::with_text(spot.key, text), deadline);
}

Item& Keyspace::make(const Spot& spot, std::unique_ptr<Item> item, Instant deadline) {
  check(spot.item == nullptr, "only a key that is not there is made");
  item->database = spot.database;
  item->deadline = deadline;
  item->since = present_;
  item->set_last_used(present_);
  item->fence = fences_.first(spot.database, spot.key);
  Item& made = insert(spot.hash, std::move(item));
  listener_.changed(made.database, made.key());
  listener_.came(made);
  return made;
}

void Keyspace::assign(Item& item, std::string_view value) {
  const bool same = item.is_string() && item.text() == value && !item.in_grace;
  item.form = Item::Form::plain;
  item.set_last_used(present_);
  if (!same) {
    item.set_text(value);
    begin_anew(item);
  } else if (item.client != caller_) {
    item.known = true;
  }
  listener_.changed(item.database, item.key());
}

// The item has a value that it did not have: a new hold, free of what the one before it was.
void Keyspace::begin_anew(Item& item) {
  item.fence = fences_.next(item.fence);
  if (item.is_string()) item.set_terms(nullptr);
  item.client = ClientId::nobody;
  item.since = present_;
  item.in_grace = false;
  item.known = false;
  listener_.freed(item.database, item.key());
}

Item& Keyspace::put(const Spot& spot, std::string_view value, Instant deadline) {
  if (spot.item == nullptr) return create_text(spot, value, deadline);
  assign(*spot.item, value);
  schedule(*spot.item, deadline);
  return *spot.item;
}

Item& Keyspace::put_value(const Spot& spot, Value value, Instant deadline) {
  if (const std::string* text = std::get_if<std::string>(&value)) return put(spot, *text, deadline);
  if (spot.item == nullptr) return create(spot, std::move(value), deadline);
  Item& item = *spot.item;
  item.set_value(std::move(value));
  item.form = Item::Form::plain;
  begin_anew(item);
  touched(item);
  listener_.came(item);
  schedule(item, deadline);
  return item;
}

void Keyspace::edit(Item& item, const std::function<void(std::string&)>& change) {
  item.edit_text(change);
  listener_.freed(item.database, item.key());  // whoever has this text for a name holds it now
  touched(item);
}

std::uint64_t Keyspace::draw(Item& item) {
  item.fence = fences_.next(item.fence);
  return item.fence;
}

bool Keyspace::set_deadline(Item& item, Instant deadline) {
  if (item.in_grace) return false;
  if (item.client != caller_) item.known = true;
  schedule(item, deadline);
  touched(item);
  return true;
}

void Keyspace::schedule(Item& item, Instant deadline) {
  listener_.rescheduled(item);
  if (item.deadline == deadline) return;
  count_lease(item.database, item.deadline, deadline);
  item.deadline = deadline;
  due_.update(item);
}

void Keyspace::erase(Item& item) {
  erase_released(item, {});
}

void Keyspace::erase_lapsed(Item& item, std::span<const std::uint64_t> releasers) {
  const std::unique_ptr<Item> gone = extract(item);
  tell(EventClass::expired, "expired", *gone);
  retire(*gone, releasers);
}

void Keyspace::erase_released(Item& item, std::span<const std::uint64_t> releasers) {
  const std::unique_ptr<Item> gone = extract(item);
  retire(*gone, releasers);
}

void Keyspace::retire(const Item& gone, std::span<const std::uint64_t> releasers) {
  fences_.retire(gone.database, gone.key(), gone.fence, releasers);
  listener_.changed(gone.database, gone.key());
  listener_.freed(gone.database, gone.key());
}

Item& Keyspace::move(Item& from, DatabaseIndex to_database, std::string_view to_key) {
  check(!from.is_lock(), "what several hold stays where it is");
  check(to_database < kDatabaseCount, "a destination is one of the databases");
  if (from.database == to_database && from.key() == to_key) return from;
  Value value = from.take_value();
  const std::string name{to_key};  // the view may be of an item that is about to end
  const Instant deadline = from.deadline;
  const Item::Form form = from.form;
  // As in Redis the key is told of as new before the other one is told of as changed.
  const Spot spot = look(to_database, name);
  if (!spot) listener_.event(EventClass::new_key, "new", to_database, name);
  erase(from);
  Item& made = spot ? put_value(spot, std::move(value), deadline)
                    : create_told(spot, std::move(value), deadline);
  made.form = form;
  return made;
}

std::unique_ptr<Item> Keyspace::take_for_restore(DatabaseIndex database, std::string_view key) {
  Item* item = databases_[database].find(hash_of(key), key);
  return item == nullptr ? nullptr : extract(*item);
}

void Keyspace::restore(std::unique_ptr<Item> item) {
  restore_gone(item->database, item->key(), std::nullopt);
  fences_.note_drawn(item->fence);
  const std::uint64_t hash = hash_of(item->key());
  insert(hash, std::move(item));
}

void Keyspace::restore_gone(DatabaseIndex database, std::string_view key,
                            std::optional<IdleFence> idle) {
  check(database < kDatabaseCount, "what is restored belongs to one of the databases");
  if (Item* before = databases_[database].find(hash_of(key), key)) extract(*before);
  fences_.restore(database, key, std::move(idle));
}

void Keyspace::clear(DatabaseIndex database) {
  std::vector<Item*> items;
  databases_[database].collect(0, databases_[database].size(), items);
  for (Item* item : items) erase(*item);
  check(databases_[database].size() == 0, "a cleared database is empty");
  databases_[database].clear();
}

// The names of one database get the values of the other: for both, every key is a new hold. All
// idle counters of the two are dropped, which raises the floor above them, and every key draws
// above everything drawn so far. What is over ends where it is: nobody who watches its name in the
// other database would see it come.
void Keyspace::swap(DatabaseIndex a, DatabaseIndex b) {
  if (a == b) return;
  for (const DatabaseIndex database : {a, b}) for_each(database, [](Item&) {});
  fences_.forget(a);
  fences_.forget(b);
  fences_.raise_floor(fences_.highest());
  databases_[a].swap(databases_[b]);
  std::swap(leased_[a], leased_[b]);
  std::swap(homes_[a], homes_[b]);
  for (const DatabaseIndex database : {a, b}) {
    std::vector<Item*> items;
    databases_[database].collect(0, databases_[database].size(), items);
    for (Item* item : items) adopt(*item, database);
  }
}

void Keyspace::draw_anew(Item& item) {
  item.fence = fences_.floor();
  if (!item.is_lock()) {
    draw(item);
  } else {
    item.lock().renumber([this, &item] { return draw(item); });
  }
}

void Keyspace::draw_all_anew() {
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    std::vector<Item*> items;
    databases_[database].collect(0, databases_[database].size(), items);
    for (Item* item : items) {
      draw_anew(*item);
      listener_.changed(database, item->key());
    }
  }
}

DatabaseIndex Keyspace::database_at(DatabaseIndex home) const {
  const auto found = std::find(homes_.begin(), homes_.end(), home);
  check(found != homes_.end(), "each home is at one of the databases");
  return static_cast<DatabaseIndex>(found - homes_.begin());
}

void Keyspace::adopt(Item& item, DatabaseIndex database) {
  const DatabaseIndex left = item.database;
  due_.remove(item);  // the heap orders equal deadlines by database too
  item.database = database;
  due_.update(item);
  draw_anew(item);
  item.forget_steps();
  // Where it came from the name is free, or is another's: who watches or waits there must know.
  for (const DatabaseIndex place : {left, database}) {
    listener_.changed(place, item.key());
    listener_.freed(place, item.key());
  }
  listener_.came(item);
}

void Keyspace::touched(Item& item) {
  item.set_last_used(present_);
  listener_.changed(item.database, item.key());
}

Item* Keyspace::next_lapsed() {
  Item* first = due_.front();
  return first != nullptr && is_over(*first) ? first : nullptr;
}

Item& Keyspace::insert(std::uint64_t hash, std::unique_ptr<Item> item) {
  Item& made = *item;
  count_lease(made.database, kNever, made.deadline);
  databases_[made.database].insert(hash, std::move(item));
  if (made.deadline != kNever) due_.update(made);
  return made;
}

std::unique_ptr<Item> Keyspace::extract(Item& item) {
  due_.remove(item);
  count_lease(item.database, item.deadline, kNever);
  return databases_[item.database].extract(item);
}

void Keyspace::count_lease(DatabaseIndex database, Instant before, Instant after) {
  if (before != kNever) --leased_[database];
  if (after != kNever) ++leased_[database];
}

}  // namespace fencepost::state
