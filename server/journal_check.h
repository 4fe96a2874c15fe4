// `fencepost --check DIR`: reads a journal without changing anything and says what is in it.
#pragma once

#include <string>

#include "base/result.h"
#include "journal/disk.h"
#include "state/state.h"

namespace fencepost::server {

enum class Verdict : int {
  good = 0,       // a start reads all of it
  torn_tail = 1,  // a start reads all but the end, which was never safe, and cuts that off
  refused = 2,    // a start would refuse it, or there is none
};

struct CheckReport {
  Verdict verdict = Verdict::refused;
  std::string text;  // lines for a person
};

CheckReport check_journal(journal::Disk& disk);
// The same for a folder, which is left as it is even if it is missing.
CheckReport check_journal(const std::string& folder);

// What a state holds, as lines for a person.
std::string describe_state(const state::State& state);

}  // namespace fencepost::server
