// Keys as bytes.
//
//   gone   = 'g' ( 0:u8 | 1:u8 idle )             whether it has a counter of its own
//   idle   = fence:number count:number releaser:u64*
//   exists = kind:u8 fence:number deadline since last-used flags:u8 value
//   value  = 's' text terms | 'l' lock | 'c' collection   by the kind
//          | 'd' size:number steps                        what became of the one that was there
#include "state/image.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "state/collection_image.h"
#include "state/image_words.h"
#include "state/lock_image.h"

namespace fencepost::state {

namespace {

constexpr std::uint8_t kGone = 'g';
constexpr std::uint8_t kText = 's';
constexpr std::uint8_t kLock = 'l';
constexpr std::uint8_t kCollection = 'c';
constexpr std::uint8_t kSteps = 'd';
constexpr std::uint8_t kInGrace = 1;
constexpr std::uint8_t kFormRaw = 2;
constexpr std::uint8_t kFormText = 4;

std::uint8_t form_flag(Item::Form form) {
  if (form == Item::Form::raw) return kFormRaw;
  return form == Item::Form::text ? kFormText : 0;
}

Item::Form read_form(std::uint8_t flags) {
  if ((flags & kFormRaw) != 0) return Item::Form::raw;
  return (flags & kFormText) != 0 ? Item::Form::text : Item::Form::plain;
}

void write_gone(ByteWriter& writer, const IdleRecord* idle) {
  writer.u8(kGone);
  writer.u8(idle != nullptr);
  if (idle == nullptr) return;
  writer.number(idle->fence());
  write_hashes(writer, idle->releasers());
}

std::uint8_t kind_of(const Item& item) {
  if (item.is_string()) return kText;
  return item.is_lock() ? kLock : kCollection;
}

// All but the value.
void write_exists(ByteWriter& writer, const Item& item, std::uint8_t kind) {
  writer.u8(kind);
  writer.number(item.fence);
  write_moment(writer, item.deadline);
  write_moment(writer, item.since);
  write_moment(writer, item.last_used());
  writer.u8(static_cast<std::uint8_t>((item.in_grace ? kInGrace : 0) | form_flag(item.form)));
}

void write_item(ByteWriter& writer, const Item& item) {
  write_exists(writer, item, kind_of(item));
  if (item.is_lock()) return write_lock(writer, item.lock());
  if (item.is_collection()) return write_collection(writer, item.collection());
  writer.text(item.text());
  write_terms(writer, item.terms());
}

void write_item_steps(ByteWriter& writer, Item& item) {
  write_exists(writer, item, kSteps);
  std::string steps;
  ByteWriter apart{steps};
  if (item.is_lock()) {
    write_lock_steps(apart, item.lock());
  } else {
    steps = item.collection().steps().bytes();
  }
  writer.text(steps);
}

// As steps where the journal has what they lead on from; else as a whole, and from then on it has.
void append_change(std::string& batch, State& state, const KeyName& name) {
  Item* item = state.keys().peek(name.database, name.key);
  Steps* steps = item == nullptr ? nullptr : item->steps();
  if (steps == nullptr) return append_image(batch, state, name.database, name.key);
  const ChangedKeys& changed = state.changed_keys();
  if (steps->lead_on_from(changed.picture())) {
    ByteWriter writer{batch};
    writer.u8(name.database);
    writer.text(name.key);
    write_item_steps(writer, *item);
    return steps->taken();
  }
  const std::size_t before = batch.size();
  append_image(batch, state, name.database, name.key);
  const std::size_t bytes = batch.size() - before;
  if (bytes > changed.small()) {
    steps->begin(changed.picture(), bytes);
  } else {
    steps->forget();
  }
}

bool read_gone(State& state, ByteReader& reader, DatabaseIndex database, std::string_view key) {
  std::optional<IdleFence> idle;
  if (reader.u8() != 0) {
    idle.emplace();
    idle->fence = reader.number();
    idle->releasers = read_hashes(reader);
    if (idle->fence > kGreatestFence) return false;
  }
  if (reader.failed()) return false;
  state.keys().restore_gone(database, key, std::move(idle));
  return true;
}

// Null when it makes no sense. `fence` is the newest of the key.
std::unique_ptr<Item> read_valued(const State& state, ByteReader& reader, std::string_view key,
                                  std::uint8_t kind, std::uint64_t fence) {
  if (kind == kLock) {
    std::unique_ptr<SharedLock> lock = read_lock(reader, fence);
    return lock == nullptr ? nullptr : Item::with_value(key, std::move(lock));
  }
  if (kind == kCollection) {
    std::unique_ptr<Collection> collection = read_collection(reader, state.keys().hash_seed());
    return collection == nullptr ? nullptr : Item::with_value(key, std::move(collection));
  }
  std::unique_ptr<Item> item = Item::with_text(key, reader.text());
  std::unique_ptr<HoldTerms> terms;
  if (!read_terms(reader, terms)) return nullptr;
  item->set_terms(std::move(terms));
  return item;
}

// What there was, taken on by steps. Null when they make no sense for it.
std::unique_ptr<Item> read_taken_on(State& state, ByteReader& reader, DatabaseIndex database,
                                    std::string_view key, std::uint64_t fence) {
  std::unique_ptr<Item> item = state.keys().take_for_restore(database, key);
  ByteReader steps{reader.text()};
  if (item == nullptr || item->is_string()) return nullptr;
  item->forget_steps();
  const bool good = item->is_lock() ? read_lock_steps(steps, item->lock(), fence)
                                    : read_collection_steps(steps, item->collection());
  return good && steps.done() ? std::move(item) : nullptr;
}

bool read_item(State& state, ByteReader& reader, DatabaseIndex database, std::string_view key,
               std::uint8_t kind) {
  const std::uint64_t fence = reader.number();
  const Instant deadline = read_moment(reader);
  const Instant since = read_moment(reader);
  const Instant last_used = read_moment(reader);
  const std::uint8_t flags = reader.u8();
  if (!is_deadline(deadline) || !is_moment(since) || !is_moment(last_used)) return false;
  std::unique_ptr<Item> item = kind == kSteps ? read_taken_on(state, reader, database, key, fence)
                                              : read_valued(state, reader, key, kind, fence);
  if (item == nullptr || reader.failed() || fence > kGreatestFence) return false;
  item->database = database;
  item->fence = fence;
  item->deadline = deadline;
  item->since = since;
  item->set_last_used(last_used);
  item->in_grace = (flags & kInGrace) != 0;
  item->form = read_form(flags);
  state.keys().restore(std::move(item));
  return true;
}

// What there was before is noted in `undo`, if that is wanted.
bool read_image(State& state, ByteReader& reader, std::vector<std::string>* undo) {
  const DatabaseIndex database = reader.u8();
  const std::string_view key = reader.text();
  const std::uint8_t kind = reader.u8();
  if (reader.failed() || database >= kDatabaseCount) return false;
  if (undo != nullptr) append_image(undo->emplace_back(), state, database, key);
  if (kind == kGone) return read_gone(state, reader, database, key);
  if (kind != kText && kind != kLock && kind != kCollection && kind != kSteps) return false;
  return read_item(state, reader, database, key, kind);
}

struct Head {
  Instant moment{};
  std::uint64_t floor = 0;
  std::uint64_t highest = 0;
  std::uint64_t leapt_to = 0;
};

std::optional<Head> read_head(ByteReader& reader) {
  Head head;
  head.moment = read_moment(reader);
  head.floor = reader.number();
  head.highest = reader.number();
  head.leapt_to = reader.number();
  const std::uint64_t greatest = std::max({head.floor, head.highest, head.leapt_to});
  if (reader.failed() || !is_moment(head.moment) || greatest > kGreatestFence) return std::nullopt;
  return head;
}

Result<void> restore(State& state, std::string_view batch, std::vector<std::string>* undo) {
  ByteReader reader{batch};
  const std::optional<Head> head = read_head(reader);
  if (!head) return failure("a damaged head");
  state.keys().set_present(head->moment);
  state.keys().set_clock(head->moment);
  while (reader.left() > 0) {
    if (!read_image(state, reader, undo)) return failure("a damaged image of a key");
  }
  // Behind the keys, for dropping an idle counter may have raised it here as well.
  state.keys().fences().raise_floor(head->floor);
  state.keys().fences().note_drawn(head->highest);
  state.keys().fences().restore_leap(head->leapt_to);
  return {};
}

}  // namespace

void append_head(std::string& batch, const State& state) {
  ByteWriter writer{batch};
  write_moment(writer, state.clock());
  writer.number(state.keys().fences().floor());
  writer.number(state.keys().fences().highest());
  writer.number(state.keys().fences().leapt_to());
}

void append_image(std::string& batch, const State& state, DatabaseIndex database,
                  std::string_view key) {
  ByteWriter writer{batch};
  writer.u8(database);
  writer.text(key);
  if (const Item* item = state.keys().peek(database, key)) return write_item(writer, *item);
  write_gone(writer, state.keys().fences().find(database, key));
}

bool append_changes(std::string& batch, State& state) {
  if (state.changed_keys().empty()) return false;
  append_head(batch, state);
  for (const KeyName& name : state.changed_keys().take()) append_change(batch, state, name);
  return true;
}

Result<std::uint64_t> highest_fence_in(std::string_view batch) {
  ByteReader reader{batch};
  const std::optional<Head> head = read_head(reader);
  if (!head) return failure("a damaged head");
  return std::max({head->floor, head->highest, head->leapt_to});
}

Result<void> restore(State& state, std::string_view batch) {
  return restore(state, batch, nullptr);
}

Result<void> restore_whole(State& state, std::string_view batch) {
  std::vector<std::string> undo;
  Result<void> done = restore(state, batch, &undo);
  if (done) return done;
  std::string before;
  append_head(before, state);
  std::reverse(undo.begin(), undo.end());
  for (const std::string& image : undo) before += image;
  check(restore(state, before).has_value(), "what there was can be again");
  return done;
}

}  // namespace fencepost::state
