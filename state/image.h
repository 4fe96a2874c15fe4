// Keys as bytes: what a journal writes down of the state, and how the state is made of it again.
//
//   batch = log-time:signed floor:number highest:number leapt-to:number image*
//   image = database:u8 key:text ( gone | exists )
//
// An image says all there is to know of one key, so that the newest one of each key, in whatever
// order the keys come, is the state. Of a large value that changed a batch may say the change
// alone, as steps: batches are read in order, and one that has all of the value comes before. What
// belongs to connections (who waits, who watches) is not
// part of it: connections do not outlive the process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "state/state.h"

namespace fencepost::state {

// The head of a batch: the moment, and what there is to know of fences besides the keys' own.
void append_head(std::string& batch, const State& state);
// One key as it is now, or that it is gone.
void append_image(std::string& batch, const State& state, DatabaseIndex database,
                  std::string_view key);
// All keys that changed since the last time; false, and nothing is appended, when none did.
bool append_changes(std::string& batch, State& state);

// The greatest fence that the head of a batch tells of: every one that had been drawn by then.
Result<std::uint64_t> highest_fence_in(std::string_view batch);

// Takes a batch in: the keys that it names are as it says. A failure is damage, and leaves the
// state in between.
Result<void> restore(State& state, std::string_view batch);
// The same, but all of it or nothing.
Result<void> restore_whole(State& state, std::string_view batch);

}  // namespace fencepost::state
