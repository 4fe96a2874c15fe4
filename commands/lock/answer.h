// What LOCK and LOCKMANY answer, at once or after a wait: an integer or nil, an array of integers
// or nil.
#pragma once

#include <cstdint>
#include <span>

#include "resp/writer.h"
#include "state/lock_table.h"

namespace fencepost::commands {

void write_fences(resp::ReplyWriter& reply, std::span<const std::uint64_t> fences, bool many);
void write_refusal(resp::ReplyWriter& reply, bool many);
// The answer to somebody who waited, in the protocol of its connection.
void write_waiter_answer(resp::ReplyWriter& reply, const state::WaiterAnswer& answer);

}  // namespace fencepost::commands
