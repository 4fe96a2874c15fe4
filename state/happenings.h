// What an entry did that somebody may want to hear of, in the order in which it happened: events of
// keys, changes of keys, messages. Values, to be taken away by whoever tells the clients.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace fencepost::state {

// What kind of event it is: the letters of notify-keyspace-events. Bits, combined with |.
enum class EventClass : std::uint16_t {
  none = 0,
  generic = 1 << 0,     // g
  string = 1 << 1,      // $
  list = 1 << 2,        // l
  set = 1 << 3,         // s
  hash = 1 << 4,        // h
  sorted_set = 1 << 5,  // z
  stream = 1 << 6,      // t
  expired = 1 << 7,     // x
  evicted = 1 << 8,     // e
  key_miss = 1 << 9,    // m
  new_key = 1 << 10,    // n
  module = 1 << 11,     // d
};
constexpr EventClass operator|(EventClass a, EventClass b) {
  return static_cast<EventClass>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr bool has(EventClass set, EventClass bit) {
  return (static_cast<std::uint16_t>(set) & static_cast<std::uint16_t>(bit)) != 0;
}

struct Happening {
  enum class Kind : std::uint8_t {
    event,          // `name` happened to `key`
    changed,        // the value, the lease or the holders of `key` are others now
    flushed,        // all keys of a database went at once
    message,        // `text` was published on the channel `key`
    shard_message,  // the same on a shard channel
  };
  Kind kind = Kind::event;
  DatabaseIndex database = 0;
  std::string_view name;  // lives as long as the program
  std::string key;
  std::string text;
  // How long the reply of the command was by then; 0 for what no command did itself, unless it said
  // that its reply has begun (Happenings::Behind).
  std::size_t reply_size = 0;
  bool by_time = false;  // a lease was over: it is no client's doing
};

class Happenings {
 public:
  // What is noted from now on; all else costs a comparison.
  void want_events(EventClass classes) { classes_ = classes; }
  void want_changes(bool wanted) { wants_changes_ = wanted; }
  bool wants(EventClass one) const { return has(classes_, one); }

  void event(EventClass one, std::string_view name, DatabaseIndex database, std::string_view key,
             std::size_t reply_size = 0) {
    if (wants(one)) add(Happening::Kind::event, database, name, key, {}, reply_size);
  }
  void changed(DatabaseIndex database, std::string_view key, bool by_time) {
    if (!wants_changes_) return;
    add(Happening::Kind::changed, database, {}, key, {}, 0);
    list_.back().by_time = by_time;
  }
  void flushed(DatabaseIndex database) {
    if (wants_changes_) add(Happening::Kind::flushed, database, {}, {}, {}, 0);
  }
  void message(Happening::Kind kind, std::string_view channel, std::string_view text,
               std::size_t reply_size) {
    add(kind, 0, {}, channel, text, reply_size);
  }

  // While it lives, what the state itself tells of (a new key) counts as behind so much of a reply.
  class Behind {
   public:
    Behind(Happenings& happenings, std::size_t reply_size) : happenings_{happenings} {
      happenings_.reply_size_ = reply_size;
    }
    ~Behind() { happenings_.reply_size_ = 0; }
    Behind(const Behind&) = delete;
    Behind& operator=(const Behind&) = delete;

   private:
    Happenings& happenings_;
  };

  bool empty() const { return list_.empty(); }
  // What happened since the last call; the caller hands in the vector to fill (it is cleared
  // first).
  void take(std::vector<Happening>& into) {
    into.clear();
    std::swap(into, list_);
  }

 private:
  void add(Happening::Kind kind, DatabaseIndex database, std::string_view name,
           std::string_view key, std::string_view text, std::size_t reply_size) {
    list_.push_back({.kind = kind,
                     .database = database,
                     .name = name,
                     .key = std::string{key},
                     .text = std::string{text},
                     .reply_size = std::max(reply_size, reply_size_)});
  }

  EventClass classes_ = EventClass::none;
  bool wants_changes_ = false;
  std::size_t reply_size_ = 0;
  std::vector<Happening> list_;
};

}  // namespace fencepost::state
