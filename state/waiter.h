// A place in line: what its owner asked for, when it came, and how long it waits or is kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "state/shared_lock.h"

namespace fencepost::state {

struct Waiter {
  std::uint64_t id = 0;     // never used twice
  std::uint64_t place = 0;  // order of arrival over all keys; kept while the owner is absent
  ClientId client = ClientId::nobody;  // who is answered; nobody while the owner is absent
  DatabaseIndex database = 0;
  std::vector<std::string> keys;  // in the order asked
  std::string owner;
  Mode mode = Mode::exclusive;
  std::int64_t limit = 0;
  Duration lease{};
  HoldTerms terms;
  bool many = false;
  Instant since{};
  Instant deadline{};  // over when the clock is past it: of the wait when present, of the kept
                       // place when absent

  bool present() const { return client != ClientId::nobody; }
};

}  // namespace fencepost::state
