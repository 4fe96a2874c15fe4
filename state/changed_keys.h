// Which keys are other than they were when this was last taken: what a journal has to write down.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"
#include "state/item.h"

namespace fencepost::state {

// Costs nothing while nobody keeps a journal.
class ChangedKeys {
 public:
  // From now on changes are noted; the floor of fences is known. Of a value that takes no more
  // bytes than `small` as a whole, all is written down each time.
  void begin(std::uint64_t floor = 0, std::size_t small = 1024) {
    noting_ = true;
    floor_ = floor;
    small_ = small;
  }
  std::size_t small() const { return small_; }
  // A journal is read from a picture on, which has more of what changed while it was drawn than the
  // changes behind it know. So no step is told of a value that has not been told as a whole since
  // the newest picture was begun.
  void begin_picture() { ++picture_; }
  std::uint64_t picture() const { return picture_; }
  void note(DatabaseIndex database, std::string_view key) {
    if (!noting_ || (last_.database == database && last_.key == key)) return;
    last_ = {database, std::string{key}};
    names_.insert(last_);
  }
  // What a batch says besides keys is other than it was.
  void note_floor(std::uint64_t floor) {
    if (!noting_ || floor == floor_) return;
    floor_ = floor;
    head_wanted_ = true;
  }
  // There is to be a batch, though no key may be in it.
  void want_batch() { head_wanted_ = true; }
  bool empty() const { return names_.empty() && !head_wanted_; }
  const std::set<KeyName>& names() const { return names_; }
  bool contains(DatabaseIndex database, std::string_view key) const {
    return !names_.empty() && names_.contains(KeyName{database, std::string{key}});
  }
  // In order; none is left.
  std::set<KeyName> take() {
    last_ = {.database = kDatabaseCount, .key = {}};
    head_wanted_ = false;
    return std::exchange(names_, {});
  }

 private:
  bool noting_ = false;
  std::size_t small_ = 0;
  std::uint64_t picture_ = 0;
  std::uint64_t floor_ = 0;
  bool head_wanted_ = false;
  std::set<KeyName> names_;
  KeyName last_{.database = kDatabaseCount, .key = {}};  // most entries are about one key
};

}  // namespace fencepost::state
