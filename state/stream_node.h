// A run of neighbouring entries of a stream, kept together in one block of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/stream_id.h"

namespace fencepost::state {

// A field and its value, the next field and its value ...
using StreamFields = std::span<const std::string_view>;

// Entries whose fields have the names that the first one's have keep their values only. A removed
// entry keeps its place until all of the node is gone, as in Redis: what trims by whole nodes must
// find the same ones.
class StreamNode {
 public:
  struct Entry {
    StreamId id;
    std::size_t at = 0;  // where in the bytes its texts begin
    std::uint32_t field_count = 0;
    bool names_as_first = true;
    bool removed = false;
  };

  StreamNode(StreamId id, StreamFields fields);

  // `id` is above all that are there.
  void add(StreamId id, StreamFields fields);
  // Of one that is not removed yet.
  void remove(std::size_t position);
  // No entry will be added any more.
  void close() {
    bytes_.shrink_to_fit();
    entries_.shrink_to_fit();
  }

  // In the order of their ids, removed ones too.
  std::span<const Entry> entries() const { return entries_; }
  // Where in entries() the first one stands that is not below `id`.
  std::size_t lower_bound(StreamId id) const;
  // The fields of an entry; views into the node, good until it is changed.
  void read(const Entry& entry, std::vector<std::string_view>& into) const;

  std::size_t live_count() const { return live_count_; }
  // The bytes of the listpack that Redis would keep these entries in.
  std::size_t listpack_size() const;
  std::size_t memory_bytes() const;

 private:
  bool has_names_of_first(StreamFields fields) const;
  std::string_view text_at(std::size_t& at) const;
  void append(std::string_view text);
  std::size_t listpack_size_of(const Entry& entry, StreamFields fields) const;

  std::vector<Entry> entries_;
  std::string bytes_;  // texts, each with its length before it: the names of the first, then values
  std::size_t live_count_ = 0;
  std::size_t listpack_size_ = 0;  // without the two counts, which are not always as long
  std::uint32_t first_field_count_ = 0;
};

}  // namespace fencepost::state
