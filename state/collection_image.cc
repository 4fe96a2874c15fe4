// Hashes, lists, sets, sorted sets and streams as bytes.
//
//   collection = type:u8 compact:u8 count:number element*
//   element    = count:number part:text*                    as Collection::for_each tells them
//
// A stream's last element says its last id, its greatest removed id and how many were added.
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
  set.add(parts[0], *score, {.members = kAll, .member_bytes = kAll});
  if (!compact) set.outgrow();
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

template <typename T>
std::unique_ptr<Collection> read_elements(ByteReader& reader, std::unique_ptr<T> made) {
  const bool compact = reader.u8() != 0;
  Parts parts;
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    parts.clear();
    for (std::uint64_t more = reader.number(); more > 0 && !reader.failed(); --more) {
      parts.push_back(reader.text());
    }
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

}  // namespace fencepost::state
