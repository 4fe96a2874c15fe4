// A stream: entries of fields in the order of their ids, which only rise.
#include "state/stream.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/check.h"

namespace fencepost::state {

void Stream::add(StreamId id, StreamFields fields, const StreamNodeLimits& limits) {
  check(id > last_id_, "ids rise");
  if (!nodes_.empty() && has_room(nodes_.rbegin()->second, fields, limits)) {
    nodes_.rbegin()->second.add(id, fields);
  } else {
    if (!nodes_.empty()) nodes_.rbegin()->second.close();
    nodes_.emplace_hint(nodes_.end(), id, StreamNode{id, fields});
  }
  ++size_;
  ++added_count_;
  last_id_ = id;
  note_entry(id, fields);
}

void Stream::note_entry(StreamId id, StreamFields fields) {
  if (!steps().are_noted()) return;
  const std::string name = to_text(id);
  std::vector<std::string_view> parts{name};
  parts.insert(parts.end(), fields.begin(), fields.end());
  steps().note('s', parts);
}

void Stream::set_last_id(StreamId id) {
  last_id_ = id;
  note_step('l', {to_text(id)});
}

void Stream::set_added_count(std::uint64_t count) {
  added_count_ = count;
  note_step('n', {std::to_string(count)});
}

void Stream::set_greatest_removed_id(StreamId id) {
  greatest_removed_ = id;
  note_step('g', {to_text(id)});
}

bool Stream::has_room(const StreamNode& node, StreamFields fields,
                      const StreamNodeLimits& limits) const {
  constexpr std::size_t kMostBytes = 1 << 30;
  std::size_t bytes = node.listpack_size();
  for (const std::string_view text : fields) bytes += text.size();
  const bool bounded = limits.bytes > 0 && limits.bytes <= kMostBytes;
  if (bytes >= (bounded ? limits.bytes : kMostBytes)) return false;
  return limits.entries == 0 || node.entries().size() < limits.entries;
}

bool Stream::remove(StreamId id) {
  note_step('d', {to_text(id)});
  auto node = nodes_.upper_bound(id);
  if (node == nodes_.begin()) return false;
  --node;
  const std::size_t position = node->second.lower_bound(id);
  const auto entries = node->second.entries();
  if (position == entries.size() || entries[position].id != id || entries[position].removed) {
    return false;
  }
  node->second.remove(position);
  if (node->second.live_count() == 0) nodes_.erase(node);
  --size_;
  greatest_removed_ = std::max(greatest_removed_, id);
  return true;
}

std::size_t Stream::trim(const StreamTrim& trim) {
  std::size_t removed = 0;
  while (!nodes_.empty() && (!trim.most || size_ > *trim.most)) {
    StreamNode& oldest = nodes_.begin()->second;
    const std::size_t entries = oldest.live_count();
    if (trim.limit > 0 && removed + entries > trim.limit) break;
    if (!goes_whole(oldest, trim)) {
      if (!trim.whole_nodes) removed += trim_within(oldest, trim);
      break;
    }
    nodes_.erase(nodes_.begin());
    size_ -= entries;
    removed += entries;
  }
  // Which those are goes by the nodes, and whoever reads the steps has others.
  if (removed > 0) note_step('t', {std::to_string(size_)});
  return removed;
}

bool Stream::goes_whole(const StreamNode& node, const StreamTrim& trim) const {
  if (trim.most) return size_ - node.live_count() >= *trim.most;
  return node.entries().back().id < trim.from;
}

std::size_t Stream::trim_within(StreamNode& node, const StreamTrim& trim) {
  std::size_t removed = 0;
  for (std::size_t i = 0; i < node.entries().size(); ++i) {
    const StreamNode::Entry& entry = node.entries()[i];
    if (trim.most ? size_ <= *trim.most : entry.id >= trim.from) break;
    if (entry.removed) continue;
    node.remove(i);
    --size_;
    ++removed;
  }
  return removed;
}

std::size_t Stream::read(StreamId first, StreamId last, Order order, std::size_t most,
                         const See& see) const {
  std::size_t seen = 0;
  std::vector<std::string_view> fields;
  const auto show = [&](const StreamNode& node, const StreamNode::Entry& entry) {
    if (entry.removed) return;
    node.read(entry, fields);
    see(entry.id, fields);
    ++seen;
  };
  if (order == Order::rising) {
    auto node = nodes_.upper_bound(first);
    if (node != nodes_.begin()) --node;
    for (; node != nodes_.end() && seen < most; ++node) {
      const auto entries = node->second.entries();
      for (std::size_t i = node->second.lower_bound(first); i < entries.size() && seen < most;
           ++i) {
        if (entries[i].id > last) return seen;
        show(node->second, entries[i]);
      }
    }
    return seen;
  }
  for (auto node = nodes_.upper_bound(last); node != nodes_.begin() && seen < most;) {
    --node;
    const auto entries = node->second.entries();
    std::size_t end = node->second.lower_bound(last);
    if (end < entries.size() && entries[end].id == last) ++end;
    for (std::size_t i = end; i > 0 && seen < most; --i) {
      if (entries[i - 1].id < first) return seen;
      show(node->second, entries[i - 1]);
    }
  }
  return seen;
}

StreamId Stream::edge(Order order) const {
  StreamId found;
  read(kLeastId, kGreatestId, order, 1, [&found](StreamId id, StreamFields) { found = id; });
  return found;
}

std::vector<StreamId> Stream::node_ids() const {
  std::vector<StreamId> ids;
  ids.reserve(nodes_.size());
  for (const auto& [id, node] : nodes_) ids.push_back(id);
  return ids;
}

std::size_t Stream::memory_bytes() const {
  constexpr std::size_t kTreeOverhead = 64;
  std::size_t bytes = sizeof(*this);
  for (const auto& [id, node] : nodes_) bytes += kTreeOverhead + node.memory_bytes();
  return bytes;
}

// Each entry with its id before the fields; at last what is known besides the entries.
void Stream::for_each(
    const std::function<void(std::span<const std::string_view> parts)>& see) const {
  std::vector<std::string_view> parts;
  read(kLeastId, kGreatestId, Order::rising, size_, [&](StreamId id, StreamFields fields) {
    const std::string name = to_text(id);
    parts.assign(1, name);
    parts.insert(parts.end(), fields.begin(), fields.end());
    see(parts);
  });
  const std::array<std::string, 3> texts{to_text(last_id_), to_text(greatest_removed_),
                                         std::to_string(added_count_)};
  parts.assign(texts.begin(), texts.end());
  see(parts);
}

}  // namespace fencepost::state
