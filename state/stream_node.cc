// A run of neighbouring entries of a stream, kept together in one block of bytes.
//
//   bytes = names entry ...      names: of the first entry's fields
//   entry = value ...            when its fields have those names
//         | { name value }
//   text  = length bytes         length: seven bits a byte, the lowest first, the last without 128
#include "state/stream_node.h"

#include <algorithm>

#include "base/check.h"
#include "state/listpack_size.h"

namespace fencepost::state {

StreamNode::StreamNode(StreamId id, StreamFields fields)
    : first_field_count_{static_cast<std::uint32_t>(fields.size() / 2)} {
  for (std::size_t i = 0; i < fields.size(); i += 2) append(fields[i]);
  listpack_size_ = kEmptyListpackBytes + listpack_bytes(std::int64_t{first_field_count_}) +
                   listpack_bytes(std::int64_t{0});
  for (std::size_t i = 0; i < fields.size(); i += 2) listpack_size_ += listpack_bytes(fields[i]);
  add(id, fields);
}

void StreamNode::add(StreamId id, StreamFields fields) {
  check(entries_.empty() || entries_.back().id < id, "ids rise");
  check(fields.size() % 2 == 0, "each field has a value");
  const Entry entry{.id = id,
                    .at = bytes_.size(),
                    .field_count = static_cast<std::uint32_t>(fields.size() / 2),
                    .names_as_first = has_names_of_first(fields)};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i % 2 == 1 || !entry.names_as_first) append(fields[i]);
  }
  entries_.push_back(entry);
  listpack_size_ += listpack_size_of(entry, fields);
  ++live_count_;
}

// Flags, two differences to the first id, the fields, and how many members that makes.
std::size_t StreamNode::listpack_size_of(const Entry& entry, StreamFields fields) const {
  const StreamId first = entries_.front().id;
  const auto count = static_cast<std::int64_t>(entry.field_count);
  std::size_t bytes = listpack_bytes(std::int64_t{0}) +
                      listpack_bytes(static_cast<std::int64_t>(entry.id.ms - first.ms)) +
                      listpack_bytes(static_cast<std::int64_t>(entry.id.number - first.number));
  if (!entry.names_as_first) bytes += listpack_bytes(count);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i % 2 == 1 || !entry.names_as_first) bytes += listpack_bytes(fields[i]);
  }
  return bytes + listpack_bytes(count + 3 + (entry.names_as_first ? 0 : count + 1));
}

std::size_t StreamNode::listpack_size() const {
  const auto live = static_cast<std::int64_t>(live_count_);
  const auto removed = static_cast<std::int64_t>(entries_.size()) - live;
  return listpack_size_ + listpack_bytes(live) + listpack_bytes(removed);
}

void StreamNode::remove(std::size_t position) {
  check(position < entries_.size() && !entries_[position].removed, "only what is there is removed");
  entries_[position].removed = true;
  --live_count_;
}

std::size_t StreamNode::lower_bound(StreamId id) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), id,
                       [](const Entry& entry, StreamId wanted) { return entry.id < wanted; });
  return static_cast<std::size_t>(found - entries_.begin());
}

void StreamNode::read(const Entry& entry, std::vector<std::string_view>& into) const {
  into.clear();
  std::size_t names_at = 0;
  std::size_t at = entry.at;
  for (std::uint32_t i = 0; i < entry.field_count; ++i) {
    into.push_back(entry.names_as_first ? text_at(names_at) : text_at(at));
    into.push_back(text_at(at));
  }
}

bool StreamNode::has_names_of_first(StreamFields fields) const {
  if (fields.size() / 2 != first_field_count_) return false;
  std::size_t at = 0;
  for (std::size_t i = 0; i < fields.size(); i += 2) {
    if (text_at(at) != fields[i]) return false;
  }
  return true;
}

void StreamNode::append(std::string_view text) {
  std::size_t rest = text.size();
  for (; rest >= 128; rest >>= 7) bytes_ += static_cast<char>(rest % 128 + 128);
  bytes_ += static_cast<char>(rest);
  bytes_.append(text);
}

// The text at `at`, which moves on behind it.
std::string_view StreamNode::text_at(std::size_t& at) const {
  std::size_t size = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes_[at++]);
    size += static_cast<std::size_t>(byte % 128) << shift;
    if (byte < 128) break;
  }
  check(size <= bytes_.size() - at, "a text ends within its node");
  const std::string_view text = std::string_view{bytes_}.substr(at, size);
  at += size;
  return text;
}

std::size_t StreamNode::memory_bytes() const {
  return sizeof(*this) + entries_.capacity() * sizeof(Entry) + bytes_.capacity();
}

}  // namespace fencepost::state
