// The journal that keeps nothing: each entry is applied at once and without a copy.
#pragma once

#include <utility>

#include "journal/journal.h"

namespace fencepost::journal {

class MemoryJournal final : public Journal {
 public:
  explicit MemoryJournal(Apply apply) : apply_{std::move(apply)} {}
  void append(const Entry& entry) override { apply_(entry); }

 private:
  Apply apply_;
};

}  // namespace fencepost::journal
