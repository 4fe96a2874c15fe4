// The lines of waiters: by key in order of arrival, by owner, by client, and by the moment at which
// they give up.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "state/item.h"
#include "state/waiter.h"

namespace fencepost::state {

// Only bookkeeping: who may be granted is decided by LockTable. Present waiters stand in the line
// of each key that they want; an absent one (kept place) stands in none and is only remembered.
class Queues {
 public:
  using Line = std::map<std::uint64_t, Waiter*>;  // by place

  bool empty() const { return lines_.empty(); }
  std::size_t present_count() const { return waits_.size(); }
  std::size_t absent_count() const { return kept_.size(); }
  // What the present and the absent ones take of memory, about.
  std::size_t present_bytes() const { return present_bytes_; }
  std::size_t absent_bytes() const { return absent_bytes_; }
  static std::size_t bytes_of(const Waiter& waiter);

  std::uint64_t next_place() { return ++last_place_; }
  std::uint64_t next_id() { return ++last_id_; }

  // The line of a key; null when nobody present waits for it.
  const Line* find(DatabaseIndex database, std::string_view key) const;
  Waiter* find_client(ClientId client) const;
  // Places of that owner, present or kept, that want the key; or any of the keys, in order.
  std::vector<Waiter*> places_of(DatabaseIndex database, std::string_view owner,
                                 std::string_view key) const;
  std::vector<Waiter*> places_of(DatabaseIndex database, std::string_view owner,
                                 std::span<const std::string_view> keys) const;
  // The place that is kept for the owner under that number; null for none.
  Waiter* find_kept(std::string_view owner, std::uint64_t place) const;
  // All present waiters of an owner, in whatever database.
  std::vector<const Waiter*> present_of(std::string_view owner) const;
  std::vector<std::string> keys_with_lines(DatabaseIndex database) const;

  // Takes over the waiter, into the lines of its keys when it is present. Its id is fresh.
  Waiter& add(std::unique_ptr<Waiter> waiter);
  // A kept place is for that key too.
  void add_key(Waiter& kept, std::string_view key);
  // Takes the waiter out altogether.
  std::unique_ptr<Waiter> remove(Waiter& waiter);

  // The present (or the absent) waiter whose time is over first; null for none.
  Waiter* earliest_wait() const { return waits_.empty() ? nullptr : waits_.begin()->second; }
  Waiter* earliest_kept() const { return kept_.empty() ? nullptr : kept_.begin()->second; }

 private:
  struct NameLess {
    using is_transparent = void;
    using View = std::pair<DatabaseIndex, std::string_view>;
    static View view(const KeyName& name) { return {name.database, name.key}; }
    static View view(const View& name) { return name; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return view(a) < view(b);
    }
  };
  using ByTime = std::map<std::pair<Instant, std::uint64_t>, Waiter*>;  // by deadline and id
  // What one owner waits for. Views of the keys are into the waiters.
  struct Places {
    std::multimap<std::uint64_t, std::unique_ptr<Waiter>> by_place;
    std::multimap<NameLess::View, Waiter*> by_key;
  };

  static void name_keys(Places& places, Waiter& waiter);
  static void forget_keys(Places& places, const Waiter& waiter);
  std::size_t& bytes_with(const Waiter& waiter) {
    return waiter.present() ? present_bytes_ : absent_bytes_;
  }
  void enter_lines(Waiter& waiter);
  void leave_lines(Waiter& waiter);

  std::uint64_t last_place_ = 0;
  std::uint64_t last_id_ = 0;
  std::map<KeyName, Line, NameLess> lines_;
  std::map<std::string, Places, std::less<>> by_owner_;
  std::unordered_map<ClientId, Waiter*> by_client_;
  ByTime waits_;
  ByTime kept_;
  std::size_t present_bytes_ = 0;
  std::size_t absent_bytes_ = 0;
};

}  // namespace fencepost::state
