// Locks held by several as bytes, and what changed about them.
//
//   lock     = mode:u8 limit:signed releasers holds
//   steps    = forgotten:u8 releasers owners holds   are earlier ones forgotten; who holds no more
//   holds    = count:number hold*                    in the order of their grants
//   hold     = owner:text fence:number deadline since in-grace:u8 terms
//   owners   = count:number owner:text*
//   terms    = 0:u8 | 1:u8 grace:signed bind:u8 meta:text
#include "state/lock_image.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "base/number.h"
#include "state/image_words.h"

namespace fencepost::state {

namespace {

using OneHold = SharedLock::Holds::value_type;

void write_holds(ByteWriter& writer, std::vector<const OneHold*> holds) {
  std::sort(holds.begin(), holds.end(),
            [](const OneHold* a, const OneHold* b) { return a->second.fence < b->second.fence; });
  writer.number(holds.size());
  for (const OneHold* one : holds) {
    const auto& [owner, hold] = *one;
    writer.text(owner);
    writer.number(hold.fence);
    write_moment(writer, hold.deadline);
    write_moment(writer, hold.since);
    writer.u8(hold.in_grace);
    write_terms(writer, hold.terms.get());
  }
}

// What the lock has of the owner becomes what is read; a fence that it does not know is a new
// grant.
bool read_hold(ByteReader& reader, SharedLock& lock, std::uint64_t greatest) {
  const std::string_view owner = reader.text();
  const std::uint64_t fence = reader.number();
  const Instant deadline = read_moment(reader);
  const Instant since = read_moment(reader);
  const bool in_grace = reader.u8() != 0;
  std::unique_ptr<HoldTerms> terms;
  if (!read_terms(reader, terms) || reader.failed()) return false;
  if (fence > greatest || !is_deadline(deadline) || !is_moment(since)) return false;
  Hold* hold = lock.find(owner);
  if (hold != nullptr && hold->fence == fence) {
    lock.set_deadline(owner, deadline);
  } else {
    if (fence <= lock.newest_fence() || (hold == nullptr && lock.full())) return false;
    hold = &lock.grant(owner, fence, deadline);
  }
  hold->since = since;
  hold->in_grace = in_grace;
  hold->terms = std::move(terms);
  return true;
}

// How many they were; none when they make no sense, or nobody holds the lock.
std::optional<std::uint64_t> read_holds(ByteReader& reader, SharedLock& lock,
                                        std::uint64_t greatest) {
  const std::uint64_t count = reader.number();
  for (std::uint64_t left = count; left > 0; --left) {
    if (!read_hold(reader, lock, greatest)) return std::nullopt;
  }
  return reader.failed() || lock.empty() ? std::nullopt : std::optional{count};
}

struct Changes {
  bool forgotten = false;
  std::vector<std::uint64_t> released;
  std::set<std::string_view> owners;
};

Changes changes_of(const SharedLock& lock) {
  Changes changes;
  ByteReader reader{lock.steps().bytes()};
  while (reader.left() > 0) {
    const auto code = static_cast<char>(reader.u8());
    const std::string_view part = reader.number() > 0 ? reader.text() : std::string_view{};
    if (code == 'h') {
      changes.owners.insert(part);
    } else if (code == 'r') {
      changes.released.push_back(parse_unsigned(part).value_or(0));
    } else {
      changes.forgotten = true;
      changes.released.clear();
    }
  }
  check(!reader.failed(), "steps are as they were noted");
  return changes;
}

}  // namespace

void write_terms(ByteWriter& writer, const HoldTerms* terms) {
  writer.u8(terms != nullptr);
  if (terms == nullptr) return;
  writer.signed_number(terms->grace.count());
  writer.u8(terms->bind);
  writer.text(terms->meta);
}

bool read_terms(ByteReader& reader, std::unique_ptr<HoldTerms>& into) {
  if (reader.u8() == 0) return true;
  into = std::make_unique<HoldTerms>();
  into->grace = Duration{reader.signed_number()};
  into->bind = reader.u8() != 0;
  into->meta = reader.text();
  return into->grace >= Duration{0} && into->grace <= kMaxGrace;
}

void write_lock(ByteWriter& writer, const SharedLock& lock) {
  writer.u8(static_cast<std::uint8_t>(lock.mode()));
  writer.signed_number(lock.limit());
  write_hashes(writer, lock.released());
  std::vector<const OneHold*> holds;
  holds.reserve(lock.size());
  for (const OneHold& hold : lock.holds()) holds.push_back(&hold);
  write_holds(writer, std::move(holds));
}

std::unique_ptr<SharedLock> read_lock(ByteReader& reader, std::uint64_t greatest) {
  const auto mode = static_cast<Mode>(reader.u8());
  const std::int64_t limit = reader.signed_number();
  if (mode != Mode::shared && (mode != Mode::limit || limit < 1)) return nullptr;
  auto lock = std::make_unique<SharedLock>(mode, limit);
  for (const std::uint64_t hash : read_hashes(reader)) lock->note_released(hash);
  const auto count = read_holds(reader, *lock, greatest);
  return count && *count == lock->size() ? std::move(lock) : nullptr;
}

void write_lock_steps(ByteWriter& writer, SharedLock& lock) {
  const Changes changes = changes_of(lock);
  writer.u8(changes.forgotten);
  write_hashes(writer, changes.released);
  std::vector<const OneHold*> holds;
  std::vector<std::string_view> gone;
  for (const std::string_view owner : changes.owners) {
    const auto found = lock.holds().find(owner);
    if (found == lock.holds().end()) {
      gone.push_back(owner);
    } else {
      holds.push_back(&*found);
    }
  }
  writer.number(gone.size());
  for (const std::string_view owner : gone) writer.text(owner);
  write_holds(writer, std::move(holds));
}

bool read_lock_steps(ByteReader& reader, SharedLock& lock, std::uint64_t greatest) {
  if (reader.u8() != 0) lock.forget_released();
  for (const std::uint64_t hash : read_hashes(reader)) lock.note_released(hash);
  for (std::uint64_t left = reader.number(); left > 0 && !reader.failed(); --left) {
    lock.remove(reader.text());
  }
  return !reader.failed() && read_holds(reader, lock, greatest).has_value();
}

}  // namespace fencepost::state
