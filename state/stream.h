// A stream: entries of fields in the order of their ids, which only rise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "state/collection.h"
#include "state/stream_id.h"
#include "state/stream_node.h"

namespace fencepost::state {

// A node that would have more bytes, or as many entries, gets no more; 0 for no bound.
struct StreamNodeLimits {
  std::size_t bytes = 4096;
  std::size_t entries = 100;
};

// Which entries go: the oldest but for `most`, or else those below `from`.
struct StreamTrim {
  std::optional<std::uint64_t> most{};
  StreamId from{};
  bool whole_nodes = false;  // "~": a node goes as a whole or not at all
  std::uint64_t limit = 0;   // nor more entries than so many in one go; 0: no limit
};

class Stream final : public Collection {
 public:
  static constexpr Type kType = Type::stream;
  enum class Order : std::uint8_t { rising, falling };
  using See = std::function<void(StreamId id, StreamFields fields)>;

  // The last id that was given out, whether or not its entry is still there.
  StreamId last_id() const { return last_id_; }
  StreamId greatest_removed_id() const { return greatest_removed_; }
  std::uint64_t added_count() const { return added_count_; }
  // Of the entries that are there; 0-0 when there are none.
  StreamId first_entry_id() const { return edge(Order::rising); }
  StreamId last_entry_id() const { return edge(Order::falling); }

  // `id` is above last_id().
  void add(StreamId id, StreamFields fields, const StreamNodeLimits& limits);
  // False when there is no such entry.
  bool remove(StreamId id);
  // How many went.
  std::size_t trim(const StreamTrim& trim);
  // XSETID. The id is not below that of any entry.
  void set_last_id(StreamId id);
  void set_added_count(std::uint64_t count);
  void set_greatest_removed_id(StreamId id);

  // The entries from `first` to `last`, both included, at most `most` of them. How many that were.
  std::size_t read(StreamId first, StreamId last, Order order, std::size_t most,
                   const See& see) const;

  // The ids of the nodes' first entries.
  std::vector<StreamId> node_ids() const;

  Type type() const override { return kType; }
  std::size_t size() const override { return size_; }
  std::unique_ptr<Collection> clone() const override { return std::make_unique<Stream>(*this); }
  std::string_view encoding() const override { return "stream"; }
  std::size_t memory_bytes() const override;
  bool ordered() const override { return true; }
  void for_each(
      const std::function<void(std::span<const std::string_view> parts)>& see) const override;

 private:
  using Nodes = std::map<StreamId, StreamNode>;  // by the id of the first entry

  bool has_room(const StreamNode& node, StreamFields fields, const StreamNodeLimits& limits) const;
  void note_entry(StreamId id, StreamFields fields);
  StreamId edge(Order order) const;
  bool goes_whole(const StreamNode& node, const StreamTrim& trim) const;
  std::size_t trim_within(StreamNode& node, const StreamTrim& trim);

  Nodes nodes_;
  std::size_t size_ = 0;
  StreamId last_id_;
  StreamId greatest_removed_;
  std::uint64_t added_count_ = 0;
};

}  // namespace fencepost::state
