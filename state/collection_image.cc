// Hashes, lists, sets, sorted sets and streams as bytes.
//
//   collection = type:u8 compact:u8 count:number element*
//   element    = count:number part:text*                    as Collection::for_each tells them
//   step       = code:u8 count:number part:text*
//
// A stream's last element says its last id, its greatest removed id and how many were added.
// Steps, with the parts of each; numbers are digits:
//
//   hash        's' field value    'd' field       'o'      set, erased; no longer compact
//   set         's' member         'd' member      'o'
//   sorted set  's' member score   'd' member      'o'
//   list        'f' text  'b' text                          pushed to the front, to the back
//               'F' count 'B' count                         dropped there
//               'p' position text                           put in place of another
//               'i' pivot text  'a' pivot text              inserted before it, after it
//               'r' text most   'R' text most               removed, from the front, from the back
//   stream      's' id field value ...  'd' id              added, removed
//               't' count                                   the oldest went, but for so many
//               'l' id  'g' id  'n' count                   last, greatest removed, how many added
#include "state/collection_image.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/number.h"
#include "state/hash.h"
#include "state/list.h"
#include "state/set.h"
#include "state/sorted_set.h"
#include "state/stream.h"

namespace fencepost::state {

namespace {

using Parts = std::vector<std::string_view>;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

bool is_compact(const Collection& collection) {
  return collection.encoding() == "listpack" || collection.encoding() == "intset";
}

std::optional<StreamId> stream_id(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto ms = parse_unsigned(text.substr(0, dash));
  const auto number = parse_unsigned(text.substr(dash + 1));
  return ms && number ? std::optional{StreamId{*ms, *number}} : std::nullopt;
}

// Each takes one element; false when it makes no sense.
bool take(Hash& hash, const Parts& parts, bool compact, bool /*is_last*/) {
  const std::size_t most = compact ? kAll : 0;
  return parts.size() == 2 && hash.set(parts[0], parts[1], {.fields = most, .bytes = most});
}

bool take(Set& set, const Parts& parts, bool compact, bool /*is_last*/) {
  return parts.size() == 1 && set.add(parts[0], compact ? kAll : 0);
}

bool take(SortedSet& set, const Parts& parts, bool compact, bool /*is_last*/) {
  const auto score = parts.size() == 2 ? parse_double(parts[1]) : std::nullopt;
  if (!score || std::isnan(*score) || set.find(parts[0]) != SortedSet::kNowhere) return false;
  if (!compact) set.outgrow();  // before it may take -0 for 0
  set.add(parts[0], *score, {.members = kAll, .member_bytes = kAll});
  return true;
}

bool take(List& list, const Parts& parts, bool /*compact*/, bool /*is_last*/) {
  if (parts.size() != 1) return false;
  list.push(List::End::back, parts[0]);
  return true;
}

bool take_totals(Stream& stream, const Parts& parts) {
  if (parts.size() != 3) return false;
  const auto last = stream_id(parts[0]);
  const auto removed = stream_id(parts[1]);
  const auto added = parse_unsigned(parts[2]);
  if (!last || !removed || !added || *last < stream.last_id()) return false;
  stream.set_last_id(*last);
  stream.set_greatest_removed_id(*removed);
  stream.set_added_count(*added);
  return true;
}

bool take(Stream& stream, const Parts& parts, bool /*compact*/, bool is_last) {
  if (is_last) return take_totals(stream, parts);
  const auto id = parts.size() > 2 && parts.size() % 2 == 1 ? stream_id(parts[0]) : std::nullopt;
  if (!id || *id <= stream.last_id()) return false;
  stream.add(*id, std::span{parts}.subspan(1), StreamNodeLimits{});
  return true;
}

std::optional<std::size_t> count_in(std::string_view digits) {
  const auto count = parse_unsigned(digits);
  return count ? std::optional{static_cast<std::size_t>(*count)} : std::nullopt;
}

// Each does one step again; false when it makes no sense. Those that changed nothing were noted
// as well.
bool step(Hash& hash, char code, const Parts& parts) {
  if (code == 's' && parts.size() == 2) {
    return hash.set(parts[0], parts[1], {.fields = kAll, .bytes = kAll}), true;
  }
  if (code == 'd' && parts.size() == 1) return hash.erase(parts[0]), true;
  if (code == 'o') return hash.outgrow(), true;
  return false;
}

bool step(Set& set, char code, const Parts& parts) {
  if (code == 's' && parts.size() == 1) return set.add(parts[0], kAll), true;
  if (code == 'd' && parts.size() == 1) return set.erase(parts[0]), true;
  if (code == 'o') return set.become_texts(), true;
  return false;
}

bool step(SortedSet& set, char code, const Parts& parts) {
  if (code == 'o') return set.outgrow(), true;
  const SortedSet::Position at = parts.empty() ? SortedSet::kNowhere : set.find(parts[0]);
  if (code == 's' && at == SortedSet::kNowhere) return take(set, parts, /*compact=*/true, false);
  if (at == SortedSet::kNowhere) return false;
  if (code == 'd') return set.erase(at), true;
  const auto score = parts.size() == 2 ? parse_double(parts[1]) : std::nullopt;
  if (code != 's' || !score || std::isnan(*score)) return false;
  return set.set_score(at, *score), true;
}

bool step_with_text(List& list, char code, std::string_view text, std::string_view other) {
  switch (code) {
    case 'i':
    case 'a':
      list.insert(code == 'i' ? List::Side::before : List::Side::after, text, other);
      return true;
    case 'r':
    case 'R': {
      const auto most = parse_unsigned(other);
      if (most) list.remove(text, code == 'r' ? List::End::front : List::End::back, *most);
      return most.has_value();
    }
    case 'p': {
      const auto position = count_in(text);
      if (!position || *position >= list.size()) return false;
      return list.set(*position, other), true;
    }
    default:
      return false;
  }
}

bool step(List& list, char code, const Parts& parts) {
  if (parts.size() == 2) return step_with_text(list, code, parts[0], parts[1]);
  if (parts.size() != 1) return false;
  if (code == 'f' || code == 'b') {
    return list.push(code == 'f' ? List::End::front : List::End::back, parts[0]), true;
  }
  const auto count = count_in(parts[0]);
  if ((code != 'F' && code != 'B') || !count || *count > list.size()) return false;
  return list.drop(code == 'F' ? List::End::front : List::End::back, *count), true;
}

bool step(Stream& stream, char code, const Parts& parts) {
  if (code == 's') return take(stream, parts, /*compact=*/true, /*is_last=*/false);
  if (parts.size() != 1) return false;
  if (code == 't' || code == 'n') {
    const auto count = parse_unsigned(parts[0]);
    if (count && code == 't') stream.trim({.most = *count});
    if (count && code == 'n') stream.set_added_count(*count);
    return count.has_value();
  }
  const auto id = stream_id(parts[0]);
  if (!id) return false;
  if (code == 'd') return stream.remove(*id), true;
  if (code == 'g') return stream.set_greatest_removed_id(*id), true;
  if (code != 'l' || (stream.size() > 0 && *id < stream.last_entry_id())) return false;
  return stream.set_last_id(*id), true;
}

// Into `parts`, in place of what was there.
void read_parts(ByteReader& reader, Parts& parts) {
  parts.clear();
  for (std::uint64_t left = reader.number(); left > 0 && !reader.failed(); --left) {
    parts.push_back(reader.text());
  }
}

template <typename T>
bool read_steps(ByteReader& reader, Collection& collection) {
  auto& made = static_cast<T&>(collection);
  Parts parts;
  while (reader.left() > 0) {
    const auto code = static_cast<char>(reader.u8());
    read_parts(reader, parts);
    if (reader.failed() || !step(made, code, parts)) return false;
  }
  return !reader.failed();
}

template <typename T>
std::unique_ptr<Collection> read_elements(ByteReader& reader, std::unique_ptr<T> made) {
  const bool compact = reader.u8() != 0;
  Parts parts;
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    read_parts(reader, parts);
    if (reader.failed() || !take(*made, parts, compact, left == 1)) return nullptr;
  }
  return made;
}

}  // namespace

void write_collection(ByteWriter& writer, const Collection& collection) {
  writer.u8(static_cast<std::uint8_t>(collection.type()));
  writer.u8(is_compact(collection));
  writer.number(collection.size() + (collection.type() == Type::stream ? 1 : 0));
  collection.for_each([&writer](std::span<const std::string_view> parts) {
    writer.number(parts.size());
    for (const std::string_view part : parts) writer.text(part);
  });
}

std::unique_ptr<Collection> read_collection(ByteReader& reader, std::uint64_t hash_seed) {
  std::unique_ptr<Collection> made;
  switch (static_cast<Type>(reader.u8())) {
    case Type::hash:
      made = read_elements(reader, std::make_unique<Hash>(hash_seed));
      break;
    case Type::list:
      made = read_elements(reader, std::make_unique<List>());
      break;
    case Type::set:
      made = read_elements(reader, std::make_unique<Set>(hash_seed));
      break;
    case Type::sorted_set:
      made = read_elements(reader, std::make_unique<SortedSet>(hash_seed));
      break;
    case Type::stream:
      return read_elements(reader, std::make_unique<Stream>());
    case Type::string:
    case Type::lock:
      break;
  }
  return made && made->size() > 0 ? std::move(made) : nullptr;
}

bool read_collection_steps(ByteReader& reader, Collection& collection) {
  switch (collection.type()) {
    case Type::hash:
      return read_steps<Hash>(reader, collection) && collection.size() > 0;
    case Type::list:
      return read_steps<List>(reader, collection) && collection.size() > 0;
    case Type::set:
      return read_steps<Set>(reader, collection) && collection.size() > 0;
    case Type::sorted_set:
      return read_steps<SortedSet>(reader, collection) && collection.size() > 0;
    case Type::stream:
      return read_steps<Stream>(reader, collection);
    case Type::string:
    case Type::lock:
      break;
  }
  return false;
}

}  // namespace fencepost::state
