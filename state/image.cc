// Keys as bytes.
//
//   gone   = 'g' ( 0:u8 | 1:u8 idle )             whether it has a counter of its own
//   idle   = fence:number count:number releaser:u64*
//   exists = kind:u8 fence:number deadline since last-used flags:u8 value
//   value  = 's' text terms | 'l' mode:u8 limit:signed releasers holds | 'c' collection
//   hold   = owner:text fence:number deadline since in-grace:u8 terms
//   terms  = 0:u8 | 1:u8 grace:signed bind:u8 meta:text
//
// Moments are signed numbers of milliseconds.
#include "state/image.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/limits.h"
#include "state/collection_image.h"

namespace fencepost::state {

namespace {

constexpr std::uint8_t kGone = 'g';
constexpr std::uint8_t kText = 's';
constexpr std::uint8_t kLock = 'l';
constexpr std::uint8_t kCollection = 'c';
constexpr std::uint8_t kInGrace = 1;
constexpr std::uint8_t kFormRaw = 2;
constexpr std::uint8_t kFormText = 4;
// What a file may say beyond its sums being right: with anything greater nobody could count on.
// The year 2248, and a thousand fences before the last.
constexpr Instant kLatestMoment{Duration{std::int64_t{1} << 43}};
constexpr std::uint64_t kGreatestFence = kMaxFence - 1000;

void write_moment(ByteWriter& writer, Instant moment) {
  writer.signed_number(moment.time_since_epoch().count());
}

Instant read_moment(ByteReader& reader) {
  return Instant{Duration{reader.signed_number()}};
}

bool is_moment(Instant at) {
  return at >= Instant{} && at <= kLatestMoment;
}

// Never, or as far off as somebody wished.
bool is_deadline(Instant at) {
  return at >= Instant{};
}

std::uint8_t form_flag(Item::Form form) {
  if (form == Item::Form::raw) return kFormRaw;
  return form == Item::Form::text ? kFormText : 0;
}

Item::Form read_form(std::uint8_t flags) {
  if ((flags & kFormRaw) != 0) return Item::Form::raw;
  return (flags & kFormText) != 0 ? Item::Form::text : Item::Form::plain;
}

void write_hashes(ByteWriter& writer, std::span<const std::uint64_t> hashes) {
  writer.number(hashes.size());
  for (const std::uint64_t hash : hashes) writer.u64(hash);
}

std::vector<std::uint64_t> read_hashes(ByteReader& reader) {
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t left = reader.number(); left > 0 && !reader.failed(); --left) {
    hashes.push_back(reader.u64());
  }
  return hashes;
}

void write_terms(ByteWriter& writer, const HoldTerms* terms) {
  writer.u8(terms != nullptr);
  if (terms == nullptr) return;
  writer.signed_number(terms->grace.count());
  writer.u8(terms->bind);
  writer.text(terms->meta);
}

// False when they make no sense.
bool read_terms(ByteReader& reader, std::unique_ptr<HoldTerms>& into) {
  if (reader.u8() == 0) return true;
  into = std::make_unique<HoldTerms>();
  into->grace = Duration{reader.signed_number()};
  into->bind = reader.u8() != 0;
  into->meta = reader.text();
  return into->grace >= Duration{0} && into->grace <= kMaxGrace;
}

std::vector<const SharedLock::Holds::value_type*> in_order_of_grants(const SharedLock& lock) {
  std::vector<const SharedLock::Holds::value_type*> holds;
  for (const auto& hold : lock.holds()) holds.push_back(&hold);
  std::sort(holds.begin(), holds.end(),
            [](const auto* a, const auto* b) { return a->second.fence < b->second.fence; });
  return holds;
}

void write_lock(ByteWriter& writer, const SharedLock& lock) {
  writer.u8(static_cast<std::uint8_t>(lock.mode()));
  writer.signed_number(lock.limit());
  write_hashes(writer, lock.released);
  writer.number(lock.size());
  for (const SharedLock::Holds::value_type* one : in_order_of_grants(lock)) {
    const auto& [owner, hold] = *one;
    writer.text(owner);
    writer.number(hold.fence);
    write_moment(writer, hold.deadline);
    write_moment(writer, hold.since);
    writer.u8(hold.in_grace);
    write_terms(writer, hold.terms.get());
  }
}

// Null when it makes no sense. `greatest` is the newest fence of the key.
std::unique_ptr<SharedLock> read_lock(ByteReader& reader, std::uint64_t greatest) {
  const auto mode = static_cast<Mode>(reader.u8());
  const std::int64_t limit = reader.signed_number();
  if (mode != Mode::shared && (mode != Mode::limit || limit < 1)) return nullptr;
  auto lock = std::make_unique<SharedLock>(mode, limit);
  lock->released = read_hashes(reader);
  std::uint64_t newest = 0;
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    const std::string_view owner = reader.text();
    const std::uint64_t fence = reader.number();
    const Instant deadline = read_moment(reader);
    const Instant since = read_moment(reader);
    if (reader.failed() || fence <= newest || lock->full() || lock->find(owner)) return nullptr;
    if (fence > greatest || !is_deadline(deadline) || !is_moment(since)) return nullptr;
    newest = fence;
    Hold& hold = lock->grant(owner, fence, deadline);
    hold.since = since;
    hold.in_grace = reader.u8() != 0;
    if (!read_terms(reader, hold.terms)) return nullptr;
  }
  return lock->empty() ? nullptr : std::move(lock);
}

void write_gone(ByteWriter& writer, const IdleRecord* idle) {
  writer.u8(kGone);
  writer.u8(idle != nullptr);
  if (idle == nullptr) return;
  writer.number(idle->fence());
  write_hashes(writer, idle->releasers());
}

void write_item(ByteWriter& writer, const Item& item) {
  writer.u8(item.is_string() ? kText : item.is_lock() ? kLock : kCollection);
  writer.number(item.fence);
  write_moment(writer, item.deadline);
  write_moment(writer, item.since);
  write_moment(writer, item.last_used());
  writer.u8(static_cast<std::uint8_t>((item.in_grace ? kInGrace : 0) | form_flag(item.form)));
  if (item.is_lock()) return write_lock(writer, item.lock());
  if (item.is_collection()) return write_collection(writer, item.collection());
  writer.text(item.text());
  write_terms(writer, item.terms());
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

bool read_item(State& state, ByteReader& reader, DatabaseIndex database, std::string_view key,
               std::uint8_t kind) {
  const std::uint64_t fence = reader.number();
  const Instant deadline = read_moment(reader);
  const Instant since = read_moment(reader);
  const Instant last_used = read_moment(reader);
  const std::uint8_t flags = reader.u8();
  if (!is_deadline(deadline) || !is_moment(since) || !is_moment(last_used)) return false;
  std::unique_ptr<Item> item = read_valued(state, reader, key, kind, fence);
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

bool read_image(State& state, ByteReader& reader) {
  const DatabaseIndex database = reader.u8();
  const std::string_view key = reader.text();
  const std::uint8_t kind = reader.u8();
  if (reader.failed() || database >= kDatabaseCount) return false;
  if (kind == kGone) return read_gone(state, reader, database, key);
  if (kind != kText && kind != kLock && kind != kCollection) return false;
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
  for (const KeyName& name : state.changed_keys().take()) {
    append_image(batch, state, name.database, name.key);
  }
  return true;
}

Result<std::uint64_t> highest_fence_in(std::string_view batch) {
  ByteReader reader{batch};
  const std::optional<Head> head = read_head(reader);
  if (!head) return failure("a damaged head");
  return std::max({head->floor, head->highest, head->leapt_to});
}

Result<void> restore(State& state, std::string_view batch) {
  ByteReader reader{batch};
  const std::optional<Head> head = read_head(reader);
  if (!head) return failure("a damaged head");
  state.keys().set_present(head->moment);
  state.keys().set_clock(head->moment);
  while (reader.left() > 0) {
    if (!read_image(state, reader)) return failure("a damaged image of a key");
  }
  // Behind the keys, for dropping an idle counter may have raised it here as well.
  state.keys().fences().raise_floor(head->floor);
  state.keys().fences().note_drawn(head->highest);
  state.keys().fences().restore_leap(head->leapt_to);
  return {};
}

}  // namespace fencepost::state
