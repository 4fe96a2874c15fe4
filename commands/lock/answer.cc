// What LOCK and LOCKMANY answer, at once or after a wait.
#include "commands/lock/answer.h"

#include "commands/errors.h"

namespace fencepost::commands {

void write_fences(resp::ReplyWriter& reply, std::span<const std::uint64_t> fences, bool many) {
  if (many) reply.array(fences.size());
  // Fences stay below 2^53, so the cast changes nothing.
  for (const std::uint64_t fence : fences) reply.integer(static_cast<std::int64_t>(fence));
}

void write_refusal(resp::ReplyWriter& reply, bool many) {
  if (many) {
    reply.null_array();
  } else {
    reply.null();
  }
}

void write_waiter_answer(resp::ReplyWriter& reply, const state::WaiterAnswer& answer) {
  switch (answer.kind) {
    case state::WaiterAnswer::Kind::granted:
      write_fences(reply, answer.fences, answer.many);
      return;
    case state::WaiterAnswer::Kind::refused:
      write_refusal(reply, answer.many);
      return;
    case state::WaiterAnswer::Kind::unblocked:
      reply.error(kUnblocked);
      return;
  }
}

}  // namespace fencepost::commands
